import { join } from 'node:path'
import { buildPrograms } from '../scripts/setup/build-server.js'
import { ROOT } from '../scripts/setup/children.js'

/** Programs that tests start as processes: bundled, they start three times as fast as through the loader of TypeScript. */
const programs = {
  main: 'server/main.ts',
  'make-template': 'test/make-template.ts',
  publicway: 'scripts/publicway.ts',
  pull: 'test/feeds/pull-process.ts',
  'make-city': 'test/browser/make-city-program.ts',
  'serve-city': 'test/browser/serve-city.ts',
}

/** Within the packages' folder, so that packages are found from there. */
export const programsFolder = join(ROOT, 'node_modules/.cache/test-server')

/** Bundles the programs and the worker files, unless they were bundled from these very sources. */
export const buildTestPrograms = () =>
  buildPrograms('the programs of the tests', programs, programsFolder, [
    'scripts',
    'test/make-template.ts',
    'test/feeds',
    'test/browser',
  ])
