import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
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
const settleQueue = () => vi.advanceTimersByTimeAsync(0)

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
    await settleQueue()
    for (const at of [0, 1, 3, 4]) {
      turns[at]?.end()
      await settleQueue()
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
    const otherTurn = requestTurn(queue, log, 'b1', 'b')
    requestTurn(queue, log, 'c1', 'c')
    requestTurn(queue, log, 'c2 elsewhere', 'c', { regionId: 's' })
    await settleQueue()
    expect(log).toEqual(['a1', 'b1', 'c2 elsewhere'])
    otherTurn.end()
    await settleQueue()
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
    await settleQueue()
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
    await settleQueue()
    abort.abort()
    await settleQueue()
    requestTurn(queue, log, 'd', 'd', { signal: abort.signal })
    first.end()
    await settleQueue()
    expect(log).toEqual(['a', 'b aborted', 'd aborted', 'c'])
    expect(queue.state).toMatchObject({ running: 1, waiting: 0 })
  })
})

test('A queue loses no turn and breaks no limit in any order of events', async () => {
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
      const turns: {
        user: string
        region: string
        abort: AbortController
        end: EndTurn | null
        state: 'waiting' | 'running' | 'done'
      }[] = []
      const count = (state: string, by: Partial<{ user: string; region: string }> = {}) =>
        turns.filter(
          (action) =>
            action.state === state &&
            Object.entries(by).every(([key, value]) => action[key as 'user'] === value),
        ).length
      for (const action of actions) {
        if (action.kind === 'take') {
          const turn: (typeof turns)[number] = {
            user: action.user,
            region: action.region,
            abort: new AbortController(),
            end: null,
            state: 'waiting',
          }
          turns.push(turn)
          queue.take({ userId: turn.user, regionId: turn.region, signal: turn.abort.signal }).then(
            (end) => Object.assign(turn, { end, state: 'running' }),
            () => (turn.state = 'done'),
          )
        } else if (action.kind === 'time') await vi.advanceTimersByTimeAsync(action.ms)
        else {
          const turn = turns[action.at % Math.max(1, turns.length)]
          if (action.kind === 'abort') turn?.abort.abort()
          else if (turn?.end) {
            turn.end()
            if (action.kind === 'end twice') turn.end()
            turn.state = 'done'
          }
        }
        await settleQueue()
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
        for (const { user, region, state } of turns) {
          if (state !== 'waiting' || count('running') >= limits.running) continue
          expect(
            count('running', { user }) >= limits.runningPerUser ||
              count('running', { region }) >= limits.runningPerRegion,
          ).toBe(true)
        }
      }
      for (const turn of turns) turn.abort.abort()
      await settleQueue()
      for (const turn of turns) turn.end?.()
      expect(queue.state).toMatchObject({ running: 0, waiting: 0 })
    }),
    { numRuns: 100 },
  )
})
