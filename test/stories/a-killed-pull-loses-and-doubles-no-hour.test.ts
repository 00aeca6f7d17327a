import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { systemScope } from '#server/identity/scope.ts'
import { openState } from '#server/stores/state.ts'
import { createRandom } from '../city/random.ts'
import { openTown } from '../feeds/feed-town.ts'
import { readStoredIds } from '../feeds/file-fleet-ingest.ts'
import { openOperator, type OperatorServer } from '../feeds/operator-server.ts'
import { plainBody } from '../feeds/plain-adapter.ts'

const hourCount = 24
/** Number of stops, all of them kills except the second one. More by KILL_RUNS. */
const stopCount = Number(process.env['KILL_RUNS'] ?? 2)
const random = createRandom(Date.now() % 1_000_000)
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const folder = fs.mkdtempSync(path.join(tmpdir(), 'publicway-pull-'))

let operator: OperatorServer
beforeAll(async () => {
  // Three pages an hour, four events each.
  operator = await openOperator((request, response) => {
    const hour = request.query.get('from') ?? ''
    const page = Number(request.query.get('page') ?? 0)
    setTimeout(
      () =>
        response.end(
          plainBody(
            [0, 1, 2, 3].map((item) => `${hour}-${page}-${item}`),
            page < 2 ? { next: `/events?from=${hour}&page=${page + 1}` } : {},
          ),
        ),
      5,
    )
  })
})
afterAll(async () => {
  await operator.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

const children: ChildProcess[] = []
afterAll(() => children.forEach((child) => child.kill('SIGKILL')))

async function startPulling(): Promise<{ end: (signal: 'SIGKILL' | 'SIGTERM') => Promise<void> }> {
  const child = spawn(process.execPath, [path.join(inject('programs'), 'pull.js'), folder], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => resolve())
    child.once('error', reject).once('exit', (code) => reject(new Error(`It ended with ${code}`)))
  })
  return {
    end(signal) {
      child.kill(signal)
      return ended
    },
  }
}

test('a pull that is killed repeatedly completes every hour and stores every event once', async () => {
  const town = await openTown()
  town.clock.at = new Date()
  const { feedId } = await town.addFeed({ url: operator.url, settings: { backfillHours: hourCount } })
  await town.state.close()
  fs.cpSync(town.dataDir, folder, { recursive: true })
  fs.rmSync(town.dataDir, { recursive: true, force: true })
  const kept = path.join(folder, 'kept')

  let kills = 0
  let isAnyDone = false
  // On a slow machine a pull may be killed before its first hour is done, but not each time.
  for (let round = 0; round < stopCount || (!isAnyDone && round < stopCount + 15); round++) {
    const pulling = await startPulling()
    await wait(150 + random() * 500 + (round < stopCount ? 0 : round * 200))
    await pulling.end(round === 1 ? 'SIGTERM' : 'SIGKILL')
    kills++
    // An hour that is marked as done before all its events are stored would be lost.
    const state = await openState({ databaseUrl: null, dataDir: folder })
    const done = await state
      .as(systemScope)
      .selectFrom('pull_window')
      .select('window_start')
      .where('status', '=', 'done')
      .execute()
    await state.close()
    isAnyDone ||= done.length > 0
    const ids = new Set(readStoredIds(kept))
    for (const { window_start: windowStart } of done)
      for (const page of [0, 1, 2])
        for (const item of [0, 1, 2, 3])
          expect(ids).toContain(`${windowStart.toISOString().slice(0, 13)}-${page}-${item}`)
  }
  const before = new Map<string, number>()
  const stateBefore = await openState({ databaseUrl: null, dataDir: folder })
  const doneBefore = (
    await stateBefore
      .as(systemScope)
      .selectFrom('pull_window')
      .select('window_start')
      .where('status', '=', 'done')
      .execute()
  ).map(({ window_start: windowStart }) => windowStart.toISOString().slice(0, 13))
  await stateBefore.close()
  for (const hour of doneBefore)
    before.set(hour, operator.requests.filter((request) => request.query.get('from') === hour).length)

  const last = await startPulling()
  await expect
    .poll(() => readStoredIds(kept).length, { timeout: 40_000, interval: 100 })
    .toBeGreaterThanOrEqual(hourCount * 12)
  await wait(500)
  await last.end('SIGTERM')
  expect(kills).toBeGreaterThanOrEqual(stopCount)
  const state = await openState({ databaseUrl: null, dataDir: folder })
  const rows = await state
    .as(systemScope)
    .selectFrom('pull_window')
    .selectAll()
    .where('feed_id', '=', feedId)
    .execute()
  await state.close()
  expect(new Set(rows.map((row) => row.status))).toEqual(new Set(['done']))
  expect(rows.length).toBeGreaterThanOrEqual(hourCount)
  expect(rows.every((row) => row.records === 12)).toBe(true)
  const ids = readStoredIds(kept)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.length).toBe(rows.length * 12)
  // Hours that are done are not requested again.
  expect(doneBefore.length).toBeGreaterThan(0)
  for (const [hour, times] of before)
    expect([hour, operator.requests.filter((request) => request.query.get('from') === hour).length]).toEqual([
      hour,
      times,
    ])
}, 300_000)
