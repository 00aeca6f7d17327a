// The parts of `npm test`, in the order in which they run. Each returns its tests: [{ name, outcome }, ...].
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { availableMemory } from 'node:process'
import { makeCity } from '../../test/browser/make-city.js'
import { startEngines } from '../../test/engines/start-engines.js'
import { buildTestPrograms } from '../../test/programs.js'
import { checkDependencies } from './check-dependencies.js'
import { atExit, ROOT, runTool } from './children.js'
import { chromium } from './chromium.js'
import { readPartTests, readPlaywrightTests, readVitestTests } from './read-reports.js'
import { printProgress } from './print-progress.js'

const REPORTS = join(ROOT, 'test-results')
const SOURCES = ['contract', 'server', 'web', 'demo', 'test', 'bench', 'scripts']

export const PARTS = {
  // Each checker of a project computes types by itself: four, the default, take twice the CPU time of one.
  types: async () =>
    toSingleTest('types', await runTool('tsc', ['-b', '--builders', '2', '--checkers', '1'])),

  lint: async () => {
    const configs = readdirSync(ROOT).filter((file) => file.endsWith('.config.ts'))
    const paths = [...SOURCES, ...configs].filter((path) => existsSync(join(ROOT, path)))
    // In parallel: knip has only one thread.
    const codes = await Promise.all([
      runTool('oxlint', ['--deny-warnings', ...paths]),
      runTool('knip', ['--no-progress']),
      runTool('oxfmt', ['--check']),
    ])
    return toSingleTest('lint', Math.max(...codes))
  },

  dependencies: async () => {
    const problems = await checkDependencies(REPORTS)
    for (const problem of problems) printProgress(problem)
    return toSingleTest('dependencies', problems.length)
  },

  architecture: async (rest) =>
    toSingleTest('architecture', (await runVitest('architecture', ['architecture'], rest)).code),
  unit: async (rest) => (await runVitest('unit', ['unit', 'web'], rest)).tests,
  stories: async (rest) => (await runVitest('stories', ['stories'], rest)).tests,

  engines: async (rest) => {
    const engines = await startEngines()
    try {
      return (await runVitest('engines', ['engines'], rest, engines.environment)).tests
    } finally {
      await engines.stop()
    }
  },

  browser: async (rest) => {
    const path = await chromium()
    if (!path) throw new Error('Chromium cannot be installed here; set CHROMIUM_PATH')
    printProgress(`Chromium: ${path}`)
    const report = prepareReport('browser')
    const env = {
      ...process.env,
      CHROMIUM_PATH: path,
      ...(await city),
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      PLAYWRIGHT_HTML_OPEN: 'never',
    }
    const code = await runTool('playwright', ['test', '--reporter=list,json', ...rest], { env })
    return readPartTests('browser', code, report, readPlaywrightTests)
  },
}

/** Environment variables with the browser part's city; empty unless `startCity` was called. */
let city = Promise.resolve({})

/** Bytes of memory for the engines and for the city, which needs two gigabytes. */
const minMemoryForCity = 8e9

/**
 * Starts to create the browser part's city while the next part, `engines`, runs: that part waits for its
 * servers most of the time, and the city needs little more than one thread. If this fails, the browser part fails.
 */
export async function startCity() {
  if (availableMemory() < minMemoryForCity) return
  const folder = mkdtempSync(join(tmpdir(), 'publicway-city-'))
  atExit(() => rmSync(folder, { recursive: true, force: true }))
  // Awaited before the next part starts, because that builds the programs too.
  const built = buildTestPrograms()
  city = built.then(() => makeCity(folder)).then(() => ({ BROWSER_CITY: folder }))
  city.catch(() => undefined)
  await built.catch(() => undefined)
}

/** Returns the result of a part without single tests. */
function toSingleTest(name, code) {
  return [{ name, outcome: code === 0 ? 'passed' : 'failed' }]
}

async function runVitest(part, projects, rest, environment = {}) {
  const report = prepareReport(part)
  const args = [
    ...projects.flatMap((name) => ['--project', name]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  const code = await runTool('vitest', ['run', ...args, ...rest], {
    // As in production: chDB's queries would otherwise fill libuv's four threads.
    env: { ...process.env, UV_THREADPOOL_SIZE: '16', ...environment },
  })
  return { code, tests: readPartTests(part, code, report, readVitestTests) }
}

/** Returns the path of a part's report. Removes the report of an earlier run. */
function prepareReport(part) {
  mkdirSync(REPORTS, { recursive: true })
  const file = join(REPORTS, `${part}.json`)
  rmSync(file, { force: true })
  return file
}
