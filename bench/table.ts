import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

/** One row of the table: the samples of one figure, and the machine's load average when they were taken. */
export interface Row {
  what: string
  unit:
    | 'ms'
    | 's'
    | 'MB'
    | 'kB'
    | 'rows/s'
    | 'events/s'
    | 'requests/s'
    | 'answers/s'
    | 'cores'
    | 'calls'
    | 'times'
    | 'trips'
  samples: number[]
  load: number
}

/** Collects the rows of a run and prints progress to standard error. */
export class Report {
  readonly rows: Row[] = []

  /** Adds a row and prints it, so that the rows of an interrupted run are not lost. */
  add(what: string, unit: Row['unit'], samples: readonly number[]): void {
    const row = { what, unit, samples: [...samples], load: loadavg()[0] ?? 0 }
    this.rows.push(row)
    this.log(joinRow(row))
  }

  log(line: string): void {
    console.error(line)
  }
}

/** Returns the median, or NaN if there are no samples. */
export const median = (samples: readonly number[]): number => {
  const sorted = [...samples].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2
    ? (sorted[middle] ?? NaN)
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2
}

/** Returns the sample below which the given share of samples lies. */
export const percentile = (samples: readonly number[], share: number): number =>
  samples.toSorted((a, b) => a - b)[Math.floor(samples.length * share)] ?? Number.NaN

/** Measures how long some work takes, ms. */
export async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Measures each of `runs` repetitions, one after another, ms. */
export async function measureRuns(runs: number, work: (run: number) => Promise<unknown>): Promise<number[]> {
  const samples: number[] = []
  for (let run = 0; run < runs; run++) samples.push(await measureMs(() => work(run)))
  return samples
}

/** Formats with two or three significant digits, and numbers from 100 as whole numbers. */
const formatNumber = (value: number): string =>
  value >= 100
    ? Math.round(value).toLocaleString('en-US')
    : String(Number(value.toPrecision(value < 10 ? 2 : 3)))

const joinRow = ({ what, unit, samples, load }: Row): string => {
  const spread =
    samples.length > 1
      ? `${formatNumber(Math.min(...samples))} to ${formatNumber(Math.max(...samples))}`
      : '–'
  return `| ${what} | ${formatNumber(median(samples))} ${unit} | ${spread} | ${samples.length} | ${load.toFixed(1)} |`
}

/** Formats the table as Markdown, with the conditions of the run above it. */
export function formatTable(rows: readonly Row[], startTime: Date): string {
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`
  return [
    `Measured on ${startTime.toISOString().slice(0, 10)} with \`npm run bench\`: ${machine}, embedded stores. "Load" is the load average of the last minute when the row was measured, this run included.`,
    '',
    '| what | median | spread | runs | load |',
    '|---|---|---|---|---|',
    ...rows.map(joinRow),
  ].join('\n')
}
