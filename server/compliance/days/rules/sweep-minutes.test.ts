import { describe, expect, it } from 'vitest'
import { minuteMs } from '#contract/period.ts'
import type { DayMdsRule } from './day-mds-rules.ts'
import { findCandidates } from './find-candidates.ts'
import { createFullMinutes } from './full-minutes.ts'
import type { VehicleInterval } from './interval.ts'
import { findFleetMinutes, sweepMinutes } from './sweep-minutes.ts'

const start = Date.UTC(2026, 6, 4, 4)
const getMinute = (minutes: number): number => start + minutes * minuteMs
const [lostMs, end] = [120 * minuteMs, getMinute(100)]
const minutes = createFullMinutes(start, end)
const bounds = { minimum: -Infinity, maximum: Infinity, inclusiveMinimum: true, inclusiveMaximum: true }

const rule = (overrides: Partial<DayMdsRule> & { minimum?: number; maximum?: number }): DayMdsRule => ({
  ruleId: 'r',
  name: 'r',
  kind: 'count',
  states: null,
  vehicleTypes: null,
  propulsionTypes: null,
  accessibilityOptions: null,
  window: { days: null, from: 0, to: 86_400 },
  chargesWithin: false,
  shapes: [1],
  ...overrides,
  bounds: { ...bounds, minimum: overrides.minimum ?? -Infinity, maximum: overrides.maximum ?? Infinity },
})
const interval = (
  vehicle: number,
  from: number,
  until: number,
  overrides: Partial<VehicleInterval> = {},
): VehicleInterval => ({
  vehicle,
  deviceId: `v${vehicle}`,
  at: getMinute(from),
  until: getMinute(until),
  state: 'available',
  types: [],
  vehicleType: 'bicycle',
  lon: 10,
  lat: 50,
  accuracy: NaN,
  areas: [1],
  ...overrides,
})

/** Returns findings as `rule vehicle since until` in minutes of the day. */
async function evaluate(
  rules: DayMdsRule[],
  intervals: VehicleInterval[],
  open: [number, number][] = [[0, 100]],
): Promise<{ broken: string[]; short: number[] }> {
  const candidates = await findCandidates(intervals, {
    rules,
    ruleAreas: rules.map(({ shapes }) => new Set(shapes)),
    minutes,
    lostMs,
    findTraits: () => ({ propulsionTypes: [], accessibility: [] }),
  })
  const { breaches, short } = await sweepMinutes({
    rules,
    candidates,
    size: 9,
    minutes,
    until: end,
    openTimes: rules.map(() =>
      open.map(([from, until]) => ({ from: getMinute(from), until: getMinute(until) })),
    ),
    fleetAt: findFleetMinutes(
      intervals.map((interval) => ({ from: interval.at, until: interval.until })),
      minutes,
    ),
  })
  const toMinutes = (ms: number): number => (ms - start) / minuteMs
  return {
    broken: breaches
      .map(
        ({
          candidate: {
            rule: number,
            interval: { deviceId },
            since,
          },
          until,
        }) => `${number} ${deviceId} ${toMinutes(since)} ${toMinutes(until)}`,
      )
      .toSorted(),
    short: [...short],
  }
}

describe('rules at every full minute', () => {
  it('count the latest arrivals over a cap as violations while it is exceeded', async () => {
    expect(
      (
        await evaluate(
          [rule({ maximum: 1 })],
          [interval(0, -30, 60), interval(1, 10, 90), interval(2, 20, 40)],
        )
      ).broken,
    ).toEqual(['0 v1 10 60', '0 v2 20 40'])
  })

  it('count a vehicle once per rule, at its first violation', async () => {
    expect(
      (
        await evaluate(
          [rule({ maximum: 0 })],
          [interval(0, 5, 10), interval(0, 10, 20, { areas: [] }), interval(0, 20, 100)],
        )
      ).broken,
    ).toEqual(['0 v0 5 10'])
  })

  it('pass vehicles over a cap to later rules, or count them for the last rule that rejected them', async () => {
    const rules = [rule({ maximum: 0 }), rule({ maximum: 1, shapes: [2] })]
    expect(
      (
        await evaluate(rules, [
          interval(0, 0, 50, { areas: [1, 2] }),
          interval(1, 5, 50, { areas: [1, 2] }),
          interval(2, 6, 50),
        ])
      ).broken,
    ).toEqual(['0 v2 6 50', '1 v1 5 50'])
  })

  it('apply a time limit between events: it is violated after the limit, not at the limit', async () => {
    const limit = rule({ kind: 'time', maximum: 30 * minuteMs })
    expect((await evaluate([limit], [interval(0, 0, 30.5)])).broken).toEqual([])
    expect((await evaluate([limit], [interval(0, 0, 31.5)])).broken).toEqual(['0 v0 0 32'])
    expect((await evaluate([limit], [interval(0, -20, 100)])).broken).toEqual(['0 v0 -20 100'])
  })

  it('continue the dwell clock through states of the rule at one place, and restart it after a move or another state', async () => {
    const limit = rule({ kind: 'time', maximum: 30 * minuteMs })
    expect(
      (await evaluate([limit], [interval(0, 0, 20), interval(0, 20, 40, { state: 'reserved', lon: 10.001 })]))
        .broken,
    ).toEqual(['0 v0 0 40'])
    expect(
      (await evaluate([limit], [interval(0, 0, 20), interval(0, 20, 40, { lon: 10.002 })])).broken,
    ).toEqual([])
    expect(
      (
        await evaluate(
          [limit],
          [interval(0, 0, 20), interval(0, 20, 21, { state: 'removed' }), interval(0, 21, 45)],
        )
      ).broken,
    ).toEqual([])
    // The omitted intervals were in states that no rule counts.
    expect((await evaluate([limit], [interval(0, 0, 20), interval(0, 21, 45)])).broken).toEqual([])
  })

  it('apply while their window is open, and drop vehicles that are lost', async () => {
    expect(
      (
        await evaluate(
          [rule({ maximum: 0 })],
          [interval(0, 0, 100)],
          [
            [30, 40],
            [60, 70],
          ],
        )
      ).broken,
    ).toEqual(['0 v0 0 40'])
    expect((await evaluate([rule({ maximum: 0 })], [interval(0, -100, 1000)])).broken).toEqual([
      '0 v0 -100 20',
    ])
    expect((await evaluate([rule({ maximum: 0 })], [interval(0, -130, 1000)])).broken).toEqual([])
  })

  it('find a shortfall only of operators with vehicles on the street', async () => {
    expect(await evaluate([rule({ minimum: 1 })], [interval(0, 10, 50, { areas: [] })])).toEqual({
      broken: [],
      short: [0],
    })
    expect(await evaluate([rule({ minimum: 1 })], [interval(0, 10, 50)])).toEqual({ broken: [], short: [] })
    expect(
      await evaluate(
        [rule({ minimum: 1, shapes: [2] }), rule({ minimum: 2 })],
        [interval(0, 0, 100, { areas: [2] })],
      ),
    ).toEqual({ broken: [], short: [1] })
  })

  it('evaluate full minutes only', async () => {
    expect(
      (await evaluate([rule({ maximum: 0 })], [interval(0, 5.1, 5.9), interval(1, 7.5, 8)])).broken,
    ).toEqual([])
    expect((await evaluate([rule({ maximum: 0 })], [interval(0, 5.1, 6.1)])).broken).toEqual(['0 v0 5.1 7'])
  })

  it('stop when aborted', async () => {
    const controller = new AbortController()
    controller.abort()
    const rules = [rule({ maximum: 0 })]
    const candidates = await findCandidates(
      Array.from({ length: 90 }, (_, n) => interval(n, n, n + 2)),
      {
        rules,
        ruleAreas: [new Set([1])],
        minutes,
        lostMs,
        findTraits: () => ({ propulsionTypes: [], accessibility: [] }),
      },
    )
    await expect(
      sweepMinutes({
        rules,
        candidates,
        size: 90,
        minutes,
        until: end,
        openTimes: [[{ from: start, until: end }]],
        fleetAt: null,
        signal: controller.signal,
      }),
    ).rejects.toThrow('aborted')
  })
})
