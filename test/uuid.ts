/** Returns the UUID of a small number: the same in each run, and in the order of the numbers. */
export const testUuid = (n: number): string =>
  `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
