import { benchAgency } from './agency.ts'
import { benchBackup, benchRestore } from './backup.ts'
import { benchBilling } from './billing.ts'
import { benchCompliance } from './compliance.ts'
import { benchCurbPayments } from './curb-payments.ts'
import { benchCurbPricing } from './curb-pricing.ts'
import { benchEvaluation } from './evaluation.ts'
import { benchExports } from './exports.ts'
import { benchFleet } from './fleet.ts'
import { benchGeography } from './geography.ts'
import { benchIdle, type IdleOptions } from './idle.ts'
import { benchImport } from './import.ts'
import { benchLoad, type LoadOptions } from './load.ts'
import { type Bench, openBench } from './open-bench.ts'
import { benchCurb } from './curb.ts'
import { benchCurbFrames } from './curb-frames.ts'
import { benchCurbOccupancy } from './curb-occupancy.ts'
import { benchDemoServer } from './overload.ts'
import { benchPages } from './pages.ts'
import { benchReports } from './reports.ts'
import { formatTable, Report } from './table.ts'
import { benchTiles } from './tiles.ts'

interface Run {
  report: Report
  millions: readonly number[]
}

/** Runs one part on empty stores, so that no part depends on the data of another. */
async function withBench(work: (bench: Bench) => Promise<void>): Promise<void> {
  const bench = await openBench()
  try {
    await work(bench)
  } finally {
    await bench.close()
  }
}

const fullLoad: LoadOptions = { seconds: 600, perSecond: 200, fairSeconds: 60, streams: 500 }
/** A short run for a shared machine. */
const shortLoad: LoadOptions = { seconds: 20, perSecond: 50, fairSeconds: 15, streams: 100 }

const largeCity: IdleOptions = { vehicles: 15_000, settleSeconds: 900, seconds: 480 }
const makeSmallCity: IdleOptions = { vehicles: 1500, settleSeconds: 120, seconds: 60 }

/** Parts of the benchmark in the order of the table. */
const parts: Record<string, (run: Run) => Promise<void>> = {
  demo: ({ report }) => benchDemoServer(report),
  import: ({ report }) => withBench((bench) => benchImport(bench, report)),
  evaluation: ({ report, millions }) => withBench((bench) => benchEvaluation(bench, millions, report)),
  tiles: ({ report }) => withBench((bench) => benchTiles(bench, report)),
  geography: ({ report }) => withBench((bench) => benchGeography(bench, report)),
  fleet: ({ report, millions }) => withBench((bench) => benchFleet(bench, millions, report)),
  agency: ({ report }) => withBench((bench) => benchAgency(bench, report)),
  compliance: ({ report }) => withBench((bench) => benchCompliance(bench, report)),
  billing: ({ report }) => withBench((bench) => benchBilling(bench, report)),
  'curb-pricing': ({ report }) => withBench((bench) => benchCurbPricing(bench, report)),
  reports: ({ report, millions }) => withBench((bench) => benchReports(bench, millions, report)),
  'curb-payments': ({ report, millions }) => withBench((bench) => benchCurbPayments(bench, millions, report)),
  exports: ({ report }) => withBench((bench) => benchExports(bench, report)),
  'curb-regulations': ({ report }) => withBench((bench) => benchCurb(bench, report)),
  'curb-frames': ({ report }) => benchCurbFrames(report),
  'curb-occupancy': ({ report }) => withBench((bench) => benchCurbOccupancy(bench, report)),
  idle: ({ report }) => withBench((bench) => benchIdle(bench, largeCity, report)),
  'short-idle': ({ report }) => withBench((bench) => benchIdle(bench, makeSmallCity, report)),
  load: ({ report }) => withBench((bench) => benchLoad(bench, fullLoad, report)),
  'short-load': ({ report }) => withBench((bench) => benchLoad(bench, shortLoad, report)),
  backup: ({ report, millions }) =>
    withBench((bench) => benchBackup(bench, { millions: Math.max(...millions), seconds: 60 }, report)),
  restore: ({ report, millions }) => withBench((bench) => benchRestore(bench, Math.max(...millions), report)),
  pages: ({ report }) => benchPages(report),
}

const usage = `Usage: npm run bench -- [${Object.keys(parts).join('|')}]… [--millions 1,10]
Runs the named parts, or all of them, and prints the table of docs/performance.md. Millions: of trips and of events.`

async function main(): Promise<void> {
  const args = process.argv.slice(2)
  const option = args.indexOf('--millions')
  const [, text = '1,10'] = option < 0 ? [] : args.splice(option, 2)
  const millions = text
    .split(',')
    .map(Number)
    .toSorted((a, b) => a - b)
  if (args.some((name) => !parts[name]) || millions.some((value) => !(value > 0))) throw new Error(usage)
  const report = new Report()
  const start = new Date()
  for (const [name, run] of Object.entries(parts))
    if (!args.length || args.includes(name)) await run({ report, millions })
  console.log(formatTable(report.rows, start))
}

// The exit handlers remove temporary directories and servers. A normal exit would then wait for running
// queries.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    process.once('exit', () => process.kill(process.pid, 'SIGKILL'))
    process.exit(130)
  })

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error && error.message === usage ? usage : error)
    process.exit(1)
  },
)
