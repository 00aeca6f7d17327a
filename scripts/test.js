// npm test [part ...] [-- arguments for the part]: installs what is missing and runs the parts; see scripts/setup/test-parts.js.
import './setup/node-version.js'
import { childrenCpuSeconds, end, onEnd } from './setup/children.js'
import { countTests, countsLine } from './setup/count-tests.js'
import { install } from './setup/install.js'
import { parseParts } from './setup/parse-parts.js'
import { slowestFiles } from './setup/read-reports.js'
import { say, secondsSince } from './setup/say.js'
import { putFilesInMemory, shareTemplate } from './setup/scratch-folder.js'
import { PARTS, startCity } from './setup/test-parts.js'

try {
  onEnd(end)
  const { parts, rest } = parseParts(process.argv.slice(2), Object.keys(PARTS))
  const begin = performance.now()
  await install()
  putFilesInMemory()
  shareTemplate()
  const results = []
  for (const part of parts) {
    if (part === 'engines' && parts.includes('browser')) await startCity()
    results.push(await runPart(part, rest))
  }
  say(`all parts in ${secondsSince(begin)}`)
  for (const { part, tests } of results) {
    const slowest = slowestFiles(tests)
    if (slowest.length > 1) console.log(`\nSlowest files of ${part}:\n${slowest.join('\n')}`)
  }
  for (const { line } of results) say(line)
  for (const { name, outcome, message, flaky } of results.flatMap((result) => result.tests))
    if (flaky || outcome === 'failed')
      console.log(`\n${flaky ? 'FLAKY' : 'FAILED'} ${name}\n${message ?? ''}`)
  finish(countTests(results.map((result) => result.tests)))
} catch (error) {
  console.error(`publicway: ${error.message}`)
  finish({ passed: 0, failed: 1, skipped: 0 })
}

/** A part that breaks counts as one failed test; the next ones still run. */
async function runPart(part, rest) {
  say(part)
  const begin = performance.now()
  const cpuBegin = childrenCpuSeconds()
  let tests
  try {
    tests = await PARTS[part](rest)
  } catch (error) {
    say(`${part} failed: ${error.message}`)
    tests = [{ name: part, outcome: 'failed' }]
  }
  const cpu = cpuBegin === null ? '' : ` (${(childrenCpuSeconds() - cpuBegin).toFixed(0)} s of CPU time)`
  const line = `${part}: ${countsLine(countTests([tests]))} in ${secondsSince(begin)}${cpu}`
  say(line)
  return { part, tests, line }
}

/** The last line of all, which other programs read. */
function finish(counts) {
  console.log(countsLine(counts))
  process.exit(counts.failed > 0 || counts.passed === 0 ? 1 : 0)
}
