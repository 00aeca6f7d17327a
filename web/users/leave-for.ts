/** Loads a page of this site anew: nothing that was kept in memory lives on. */
export const leaveFor = (address: string): void => location.assign(address)
