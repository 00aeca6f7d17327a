import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { dayMs } from '#contract/period.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { Job } from '#server/jobs/job.ts'
import { Jobs } from '#server/jobs/jobs.ts'
import type { State } from '#server/stores/state.ts'
import { stateKinds } from './open-stores.ts'

describe.each(stateKinds)('jobs on $name', (kind) => {
  let state: State
  let close: () => Promise<void>
  const opened: Jobs[] = []
  const logged: string[] = []
  let now = new Date()
  beforeAll(async () => {
    const { store, close: closeStore } = await kind.open()
    state = store
    close = closeStore
  })
  afterAll(() => close())
  afterEach(async () => {
    for (const jobs of opened.splice(0)) await jobs.stop()
    logged.length = 0
    await state.as(systemScope).deleteFrom('job_day').execute()
  })
  const open = async (...list: Job[]): Promise<Jobs> => {
    const jobs = await new Jobs({
      state,
      store: state.as(systemScope),
      now: () => now,
      log: (line, details) => void logged.push(`${line} ${JSON.stringify(details)}`),
    }).open()
    opened.push(jobs)
    await jobs.add(...list)
    return jobs
  }

  it('runs sent jobs with their data, some at once, and records their results', async () => {
    const runs: object[] = []
    let [running, maxRunning] = [0, 0]
    const job: Job = {
      name: 'sent',
      description: 'Reads what is sent',
      slots: 2,
      async run(_stop, data) {
        maxRunning = Math.max(maxRunning, ++running)
        await vi.waitFor(() => expect(maxRunning).toBe(2))
        running--
        runs.push(data)
      },
    }
    const jobs = await open(job)
    for (const n of [1, 2, 3]) await jobs.send(job, { n })
    await vi.waitFor(() => expect(runs).toHaveLength(3), 20_000)
    expect(runs).toEqual(expect.arrayContaining([{ n: 1 }, { n: 2 }, { n: 3 }]))
    expect(maxRunning).toBe(2)
    await vi.waitFor(
      async () =>
        expect(await jobs.list()).toMatchObject([{ nextRun: null, summary: { runs: 3, failures: 0 } }]),
      20_000,
    )
  })

  it('repeats a failed run as often as the job allows, and shows why it failed', async () => {
    let runs = 0
    const job: Job = {
      name: 'failing',
      description: 'Fails',
      retries: { limit: 1, delaySeconds: 1 },
      async run() {
        runs++
        throw new Error('no room')
      },
    }
    const jobs = await open(job)
    await jobs.send(job, {})
    await vi.waitFor(() => expect(runs).toBe(1), 20_000)
    // A server looks for due runs as soon as it has started.
    await vi.waitFor(
      async () => {
        await open(job)
        expect(runs).toBe(2)
      },
      { timeout: 30_000, interval: 1000 },
    )
    await Promise.all(opened.map((server) => server.list()))
    const [first] = await jobs.list()
    expect(first?.summary).toMatchObject({
      runs: 2,
      failures: 2,
      lastProblem: 'no room',
      lastProblemTime: now,
    })
    expect(logged).toEqual(Array(2).fill('failing {"error":"no room"}'))
  })

  it('runs on one server in each interval, however many servers there are', async () => {
    let runs = 0
    const job: Job = {
      name: 'shared',
      description: 'Runs once',
      every: { seconds: 36_000, on: 'one server' },
      run: async () => void runs++,
    }
    const servers = [await open(job), await open(job)]
    for (const jobs of servers) jobs.start()
    await vi.waitFor(() => expect(runs).toBe(1), 20_000)
    await servers[1]?.runNow('shared')
    await vi.waitFor(() => expect(runs).toBe(2), 20_000)
    expect((await servers[0]?.list())?.[0]?.nextRun?.getTime()).toBeGreaterThan(now.getTime())
  })

  it('counts the runs of all servers by day, and deletes those of a month ago', async () => {
    const job: Job = {
      name: 'daily',
      description: 'Runs on each server',
      every: { seconds: 3600, on: 'each server' },
      run: async () => undefined,
    }
    const start = now
    for (const days of [0, 25, 31]) {
      now = new Date(start.getTime() + days * dayMs)
      const jobs = await open(job)
      jobs.start()
      await vi.waitFor(async () => expect((await jobs.list())[0]?.summary?.runs).toBe(1))
    }
    const rows = await state.as(systemScope).selectFrom('job_day').select('job').execute()
    now = start
    expect(rows).toHaveLength(2)
  })

  it('waits for running jobs when it stops, and starts no others', async () => {
    let isStopped = false
    const job: Job = {
      name: 'long',
      description: 'Takes long',
      every: { seconds: 0.05, on: 'each server' },
      run: (stop) =>
        new Promise<void>((resolve) =>
          stop.addEventListener('abort', () => setImmediate(() => resolve(void (isStopped = true)))),
        ),
    }
    const jobs = await open(job)
    jobs.start()
    expect((await jobs.list())[0]?.isRunning).toBe(true)
    await jobs.stop()
    expect(isStopped).toBe(true)
    expect(await state.as(systemScope).selectFrom('job_day').select('runs').execute()).toEqual([{ runs: 1 }])
    expect(await jobs.runNow('unknown')).toBeUndefined()
  })
})
