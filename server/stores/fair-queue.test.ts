import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type EndTurn, FairQueue, type QueueLimits, TurnRefused } from './fair-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Requests a turn and logs its name when it starts or is refused. */
function requestTurn(
  queue: FairQueue,
  log: string[],
  name: string,
  userId: string,
  { regionId = 'r', signal }: { regionId?: string; signal?: AbortSignal } = {},
): { end: EndTurn } {
  const turn = { end: (): void => undefined }
  queue.take({ userId, regionId, signal }).then(
    (end) => {
      turn.end = end
      log.push(name)
    },
    (error: unknown) => log.push(`${name} ${error instanceof TurnRefused ? error.reason : 'aborted'}`),
  )
  return turn
}
const settled = () => vi.advanceTimersByTimeAsync(0)

describe('a queue', () => {
  it('alternates between users, no matter how many turns one of them waits for', async () => {
    const [queue, log] = [new FairQueue({ running: 1 }), [] as string[]]
    const turns = [
      requestTurn(queue, log, 'a1', 'a'),
      requestTurn(queue, log, 'a2', 'a'),
      requestTurn(queue, log, 'a3', 'a'),
      requestTurn(queue, log, 'b1', 'b'),
      requestTurn(queue, log, 'c1', 'c'),
    ]
    await settled()
    for (const at of [0, 1, 3, 4]) {
      turns[at]?.end()
      await settled()
    }
    expect(log).toEqual(['a1', 'a2', 'b1', 'c1', 'a3'])
  })

  it('skips turns that wait for the limit of their user or region', async () => {
    const [queue, log] = [
      new FairQueue({ running: 3, runningPerUser: 1, runningPerRegion: 2 }),
      [] as string[],
    ]
    requestTurn(queue, log, 'a1', 'a')
    requestTurn(queue, log, 'a2', 'a')
    const other = requestTurn(queue, log, 'b1', 'b')
    requestTurn(queue, log, 'c1', 'c')
    requestTurn(queue, log, 'c2 elsewhere', 'c', { regionId: 's' })
    await settled()
    expect(log).toEqual(['a1', 'b1', 'c2 elsewhere'])
    other.end()
    await settled()
    expect(queue.state).toMatchObject({ running: 2, waiting: 2 })
  })

  it('refuses turns beyond the limits of a user, of all users and of time', async () => {
    const [queue, log] = [
      new FairQueue({ running: 1, waiting: 2, waitingPerUser: 1, waitMs: 1000 }),
      [] as string[],
    ]
    for (const [name, user] of [
      ['a1', 'a'],
      ['a2', 'a'],
      ['a3', 'a'],
      ['b1', 'b'],
      ['c1', 'c'],
    ] as const)
      requestTurn(queue, log, name, user)
    await settled()
    expect(log).toEqual(['a1', 'a3 user', 'c1 all'])
    await vi.advanceTimersByTimeAsync(1000)
    expect(log.slice(3)).toEqual(['a2 late', 'b1 late'])
    expect(queue.state).toEqual({ running: 1, waiting: 0, refused: 4 })
  })

  it('drops aborted turns, waiting or new', async () => {
    const [queue, log, abort] = [new FairQueue({ running: 1 }), [] as string[], new AbortController()]
    const first = requestTurn(queue, log, 'a', 'a')
    requestTurn(queue, log, 'b', 'b', { signal: abort.signal })
    requestTurn(queue, log, 'c', 'c')
    await settled()
    abort.abort()
    await settled()
    requestTurn(queue, log, 'd', 'd', { signal: abort.signal })
    first.end()
    await settled()
    expect(log).toEqual(['a', 'b aborted', 'd aborted', 'c'])
    expect(queue.state).toMatchObject({ running: 1, waiting: 0 })
  })
})

it('loses no turn and breaks no limit in any order of events', async () => {
  const limits: Required<QueueLimits> = {
    running: 3,
    runningPerUser: 2,
    runningPerRegion: 2,
    waiting: 6,
    waitingPerUser: 3,
    waitMs: 50,
  }
  const action = fc.oneof(
    fc.record({
      kind: fc.constant('take' as const),
      user: fc.constantFrom('a', 'b', 'c'),
      region: fc.constantFrom('r', 's'),
    }),
    fc.record({
      kind: fc.constantFrom('end' as const, 'end twice' as const, 'abort' as const),
      at: fc.nat(30),
    }),
    fc.record({ kind: fc.constant('time' as const), ms: fc.nat(40) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 60 }), async (actions) => {
      const queue = new FairQueue(limits)
      const all: {
        user: string
        region: string
        abort: AbortController
        end: EndTurn | null
        state: 'waiting' | 'running' | 'done'
      }[] = []
      const count = (state: string, by: Partial<{ user: string; region: string }> = {}) =>
        all.filter(
          (each) =>
            each.state === state && Object.entries(by).every(([key, value]) => each[key as 'user'] === value),
        ).length
      for (const each of actions) {
        if (each.kind === 'take') {
          const one: (typeof all)[number] = {
            user: each.user,
            region: each.region,
            abort: new AbortController(),
            end: null,
            state: 'waiting',
          }
          all.push(one)
          queue.take({ userId: one.user, regionId: one.region, signal: one.abort.signal }).then(
            (end) => Object.assign(one, { end, state: 'running' }),
            () => (one.state = 'done'),
          )
        } else if (each.kind === 'time') await vi.advanceTimersByTimeAsync(each.ms)
        else {
          const one = all[each.at % Math.max(1, all.length)]
          if (each.kind === 'abort') one?.abort.abort()
          else if (one?.end) {
            one.end()
            if (each.kind === 'end twice') one.end()
            one.state = 'done'
          }
        }
        await settled()
        expect(queue.state).toMatchObject({ running: count('running'), waiting: count('waiting') })
        expect(count('running')).toBeLessThanOrEqual(limits.running)
        expect(count('waiting')).toBeLessThanOrEqual(limits.waiting)
        for (const user of ['a', 'b', 'c']) {
          expect(count('running', { user })).toBeLessThanOrEqual(limits.runningPerUser)
          expect(count('waiting', { user })).toBeLessThanOrEqual(limits.waitingPerUser)
        }
        for (const region of ['r', 's'])
          expect(count('running', { region })).toBeLessThanOrEqual(limits.runningPerRegion)
        // No turn waits although it could run.
        for (const { user, region, state } of all) {
          if (state !== 'waiting' || count('running') >= limits.running) continue
          expect(
            count('running', { user }) >= limits.runningPerUser ||
              count('running', { region }) >= limits.runningPerRegion,
          ).toBe(true)
        }
      }
      for (const one of all) one.abort.abort()
      await settled()
      for (const one of all) one.end?.()
      expect(queue.state).toMatchObject({ running: 0, waiting: 0 })
    }),
    { numRuns: 100 },
  )
})
