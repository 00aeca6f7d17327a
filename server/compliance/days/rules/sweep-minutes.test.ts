import { describe, expect, it } from 'vitest'
import type { DayMdsRule } from './day-mds-rules.ts'
import { findCandidates } from './find-candidates.ts'
import { fullMinutes, minuteMs } from './full-minutes.ts'
import type { Stay } from './stay.ts'
import { fleetMinutes, sweepMinutes } from './sweep-minutes.ts'

const start = Date.UTC(2026, 6, 4, 4)
const at = (minutes: number): number => start + minutes * minuteMs
const [lostMs, end] = [120 * minuteMs, at(100)]
const minutes = fullMinutes(start, end)
const bounds = { minimum: -Infinity, maximum: Infinity, inclusiveMinimum: true, inclusiveMaximum: true }

const rule = (more: Partial<DayMdsRule> & { minimum?: number; maximum?: number }): DayMdsRule => ({
  ruleId: 'r',
  name: 'r',
  kind: 'count',
  states: null,
  vehicleTypes: null,
  propulsionTypes: null,
  accessibilityOptions: null,
  window: { days: null, from: 0, to: 86_400 },
  chargesWithin: false,
  grounds: [1],
  ...more,
  bounds: { ...bounds, minimum: more.minimum ?? -Infinity, maximum: more.maximum ?? Infinity },
})
const stay = (vehicle: number, from: number, until: number, more: Partial<Stay> = {}): Stay => ({
  vehicle,
  deviceId: `v${vehicle}`,
  at: at(from),
  until: at(until),
  state: 'available',
  types: [],
  vehicleType: 'bicycle',
  lon: 10,
  lat: 50,
  accuracy: NaN,
  areas: [1],
  ...more,
})

/** What is found, as `rule vehicle since until` in minutes of the day. */
async function found(
  rules: DayMdsRule[],
  stays: Stay[],
  open: [number, number][] = [[0, 100]],
): Promise<{ broken: string[]; short: number[] }> {
  const candidates = await findCandidates(stays, {
    rules,
    areasOf: rules.map(({ grounds }) => new Set(grounds)),
    minutes,
    lostMs,
    traitsOf: () => ({ propulsionTypes: [], accessibility: [] }),
  })
  const { breaches, short } = await sweepMinutes({
    rules,
    candidates,
    size: 9,
    minutes,
    until: end,
    openOf: rules.map(() => open.map(([from, until]) => ({ from: at(from), until: at(until) }))),
    fleetAt: fleetMinutes(
      stays.map((each) => ({ from: each.at, until: each.until })),
      minutes,
    ),
  })
  const inMinutes = (ms: number): number => (ms - start) / minuteMs
  return {
    broken: breaches
      .map(
        ({
          candidate: {
            rule: number,
            stay: { deviceId },
            since,
          },
          until,
        }) => `${number} ${deviceId} ${inMinutes(since)} ${inMinutes(until)}`,
      )
      .toSorted(),
    short: [...short],
  }
}

describe('rules at every full minute', () => {
  it('charge the latest arrivals over a cap, for as long as they are over it', async () => {
    expect(
      (await found([rule({ maximum: 1 })], [stay(0, -30, 60), stay(1, 10, 90), stay(2, 20, 40)])).broken,
    ).toEqual(['0 v1 10 60', '0 v2 20 40'])
  })

  it('count a vehicle once a rule, as it broke it first', async () => {
    expect(
      (
        await found(
          [rule({ maximum: 0 })],
          [stay(0, 5, 10), stay(0, 10, 20, { areas: [] }), stay(0, 20, 100)],
        )
      ).broken,
    ).toEqual(['0 v0 5 10'])
  })

  it('take the places of refused ones by a later rule, and charge the last that would not', async () => {
    const rules = [rule({ maximum: 0 }), rule({ maximum: 1, grounds: [2] })]
    expect(
      (
        await found(rules, [
          stay(0, 0, 50, { areas: [1, 2] }),
          stay(1, 5, 50, { areas: [1, 2] }),
          stay(2, 6, 50),
        ])
      ).broken,
    ).toEqual(['0 v2 6 50', '1 v1 5 50'])
  })

  it('reach a time limit between what is told: at the limit it is kept, after it broken', async () => {
    const limit = rule({ kind: 'time', maximum: 30 * minuteMs })
    expect((await found([limit], [stay(0, 0, 30.5)])).broken).toEqual([])
    expect((await found([limit], [stay(0, 0, 31.5)])).broken).toEqual(['0 v0 0 32'])
    expect((await found([limit], [stay(0, -20, 100)])).broken).toEqual(['0 v0 -20 100'])
  })

  it('run the clock on through states of the rule at one place, and anew after a move or another state', async () => {
    const limit = rule({ kind: 'time', maximum: 30 * minuteMs })
    expect(
      (await found([limit], [stay(0, 0, 20), stay(0, 20, 40, { state: 'reserved', lon: 10.001 })])).broken,
    ).toEqual(['0 v0 0 40'])
    expect((await found([limit], [stay(0, 0, 20), stay(0, 20, 40, { lon: 10.002 })])).broken).toEqual([])
    expect(
      (await found([limit], [stay(0, 0, 20), stay(0, 20, 21, { state: 'removed' }), stay(0, 21, 45)])).broken,
    ).toEqual([])
    // What was left out in between was in a state of no rule.
    expect((await found([limit], [stay(0, 0, 20), stay(0, 21, 45)])).broken).toEqual([])
  })

  it('hold while their window is open, and lose who has long been silent', async () => {
    expect(
      (
        await found(
          [rule({ maximum: 0 })],
          [stay(0, 0, 100)],
          [
            [30, 40],
            [60, 70],
          ],
        )
      ).broken,
    ).toEqual(['0 v0 0 40'])
    expect((await found([rule({ maximum: 0 })], [stay(0, -100, 1000)])).broken).toEqual(['0 v0 -100 20'])
    expect((await found([rule({ maximum: 0 })], [stay(0, -130, 1000)])).broken).toEqual([])
  })

  it('find vehicles too few only of who has some on the street', async () => {
    expect(await found([rule({ minimum: 1 })], [stay(0, 10, 50, { areas: [] })])).toEqual({
      broken: [],
      short: [0],
    })
    expect(await found([rule({ minimum: 1 })], [stay(0, 10, 50)])).toEqual({ broken: [], short: [] })
    expect(
      await found(
        [rule({ minimum: 1, grounds: [2] }), rule({ minimum: 2 })],
        [stay(0, 0, 100, { areas: [2] })],
      ),
    ).toEqual({ broken: [], short: [1] })
  })

  it('look at full minutes only', async () => {
    expect((await found([rule({ maximum: 0 })], [stay(0, 5.1, 5.9), stay(1, 7.5, 8)])).broken).toEqual([])
    expect((await found([rule({ maximum: 0 })], [stay(0, 5.1, 6.1)])).broken).toEqual(['0 v0 5.1 7'])
  })

  it('end when they are no longer wanted', async () => {
    const controller = new AbortController()
    controller.abort()
    const rules = [rule({ maximum: 0 })]
    const candidates = await findCandidates(
      Array.from({ length: 90 }, (_, n) => stay(n, n, n + 2)),
      {
        rules,
        areasOf: [new Set([1])],
        minutes,
        lostMs,
        traitsOf: () => ({ propulsionTypes: [], accessibility: [] }),
      },
    )
    await expect(
      sweepMinutes({
        rules,
        candidates,
        size: 90,
        minutes,
        until: end,
        openOf: [[{ from: start, until: end }]],
        fleetAt: null,
        signal: controller.signal,
      }),
    ).rejects.toThrow('aborted')
  })
})
