import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { benchAgency } from './agency.ts'
import { benchCompliance } from './compliance.ts'
import { benchEvaluation } from './evaluation.ts'
import { benchFleet } from './fleet.ts'
import { benchGeography } from './geography.ts'
import { benchImport } from './import.ts'
import { benchOverload } from './overload.ts'
import { benchPages } from './pages.ts'
import { openBench } from './open-bench.ts'
import { benchTiles } from './tiles.ts'

const figures = [
  'import',
  'tiles',
  'geography',
  'evaluation',
  'fleet',
  'agency',
  'compliance',
  'pages',
] as const

/** Loads a running demo server on this machine: `overload --port 4870 --seconds 60 --rate 50 --heavy 20 --pid 1234`. */
async function runOverload(args: readonly string[]): Promise<void> {
  const option = (name: string, usual: number | null): number | null => {
    const at = args.indexOf(`--${name}`)
    return at < 0 ? usual : Number(args[at + 1])
  }
  const load = {
    port: option('port', 4870) ?? 0,
    seconds: Math.min(600, option('seconds', 60) ?? 0),
    rate: Math.min(200, option('rate', 50) ?? 0),
    heavy: Math.min(100, option('heavy', 20) ?? 0),
    pid: option('pid', null),
  }
  console.log(JSON.stringify(await benchOverload(load, (line) => console.error(line)), null, 2))
}

/** Runs the named figures (all without names) and prints one JSON document. Millions of trips: `--millions 1,10,50`. */
async function main(): Promise<void> {
  const args = process.argv.slice(2)
  const at = args.indexOf('--millions')
  const millions = (at >= 0 ? (args[at + 1] ?? '') : '1,10,50').split(',').map(Number)
  if (args[0] === 'overload') return runOverload(args.slice(1))
  const wanted = args.filter((arg, index) => at < 0 || (index !== at && index !== at + 1))
  const unknown = wanted.filter((name) => !(figures as readonly string[]).includes(name))
  if (unknown.length || millions.some((each) => !(each > 0)))
    throw new Error(`Usage: npm run bench -- [${figures.join('|')}]… [--millions 1,10,50]`)
  const runs = (name: (typeof figures)[number]): boolean => !wanted.length || wanted.includes(name)
  const bench = await openBench()
  const say = (line: string): void => console.error(line)
  const result: Record<string, unknown> = {
    machine: {
      cpu: cpus()[0]?.model,
      cores: availableParallelism(),
      memory_gb: Math.round(totalmem() / 2 ** 30),
      node: process.version,
      load_before: loadavg().map((load) => Math.round(load * 100) / 100),
    },
  }
  try {
    if (runs('import')) result['import'] = await benchImport(bench, say)
    if (runs('tiles')) result['tiles'] = await benchTiles(bench)
    if (runs('geography')) result['geography'] = await benchGeography(bench, say)
    if (runs('evaluation')) result['evaluation'] = await benchEvaluation(bench, millions, say)
    if (runs('fleet')) result['fleet'] = await benchFleet(bench, millions, say)
    if (runs('agency')) result['agency'] = await benchAgency(bench, say)
    if (runs('compliance')) result['compliance'] = await benchCompliance(bench, say)
    if (runs('pages')) result['pages'] = await benchPages()
    result['memory_mb'] = { rss: Math.round(process.memoryUsage().rss / 2 ** 20) }
  } finally {
    await bench.close()
  }
  console.log(JSON.stringify(result, null, 2))
}

// Temporary directories and servers are removed on exit.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error)
    process.exit(1)
  },
)
