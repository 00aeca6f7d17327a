/**
 * Returns options of `fc.assert` for searches that are slow: few cases with a fixed seed, or as many and from
 * the seed that the variables `<name>_RUNS` and `<name>_SEED` say.
 */
export const runOptions = (name: string, { runs, seed }: { runs: number; seed: number }) => ({
  numRuns: Number(process.env[`${name}_RUNS`] ?? runs),
  endOnFailure: true,
  seed: Number(process.env[`${name}_SEED`] ?? seed),
})
