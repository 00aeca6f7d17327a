import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const web = join(import.meta.dirname, 'web')
const mocks = (file: string): boolean => /\bvi\.(?:do)?mock\(/i.test(readFileSync(join(web, file), 'utf8'))
/** Tests of components that put something else in a module's place, which no other file must get. */
const mocking = readdirSync(web, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.tsx') && mocks(file))
  .map((file) => `web/${file}`)

/** Where Node's own resolver reads #contract, #server and #web (package.json "imports"), vite reads them too. */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    restoreMocks: true,
    projects: [
      // server/stores runs among the engines.
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
          exclude: ['server/stores/**'],
          environment: 'node',
          isolate: false,
        },
      },
      // Components only: pure functions need no page. Reading all of React and Mantine for each file anew takes longer than the tests.
      page('web', false, ['web/**/*.test.tsx'], mocking),
      page('web-mocked', true, mocking),
      node('architecture', ['test/architecture.test.ts', 'test/architecture/**/*.test.ts']),
      onStores('stories', ['test/stories/**/*.test.ts'], 1, {
        globalSetup: ['test/template.ts'],
        setupFiles: ['test/quick-passwords.ts'],
      }),
      onStores('engines', ['test/engines/**/*.test.ts', 'server/stores/**/*.test.ts'], 2),
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
    test: { name, include, environment: 'node', isolate: false, sequence: { groupOrder }, ...more },
  }
}

function page(name: string, isolate: boolean, include: string[], exclude: string[] = []) {
  return {
    extends: true as const,
    test: { name, include, exclude, environment: 'jsdom', isolate, setupFiles: ['test/jsdom.ts'] },
  }
}
