import { defineConfig } from 'vitest/config';

/** Where Node's own resolver reads #contract, #server and #web (package.json "imports"), vite reads them too. */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    restoreMocks: true,
    projects: [
      node('unit', ['contract/**/*.test.ts', 'server/**/*.test.ts', 'web/**/*.test.ts', 'demo/**/*.test.ts', 'scripts/**/*.test.js']),
      // Components only: a page for each file costs a second that pure functions need not pay.
      page('web', ['web/**/*.test.tsx']),
      node('architecture', ['test/architecture.test.ts', 'test/architecture/**/*.test.ts']),
      alone('stories', ['test/stories/**/*.test.ts'], 1),
      alone('engines', ['test/engines/**/*.test.ts', 'server/stores/**/*.test.ts'], 2),
    ],
  },
});

function node(name: string, include: string[]) {
  return { extends: true as const, test: { name, include, environment: 'node' } };
}

/** One file at a time: each opens its own stores, and chDB alone takes up to a gigabyte. */
function alone(name: string, include: string[], groupOrder: number) {
  return { extends: true as const, test: { name, include, environment: 'node', maxWorkers: 1, sequence: { groupOrder } } };
}

function page(name: string, include: string[]) {
  return { extends: true as const, test: { name, include, environment: 'jsdom', setupFiles: ['test/jsdom.ts'] } };
}
