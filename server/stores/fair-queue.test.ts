import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type EndTurn, FairQueue, type QueueLimits, TurnRefused } from './fair-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Takes a turn and notes in `log` what becomes of it. */
function ask(
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
  it('lets users take turns, however many one of them waits for', async () => {
    const [queue, log] = [new FairQueue({ running: 1 }), [] as string[]]
    const turns = [
      ask(queue, log, 'a1', 'a'),
      ask(queue, log, 'a2', 'a'),
      ask(queue, log, 'a3', 'a'),
      ask(queue, log, 'b1', 'b'),
      ask(queue, log, 'c1', 'c'),
    ]
    await settled()
    for (const at of [0, 1, 3, 4]) {
      turns[at]?.end()
      await settled()
    }
    expect(log).toEqual(['a1', 'a2', 'b1', 'c1', 'a3'])
  })

  it('passes over who must wait for their own limit or their region', async () => {
    const [queue, log] = [
      new FairQueue({ running: 3, runningPerUser: 1, runningPerRegion: 2 }),
      [] as string[],
    ]
    ask(queue, log, 'a1', 'a')
    ask(queue, log, 'a2', 'a')
    const other = ask(queue, log, 'b1', 'b')
    ask(queue, log, 'c1', 'c')
    ask(queue, log, 'c2 elsewhere', 'c', { regionId: 's' })
    await settled()
    expect(log).toEqual(['a1', 'b1', 'c2 elsewhere'])
    other.end()
    await settled()
    expect(queue.state).toMatchObject({ running: 2, waiting: 2 })
  })

  it('refuses what is too much for the user, for all, or too late', async () => {
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
      ask(queue, log, name, user)
    await settled()
    expect(log).toEqual(['a1', 'a3 user', 'c1 all'])
    await vi.advanceTimersByTimeAsync(1000)
    expect(log.slice(3)).toEqual(['a2 late', 'b1 late'])
    expect(queue.state).toEqual({ running: 1, waiting: 0, refused: 4 })
  })

  it('forgets who goes away, and does not begin for who is gone', async () => {
    const [queue, log, leaving] = [new FairQueue({ running: 1 }), [] as string[], new AbortController()]
    const first = ask(queue, log, 'a', 'a')
    ask(queue, log, 'b', 'b', { signal: leaving.signal })
    ask(queue, log, 'c', 'c')
    await settled()
    leaving.abort()
    await settled()
    ask(queue, log, 'd', 'd', { signal: leaving.signal })
    first.end()
    await settled()
    expect(log).toEqual(['a', 'b aborted', 'd aborted', 'c'])
    expect(queue.state).toMatchObject({ running: 1, waiting: 0 })
  })
})

it('loses no turn and breaks no limit, whatever happens', async () => {
  const limits: Required<QueueLimits> = {
    running: 3,
    runningPerUser: 2,
    runningPerRegion: 2,
    waiting: 6,
    waitingPerUser: 3,
    waitMs: 50,
  }
  const act = fc.oneof(
    fc.record({
      kind: fc.constant('take' as const),
      user: fc.constantFrom('a', 'b', 'c'),
      region: fc.constantFrom('r', 's'),
    }),
    fc.record({
      kind: fc.constantFrom('end' as const, 'end twice' as const, 'leave' as const),
      at: fc.nat(30),
    }),
    fc.record({ kind: fc.constant('time' as const), ms: fc.nat(40) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 60 }), async (acts) => {
      const queue = new FairQueue(limits)
      const all: {
        user: string
        region: string
        leaving: AbortController
        end: EndTurn | null
        state: 'waiting' | 'running' | 'done'
      }[] = []
      const count = (state: string, by: Partial<{ user: string; region: string }> = {}) =>
        all.filter(
          (each) =>
            each.state === state && Object.entries(by).every(([key, value]) => each[key as 'user'] === value),
        ).length
      for (const each of acts) {
        if (each.kind === 'take') {
          const one: (typeof all)[number] = {
            user: each.user,
            region: each.region,
            leaving: new AbortController(),
            end: null,
            state: 'waiting',
          }
          all.push(one)
          queue.take({ userId: one.user, regionId: one.region, signal: one.leaving.signal }).then(
            (end) => Object.assign(one, { end, state: 'running' }),
            () => (one.state = 'done'),
          )
        } else if (each.kind === 'time') await vi.advanceTimersByTimeAsync(each.ms)
        else {
          const one = all[each.at % Math.max(1, all.length)]
          if (each.kind === 'leave') one?.leaving.abort()
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
        // Nobody waits for a turn that is free to them.
        for (const { user, region, state } of all) {
          if (state !== 'waiting' || count('running') >= limits.running) continue
          expect(
            count('running', { user }) >= limits.runningPerUser ||
              count('running', { region }) >= limits.runningPerRegion,
          ).toBe(true)
        }
      }
      for (const one of all) one.leaving.abort()
      await settled()
      for (const one of all) one.end?.()
      expect(queue.state).toMatchObject({ running: 0, waiting: 0 })
    }),
    { numRuns: 100 },
  )
})
