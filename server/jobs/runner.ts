import PgBoss from 'pg-boss'
import type { Log } from '#server/jobs/log.ts'
import type { State } from '#server/stores/state.ts'

/** A kind of background work: its name and what one piece of it does. */
export interface Job<Data extends object> {
  name: string
  run: (data: Data, stop: AbortSignal) => Promise<void>
}

/** Runs jobs one at a time a kind, with history, on the state store. */
export interface Runner {
  work<Data extends object>(job: Job<Data>): Promise<void>
  /** Queues a piece. */
  send<Data extends object>(job: Pick<Job<Data>, 'name'>, data: Data): Promise<void>
  /** Tells running jobs to stop at their next step, and waits for them. */
  stop(): Promise<void>
}

const dayOfSeconds = 86_400

/** Starts the queue. A job that fails by itself says so in its own record: the queue does not repeat it. */
export async function startRunner(state: State, log: Log): Promise<Runner> {
  const boss = new PgBoss({ db: { executeSql: (text, values) => state.execute(text, values) as Promise<{ rows: never[] }> }, schema: 'pgboss', archiveCompletedAfterSeconds: 12 * 3600, deleteAfterDays: 30 })
  boss.on('error', (error) => log('jobs', { error: error.message }))
  await boss.start()
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  return {
    async work(job) {
      await boss.createQueue(job.name, { name: job.name, policy: 'standard', retryLimit: 0, expireInSeconds: dayOfSeconds - 1 })
      await boss.work(job.name, { pollingIntervalSeconds: 0.5, batchSize: 1 }, async ([piece]) => {
        if (!piece) return
        const work = job.run(piece.data as Parameters<typeof job.run>[0], stopping.signal)
        running.add(work)
        try {
          await work
        } finally {
          running.delete(work)
        }
      })
    },
    async send(job, data) {
      await boss.send(job.name, data)
    },
    async stop() {
      stopping.abort()
      await Promise.allSettled(running)
      await boss.stop({ graceful: false, wait: false, close: false })
    },
  }
}
