import path from 'node:path'

/** Published files of real cities, which are not part of the repository. */
export const publishedData = path.resolve('../shared/data')

/** Whether tests read all published files. Otherwise they read a few of each kind. */
export const readsAllFiles = Boolean(process.env['CITY_RUNS'])

/** Picks every `step`-th file of a kind, counted from the last one. */
export const pickSample = (files: readonly string[], step: number): string[] =>
  readsAllFiles ? [...files] : files.filter((_, index) => (files.length - 1 - index) % step === 0)
