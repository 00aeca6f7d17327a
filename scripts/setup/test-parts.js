// The parts of `npm test`, in the order they run. A part gives its tests: [{ name, outcome }, ...].
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { availableMemory } from 'node:process'
import { startEngines } from '../../test/engines/start-engines.js'
import { checkDependencies } from './check-dependencies.js'
import { ROOT, runTool } from './children.js'
import { chromium } from './chromium.js'
import { partTests, playwrightTests, vitestTests } from './read-reports.js'
import { say } from './say.js'

const REPORTS = join(ROOT, 'test-results')
/** Files with stores wait for servers that start or stop, a third of their time: four keep two cores busy. Each takes up to a gigabyte. */
const storeWorkers = `--maxWorkers=${Math.min(4, Math.max(2, Math.floor(availableMemory() / 3.5e9)))}`
const SOURCES = ['contract', 'server', 'web', 'demo', 'test', 'bench', 'scripts']

export const PARTS = {
  types: async () => asOne('types', await runTool('tsc', ['-b'])),

  lint: async () => {
    const configs = readdirSync(ROOT).filter((file) => file.endsWith('.config.ts'))
    const paths = [...SOURCES, ...configs].filter((path) => existsSync(join(ROOT, path)))
    const style = await runTool('oxlint', ['--deny-warnings', ...paths])
    const unused = await runTool('knip', ['--no-progress'])
    const format = await runTool('oxfmt', ['--check'])
    return asOne('lint', style || unused || format)
  },

  dependencies: async () => {
    const problems = await checkDependencies(REPORTS)
    for (const problem of problems) say(problem)
    return asOne('dependencies', problems.length)
  },

  architecture: async (rest) =>
    asOne('architecture', (await vitest('architecture', ['architecture'], rest)).code),
  unit: async (rest) => (await vitest('unit', ['unit', 'web'], rest)).tests,
  stories: async (rest) => (await vitest('stories', ['stories'], [storeWorkers, ...rest])).tests,

  engines: async (rest) => {
    const engines = await startEngines()
    try {
      return (await vitest('engines', ['engines'], [storeWorkers, ...rest], engines.environment)).tests
    } finally {
      await engines.stop()
    }
  },

  browser: async (rest) => {
    const path = await chromium()
    if (!path) throw new Error('no Chromium can be had here; set CHROMIUM_PATH')
    say(`Chromium: ${path}`)
    const report = reportFile('browser')
    const env = {
      ...process.env,
      CHROMIUM_PATH: path,
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      PLAYWRIGHT_HTML_OPEN: 'never',
    }
    const code = await runTool('playwright', ['test', '--reporter=list,json', ...rest], { env })
    return partTests('browser', code, report, playwrightTests)
  },
}

function asOne(name, code) {
  return [{ name, outcome: code === 0 ? 'passed' : 'failed' }]
}

async function vitest(part, projects, rest, environment = {}) {
  const report = reportFile(part)
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
  return { code, tests: partTests(part, code, report, vitestTests) }
}

/** Last time's report must not be taken for this time's. */
function reportFile(part) {
  mkdirSync(REPORTS, { recursive: true })
  const file = join(REPORTS, `${part}.json`)
  rmSync(file, { force: true })
  return file
}
