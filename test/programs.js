import { join } from 'node:path'
import { buildPrograms } from '../scripts/setup/build-server.js'
import { ROOT } from '../scripts/setup/children.js'

/** Programs that tests start. Bundled, they start three times as fast as with the TypeScript loader. */
const programs = {
  main: 'server/main.ts',
  'make-template': 'test/make-template.ts',
  publicway: 'scripts/publicway.ts',
  pull: 'test/feeds/pull-process.ts',
  'make-city': 'test/browser/make-city-program.ts',
  'serve-city': 'test/browser/serve-city.ts',
}

/** Within node_modules, so that packages can be resolved. */
export const programsFolder = join(ROOT, 'node_modules/.cache/test-server')

/** Bundles the programs and workers unless their sources are unchanged since the last time. */
export const buildTestPrograms = () =>
  buildPrograms('the programs of the tests', programs, programsFolder, [
    'scripts',
    'test/make-template.ts',
    'test/feeds',
    'test/browser',
  ])
