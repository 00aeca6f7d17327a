const storedAs = 'publicway.region'

/** The region that was open last: where `/` leads to. */
export const rememberedRegion = (): string | null => localStorage.getItem(storedAs)
export const rememberRegion = (regionId: string): void => localStorage.setItem(storedAs, regionId)
export const forgetRegion = (): void => localStorage.removeItem(storedAs)
