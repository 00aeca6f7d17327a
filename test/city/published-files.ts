import path from 'node:path'

/** Published files of real cities, which are not part of the project. */
export const publishedData = path.resolve('../shared/data')

/** Whether tests read all published files; without it a few of each kind. */
export const readsAllFiles = Boolean(process.env['CITY_RUNS'])

/** Some of the files of one kind, spread over all of them: every `step`-th from the last. */
export const sampleOf = (files: readonly string[], step: number): string[] =>
  readsAllFiles ? [...files] : files.filter((_, at) => (files.length - 1 - at) % step === 0)
