import PgBoss from 'pg-boss'
import type { Log } from '#server/jobs/log.ts'
import type { State } from '#server/stores/state.ts'

/** A kind of queued work. */
export interface Job<Data extends object> {
  name: string
  /** Concurrent runs in this process (default 1). */
  slots?: number
  run: (data: Data, stop: AbortSignal) => Promise<void>
}

/** A job queue on the state store. */
export interface Runner {
  /** Starts to process the queue of the job. */
  work<Data extends object>(job: Job<Data>): Promise<void>
  /** Queues a run with its data. */
  send<Data extends object>(job: Pick<Job<Data>, 'name'>, data: Data): Promise<void>
  /** Aborts running jobs at their next step and waits for them. */
  stop(): Promise<void>
}

const daySeconds = 86_400
/** Work that this process queues starts at once; that of another server is found after this time, seconds. */
const pollSeconds = 15

/** Starts the queue. It does not retry: jobs record their failures. */
export async function startRunner(state: State, log: Log): Promise<Runner> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => state.execute(text, values) as Promise<{ rows: never[] }> },
    schema: 'pgboss',
    archiveCompletedAfterSeconds: 12 * 3600,
    deleteAfterDays: 30,
  })
  boss.on('error', (error) => log('jobs', { error: error.message }))
  await boss.start()
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  /** Ids of the workers of each job. */
  const workers = new Map<string, string[]>()
  const notify = (name: string): void => {
    if (!stopping.signal.aborted) for (const id of workers.get(name) ?? []) boss.notifyWorker(id)
  }
  return {
    async work(job) {
      await boss.createQueue(job.name, {
        name: job.name,
        policy: 'standard',
        retryLimit: 0,
        expireInSeconds: daySeconds - 1,
      })
      const runOne: PgBoss.WorkHandler<object> = async ([sent]) => {
        if (!sent) return
        const work = job.run(sent.data as Parameters<typeof job.run>[0], stopping.signal)
        running.add(work)
        try {
          await work
        } finally {
          running.delete(work)
          // More may have been queued meanwhile.
          notify(job.name)
        }
      }
      const ids: string[] = []
      for (let slot = 0; slot < (job.slots ?? 1); slot++)
        ids.push(await boss.work(job.name, { pollingIntervalSeconds: pollSeconds, batchSize: 1 }, runOne))
      workers.set(job.name, ids)
    },
    async send(job, data) {
      await boss.send(job.name, data)
      notify(job.name)
    },
    async stop() {
      stopping.abort()
      await Promise.allSettled(running)
      await boss.stop({ graceful: false, wait: false, close: false })
    },
  }
}
