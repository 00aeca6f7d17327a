import { availableMemory } from 'node:process'
import { defineConfig } from 'vitest/config'
import { SlowFilesFirst } from './test/slow-first.ts'

/** Tests that open stores: they run among the engines, which have a template of empty stores. */
const storeTests = [
  'server/stores/**/*.test.ts',
  'server/compliance/days/stored-days.test.ts',
  'server/geography/membership/read-layer-shapes.test.ts',
  'demo/first-run.test.ts',
]

/** Files with stores wait for servers that start or stop, a third of their time: four keep two cores busy. Each takes up to a gigabyte. */
const storeWorkers = Math.min(4, Math.max(2, Math.floor(availableMemory() / 3.5e9)))

/** Folder in which the parts of `npm test` share compiled modules. */
const modules = process.env['TEST_MODULES']

/** Where Node's own resolver reads #contract, #server and #web (package.json "imports"), vite reads them too. */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 3,
    // By default 16 MB: objects of a test that survive the many collections of such a small space are copied again and again.
    execArgv: ['--max-semi-space-size=64'],
    // Only what hangs takes so long: a busy machine is ten times as slow as a quiet one.
    testTimeout: 240_000,
    hookTimeout: 300_000,
    restoreMocks: true,
    sequence: { sequencer: SlowFilesFirst },
    experimental: modules ? { fsModuleCache: true, fsModuleCachePath: modules } : {},
    projects: [
      // Modules are read once for many files, which halves the time: what a file leaves behind (timers, stubs, spies) it takes back itself.
      {
        extends: true as const,
        test: {
          name: 'unit',
          include: [
            'contract/**/*.test.ts',
            'server/**/*.test.ts',
            'web/**/*.test.ts',
            'demo/**/*.test.ts',
            'scripts/**/*.test.js',
          ],
          exclude: storeTests,
          environment: 'node',
          isolate: false,
        },
      },
      // Components only: pure functions need no page. Reading all of React and Mantine again for each file takes longer than the tests.
      {
        extends: true as const,
        test: {
          name: 'web',
          include: ['web/**/*.test.tsx'],
          environment: 'jsdom',
          isolate: false,
          setupFiles: ['test/jsdom.ts'],
        },
      },
      node('architecture', ['test/architecture.test.ts', 'test/architecture/**/*.test.ts']),
      onStores('stories', ['test/stories/**/*.test.ts'], 1, {
        globalSetup: ['test/template.ts'],
        setupFiles: ['test/built-workers.ts', 'test/quick-passwords.ts'],
      }),
      onStores('engines', ['test/engines/**/*.test.ts', ...storeTests], 2, {
        globalSetup: ['test/template.ts'],
        setupFiles: ['test/built-workers.ts'],
      }),
    ],
  },
})

function node(name: string, include: string[]) {
  return { extends: true as const, test: { name, include, environment: 'node' } }
}

/** On stores of their own, part by part: chDB alone takes up to a gigabyte. */
function onStores(
  name: string,
  include: string[],
  groupOrder: number,
  more: { globalSetup?: string[]; setupFiles?: string[] } = {},
) {
  return {
    extends: true as const,
    test: {
      name,
      include,
      environment: 'node',
      isolate: false,
      maxWorkers: storeWorkers,
      sequence: { groupOrder },
      ...more,
    },
  }
}
