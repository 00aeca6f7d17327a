import PgBoss from 'pg-boss'
import { getErrorMessage } from '#contract/problem-text.ts'
import { jobDuration, jobsFailed, jobsRunning } from '#server/metrics/server-metrics.ts'
import { runAsCaller } from '#server/stores/query-counts.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { Job } from './job.ts'
import { JobHistory, type JobSummary } from './job-history.ts'
import { IntervalTimer } from './interval-timer.ts'
import type { Log } from './log.ts'

/** A job with its history, for administrators. */
export interface JobState {
  job: Job
  isRunning: boolean
  /** Null if the job runs when something is due or sent, or not on this server. */
  nextRun: Date | null
  /** Null if it has not run in the last days. */
  summary: JobSummary | null
}

const daySeconds = 86_400
/** Runs that this process queues start at once; those of other servers are found by polling this often. */
const pollSeconds = 60
/** How long pg-boss lists completed runs before it archives them. */
const archiveSeconds = 12 * 3600
/** A run of a server that has disappeared is abandoned after this many intervals. */
const expireIntervals = 3

/**
 * Start of queued runs, relative to now. The queue returns a run when the state store's clock is later than
 * its start. PGlite's clock has millisecond precision, so a worker that is notified immediately would find
 * nothing and try again only after `pollSeconds`.
 */
const startInThePast = '-1 second'

/** Runs all background jobs and records their history. */
export class Jobs {
  readonly #boss: PgBoss
  readonly #log: Log
  readonly #history: JobHistory
  readonly #now: () => Date
  readonly #jobs = new Map<string, Job>()
  readonly #timers = new Map<string, IntervalTimer>()
  /** The ids of each job's pg-boss workers. */
  readonly #workers = new Map<string, string[]>()
  readonly #running = new Map<string, Set<Promise<unknown>>>()
  readonly #stopping = new AbortController()
  /** Names of the queues in the store. */
  #queues = new Set<string>()
  #isOpen = false

  /** `store`: the state store within the system's Scope. */
  constructor(options: { state: State; store: Store; log: Log; now: () => Date }) {
    const { state, store, log, now } = options
    this.#log = log
    this.#now = now
    this.#history = new JobHistory(store, now)
    this.#boss = new PgBoss({
      db: { executeSql: (text, values) => state.execute(text, values) as Promise<{ rows: never[] }> },
      schema: 'pgboss',
      // Intervals are timers of this process, which cost no queries.
      schedule: false,
      archiveCompletedAfterSeconds: archiveSeconds,
      deleteAfterDays: 30,
    })
    this.#boss.on('error', (error) => log('jobs', { error: error.message }))
  }

  async open(): Promise<this> {
    await this.#boss.start()
    this.#queues = new Set((await this.#boss.getQueues()).map(({ name }) => name))
    this.#isOpen = true
    return this
  }

  /** Adds jobs and processes what is sent to them. Jobs that run at an interval wait for `start`. */
  async add(...jobs: readonly Job[]): Promise<void> {
    for (const job of jobs) {
      this.#jobs.set(job.name, job)
      if (job.every?.on !== 'each server') await this.#openQueue(job)
      if (job.every) this.#timers.set(job.name, this.#createTimer(job, job.every))
    }
  }

  /** Starts the timers of some jobs, or of all. */
  start(names: readonly string[] = [...this.#jobs.keys()]): void {
    for (const name of names) this.#timers.get(name)?.start()
  }

  /** Queues a run of a job with data. */
  async send<Data extends object>({ name }: Pick<Job<Data>, 'name'>, data: Data): Promise<void> {
    await this.#boss.send(name, data, { startAfter: startInThePast })
    this.#notify(name)
  }

  /** Requests a run outside of the interval and returns the job; undefined if none has this name. */
  async runNow(name: string): Promise<Job | undefined> {
    const job = this.#jobs.get(name)
    if (job?.every?.on === 'each server') this.#timers.get(name)?.runNow()
    else if (job) await this.send(job, {})
    return job
  }

  /** Returns all jobs in the order in which they were added. */
  async list(): Promise<JobState[]> {
    const summaries = await this.#history.summaries()
    return [...this.#jobs.values()].map((job) => ({
      job,
      isRunning: (this.#running.get(job.name)?.size ?? 0) > 0,
      nextRun: this.#timers.get(job.name)?.nextRun ?? null,
      summary: summaries.get(job.name) ?? null,
    }))
  }

  get names(): string[] {
    return [...this.#jobs.keys()]
  }

  /** Whether jobs are accepted and executed. */
  get isRunning(): boolean {
    return this.#isOpen && !this.#stopping.signal.aborted
  }

  /** Aborts running jobs and waits until they have stopped. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const timer of this.#timers.values()) timer.stop()
    await Promise.allSettled([...this.#running.values()].flatMap((runs) => [...runs]))
    await this.#history
      .flush()
      .catch((error: unknown) => this.#log('jobs', { error: getErrorMessage(error) }))
    await this.#boss.stop({ graceful: false, wait: false, close: false })
  }

  async #openQueue(job: Job): Promise<void> {
    const { name, every, slots = 1, retries } = job
    // Creating an existing queue changes nothing, but is a query for each job at each start.
    if (!this.#queues.has(name))
      await this.#boss.createQueue(name, {
        name,
        // At most one run of an interval job is queued.
        policy: every ? 'short' : 'standard',
        retryLimit: retries?.limit ?? 0,
        ...(retries ? { retryDelay: retries.delaySeconds, retryBackoff: true } : {}),
        expireInSeconds: Math.min(daySeconds - 1, (every?.seconds ?? daySeconds) * expireIntervals),
      })
    const ids: string[] = []
    for (let slot = 0; slot < slots; slot++)
      ids.push(
        await this.#boss.work(
          name,
          { pollingIntervalSeconds: pollSeconds, batchSize: 1 },
          async ([sent]: PgBoss.Job<object>[]) => {
            if (!sent || this.#stopping.signal.aborted) return
            await this.#run(job, sent.data).finally(() => this.#notify(name))
          },
        ),
      )
    this.#workers.set(name, ids)
  }

  #createTimer(job: Job, every: NonNullable<Job['every']>): IntervalTimer {
    const isOnEachServer = every.on === 'each server'
    return new IntervalTimer({
      seconds: every.seconds,
      // Servers share the intervals of a job and send in the middle of each, so that small clock differences
      // do not matter.
      isAligned: !isOnEachServer,
      ...(isOnEachServer && every.isDue ? { isDue: every.isDue } : {}),
      now: this.#now,
      run: async () => {
        if (isOnEachServer) return void (await this.#run(job, {}).catch(() => undefined))
        await this.#boss
          .send(job.name, {}, { singletonSeconds: every.seconds, startAfter: startInThePast })
          .catch((error: unknown) => this.#log(job.name, { error: getErrorMessage(error) }))
        this.#notify(job.name)
      },
    })
  }

  /** Makes the workers of this process check the queue at once. */
  #notify(name: string): void {
    if (!this.#stopping.signal.aborted)
      for (const id of this.#workers.get(name) ?? []) this.#boss.notifyWorker(id)
  }

  /** Runs a job and records the result. Rejects with the job's error. */
  async #run(job: Job, data: object): Promise<void> {
    const started = this.#now()
    const startMs = performance.now()
    const runs = this.#running.get(job.name) ?? new Set()
    this.#running.set(job.name, runs)
    let problem: string | null = null
    const run = runAsCaller(job.name, () => job.run(this.#stopping.signal, data))
    runs.add(run)
    jobsRunning.inc({ queue: job.name })
    try {
      await run
    } catch (error) {
      problem = getErrorMessage(error).slice(0, 500)
      jobsFailed.inc({ queue: job.name })
      this.#log(job.name, { error: problem })
      throw error
    } finally {
      runs.delete(run)
      jobsRunning.inc({ queue: job.name }, -1)
      jobDuration.observe({ queue: job.name }, (performance.now() - startMs) / 1000)
      this.#history.record(
        job.name,
        { started, ms: Math.round(performance.now() - startMs), problem },
        (error) => this.#log('jobs', { error: getErrorMessage(error) }),
      )
    }
  }
}
