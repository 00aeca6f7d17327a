import { dayMs } from '#contract/period.ts'
import type { Store } from '#server/stores/state.ts'

/** The result of a run. */
export interface JobRun {
  started: Date
  ms: number
  /** Null if it succeeded. */
  problem: string | null
}

/** Runs of a job in the last days, of all servers. */
export interface JobSummary {
  lastStarted: Date
  lastMs: number
  runs: number
  failures: number
  /** Total duration of all runs. */
  totalMs: number
  lastProblem: string | null
  lastProblemTime: Date | null
}

/** Runs are counted by UTC day and retained for this long. */
const retentionDays = 30
/** The number of days that a summary covers. */
export const summaryDays = 7
/** Runs are collected in memory and written this often, so that frequent jobs do not write at each run. */
const flushMs = 60_000

const toUtcDay = (time: Date): string => time.toISOString().slice(0, 10)
const subtractDays = (time: Date, days: number): string => toUtcDay(new Date(time.getTime() - days * dayMs))

/** Merges two summaries; `later` has the last run. */
const mergeSummaries = (earlier: JobSummary | undefined, later: JobSummary): JobSummary =>
  earlier
    ? {
        ...later,
        runs: earlier.runs + later.runs,
        failures: earlier.failures + later.failures,
        totalMs: earlier.totalMs + later.totalMs,
        lastProblem: later.lastProblem ?? earlier.lastProblem,
        lastProblemTime: later.lastProblemTime ?? earlier.lastProblemTime,
      }
    : later

/** Counts runs and failures by job and UTC day, with their durations and the last of each. */
export class JobHistory {
  readonly #store: Store
  readonly #now: () => Date
  /** Runs that are not written yet, by day and job. */
  #pending = new Map<string, JobSummary>()
  #timer: NodeJS.Timeout | null = null
  #cleanedDay = ''

  constructor(store: Store, now: () => Date) {
    this.#store = store
    this.#now = now
  }

  /** Counts a run. `onError` is called if the counts cannot be written; they are written the next time. */
  record(job: string, { started, ms, problem }: JobRun, onError: (error: unknown) => void): void {
    const key = `${toUtcDay(started)} ${job}`
    const hasFailed = problem !== null
    this.#pending.set(
      key,
      mergeSummaries(this.#pending.get(key), {
        lastStarted: started,
        lastMs: ms,
        runs: 1,
        failures: Number(hasFailed),
        totalMs: ms,
        lastProblem: problem,
        lastProblemTime: hasFailed ? started : null,
      }),
    )
    this.#timer ??= setTimeout(() => void this.flush().catch(onError), flushMs).unref()
  }

  /** Writes the counts that are in memory. */
  async flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const pending = this.#pending
    if (!pending.size) return
    this.#pending = new Map()
    try {
      await this.#write(pending)
    } catch (error) {
      for (const [key, unwritten] of pending) {
        const newer = this.#pending.get(key)
        this.#pending.set(key, newer ? mergeSummaries(unwritten, newer) : unwritten)
      }
      throw error
    }
    await this.#removeOld()
  }

  async #write(pending: ReadonlyMap<string, JobSummary>): Promise<void> {
    await this.#store
      .insertInto('job_day')
      .values(
        [...pending].map(([key, counted]) => ({
          day: key.slice(0, 10),
          job: key.slice(11),
          runs: counted.runs,
          failures: counted.failures,
          worked_ms: counted.totalMs,
          last_started: counted.lastStarted,
          last_ms: counted.lastMs,
          last_problem: counted.lastProblem,
          last_problem_time: counted.lastProblemTime,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['job', 'day']).doUpdateSet((row) => ({
          runs: row('job_day.runs', '+', row.ref('excluded.runs')),
          failures: row('job_day.failures', '+', row.ref('excluded.failures')),
          worked_ms: row('job_day.worked_ms', '+', row.ref('excluded.worked_ms')),
          last_started: row.ref('excluded.last_started'),
          last_ms: row.ref('excluded.last_ms'),
          last_problem: row.fn.coalesce('excluded.last_problem', 'job_day.last_problem'),
          last_problem_time: row.fn.coalesce('excluded.last_problem_time', 'job_day.last_problem_time'),
        })),
      )
      .execute()
  }

  async #removeOld(): Promise<void> {
    const today = toUtcDay(this.#now())
    if (this.#cleanedDay === today) return
    await this.#store
      .deleteFrom('job_day')
      .where('day', '<', subtractDays(this.#now(), retentionDays))
      .execute()
    this.#cleanedDay = today
  }

  /** Returns each job's runs of the last seven days. */
  async summaries(): Promise<Map<string, JobSummary>> {
    await this.flush()
    const rows = await this.#store
      .selectFrom('job_day')
      .selectAll()
      .where('day', '>', subtractDays(this.#now(), summaryDays))
      .orderBy('day')
      .execute()
    const summaries = new Map<string, JobSummary>()
    for (const row of rows)
      summaries.set(
        row.job,
        mergeSummaries(summaries.get(row.job), {
          lastStarted: row.last_started,
          lastMs: row.last_ms,
          runs: row.runs,
          failures: row.failures,
          totalMs: Number(row.worked_ms),
          lastProblem: row.last_problem,
          lastProblemTime: row.last_problem_time,
        }),
      )
    return summaries
  }
}
