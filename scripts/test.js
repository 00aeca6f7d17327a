// npm test [part ...] [-- arguments for the parts]: installs packages if needed and runs the parts; see
// scripts/setup/test-parts.js.
import './setup/node-version.js'
import { childrenCpuSeconds, endAll, onTermination } from './setup/children.js'
import { countTests, countsLine } from './setup/count-tests.js'
import { install } from './setup/install.js'
import { parseParts } from './setup/parse-parts.js'
import { slowestFiles } from './setup/read-reports.js'
import { printProgress, secondsSince } from './setup/print-progress.js'
import { putTemporaryFilesInMemory, shareFolders } from './setup/scratch-folder.js'
import { PARTS, startCity } from './setup/test-parts.js'

try {
  onTermination(endAll)
  const { parts, rest } = parseParts(process.argv.slice(2), Object.keys(PARTS))
  const begin = performance.now()
  await install()
  putTemporaryFilesInMemory()
  shareFolders()
  const results = []
  for (const part of parts) {
    if (part === 'engines' && parts.includes('browser')) await startCity()
    results.push(await runPart(part, rest))
  }
  printProgress(`all parts in ${secondsSince(begin)}`)
  for (const { part, tests } of results) {
    const slowest = slowestFiles(tests)
    if (slowest.length > 1) console.log(`\nSlowest files of ${part}:\n${slowest.join('\n')}`)
  }
  for (const { line } of results) printProgress(line)
  for (const { name, outcome, message, flaky } of results.flatMap((result) => result.tests))
    if (flaky || outcome === 'failed')
      console.log(`\n${flaky ? 'FLAKY' : 'FAILED'} ${name}\n${message ?? ''}`)
  finish(countTests(results.map((result) => result.tests)))
} catch (error) {
  console.error(`publicway: ${error.message}`)
  finish({ passed: 0, failed: 1, skipped: 0 })
}

/** Runs a part. If it throws, it counts as one failed test, and the next parts still run. */
async function runPart(part, rest) {
  printProgress(part)
  const begin = performance.now()
  const cpuBegin = childrenCpuSeconds()
  let tests
  try {
    tests = await PARTS[part](rest)
  } catch (error) {
    printProgress(`${part} failed: ${error.message}`)
    tests = [{ name: part, outcome: 'failed' }]
  }
  const cpu = cpuBegin === null ? '' : ` (${(childrenCpuSeconds() - cpuBegin).toFixed(0)} s of CPU time)`
  const line = `${part}: ${countsLine(countTests([tests]))} in ${secondsSince(begin)}${cpu}`
  printProgress(line)
  return { part, tests, line }
}

/** Prints the counts as the very last line, which other programs parse, and ends the process. */
function finish(counts) {
  console.log(countsLine(counts))
  process.exit(counts.failed > 0 || counts.passed === 0 ? 1 : 0)
}
