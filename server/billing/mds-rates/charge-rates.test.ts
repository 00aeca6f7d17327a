import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { civilClock, startOfDay } from '#contract/civil-clock.ts'
import type { MdsRule } from '#contract/mds-policy.ts'
import { minuteMs } from '#contract/period.ts'
import { rateRecurrences } from '#contract/policy-types/mds-rates.ts'
import { findOpenTimes } from '#server/compliance/days/rules/open-times.ts'
import type { EventType, VehicleState } from '#contract/vehicle-states.ts'
import { type PlainEvent, plainRates } from '../../../test/billing/plain-rates.ts'
import { chargeRates, findEvaluationStart, type RatedStay } from './charge-rates.ts'
import { readRateRules } from './rate-part.ts'

const runs = Number(process.env['CHARGE_RUNS'] ?? 60)
const lostMs = 20 * 60 * minuteMs

function chargeSteps(
  rules: readonly MdsRule[],
  events: readonly PlainEvent[],
  { from, until, zone }: { from: number; until: number; zone: string },
): Map<string, number> {
  const clock = civilClock(zone)
  const read = readRateRules(rules, () => ({ contains: () => false }))
  const openTimes = read.map(({ window }) =>
    findOpenTimes(window, clock, findEvaluationStart({ from, clock }), until),
  )
  const stays = events.map(({ at, state, types, zone: area, place }, index): RatedStay => ({
    vehicle: 0,
    at,
    until: events[index + 1]?.at ?? Infinity,
    state: state as VehicleState,
    types: types as EventType[],
    lon: place / 100,
    lat: 40,
    isIn: (rule: number) => read[rule]!.geographies.includes(area),
  }))
  const sums = new Map<string, number>()
  for (const { rule, day, quantity } of chargeRates(
    { vehicleType: 'bicycle', propulsionTypes: [], accessibility: [], stays },
    { rules: read, openTimes, clock, lostMs, from, until },
  ))
    sums.set(`${rule} ${day}`, (sums.get(`${rule} ${day}`) ?? 0) + quantity)
  return sums
}

const Rule = fc
  .record({
    type: fc.constantFrom('time', 'time', 'count'),
    geographies: fc.constantFrom<string[]>(['a'], ['b'], ['a', 'b']),
    states: fc.constantFrom<MdsRule['states']>(
      {},
      { available: [] },
      { available: [], non_operational: [] },
      { on_trip: ['trip_start'] },
    ),
    unit: fc.constantFrom('minutes', 'hours', 'days'),
    recurrence: fc.constantFrom(...rateRecurrences),
    applies: fc.constantFrom('in_bounds', 'out_of_bounds'),
    minimum: fc.constantFrom(null, null, 0.5, 1),
    length: fc.constantFrom(null, 0, 1, 2),
    hours: fc.constantFrom(null, ['07:00', '09:00'], ['20:00', '06:00']),
    isRated: fc.constantFrom(true, true, true, false),
  })
  .map(
    ({
      type,
      unit,
      recurrence,
      minimum: minimumUnits,
      length,
      applies,
      hours,
      isRated,
      states,
      geographies,
    }): MdsRule => {
      // The plain count is limited to full minutes.
      const minimum = unit === 'minutes' && minimumUnits !== null ? 2 * minimumUnits : minimumUnits
      return {
        name: '',
        rule_id: '',
        rule_type: type,
        geographies,
        states,
        rule_units: type === 'time' ? unit : null,
        minimum: type === 'time' ? minimum : null,
        maximum: length === null ? null : type === 'time' ? (minimum ?? 0) + length : length ? null : 0,
        rate_applies_when: applies as 'in_bounds' | 'out_of_bounds',
        start_time: hours?.[0] ?? null,
        end_time: hours?.[1] ?? null,
        ...(isRated
          ? {
              rate_amount: 1,
              rate_recurrence:
                type === 'count' && recurrence.endsWith('time_unit') ? 'once_on_match' : recurrence,
            }
          : {}),
      }
    },
  )

const Event = fc.record({
  after: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 2500 })),
  what: fc.constantFrom(
    ['available', 'trip_end'],
    ['available', 'trip_end'],
    ['on_trip', 'trip_start'],
    ['non_operational', 'battery_low'],
    ['removed', 'maintenance_pick_up'],
  ),
  place: fc.integer({ min: 0, max: 2 }),
})

it.each([
  ['America/New_York', '2026-03-07'],
  ['America/St_Johns', '2026-10-31'],
  ['Australia/Lord_Howe', '2026-04-04'],
  ['Australia/Lord_Howe', '2026-10-03'],
])('in %s around %s a vehicle pays what a plain count by minutes charges', (zone, day) => {
  const first = startOfDay(day, zone)
  fc.assert(
    fc.property(
      fc.array(Rule, { minLength: 1, maxLength: 4 }),
      fc.array(Event, { minLength: 1, maxLength: 14 }),
      fc.integer({ min: 0, max: 1500 }),
      fc.integer({ min: 60, max: 3600 }),
      (rules, steps, start, length) => {
        let at = first - 1500 * minuteMs
        const events = steps.map(({ after, what: [state = '', type = ''], place }): PlainEvent => {
          at += after * minuteMs
          return { at, state, types: [type], zone: place === 2 ? 'b' : 'a', place }
        })
        const span = { from: first + start * minuteMs, until: first + (start + length) * minuteMs, zone }
        const sortSums = (sums: Map<string, number>) => [...sums].toSorted()
        expect(sortSums(chargeSteps(rules, events, span))).toEqual(
          sortSums(plainRates(rules, events, { ...span, lostMs })),
        )
      },
    ),
    { numRuns: runs },
  )
})

describe('a stay from 9:15 to 11:45', () => {
  const zone = 'America/New_York'
  const getTimeAt = (time: string): number => Date.parse(`2026-06-02T${time}:00-04:00`)
  const events = [
    { at: getTimeAt('09:15'), state: 'available', types: ['trip_end'], zone: 'a', place: 0 },
    { at: getTimeAt('11:45'), state: 'on_trip', types: ['trip_start'], zone: 'a', place: 0 },
  ]
  const makeTier = (minimum: number | null, maximum: number | null, recurrence: string): MdsRule => ({
    name: '',
    rule_id: `${minimum}`,
    rule_type: 'time',
    rule_units: 'hours',
    geographies: ['a'],
    states: { available: [] },
    minimum,
    maximum,
    rate_amount: 1,
    rate_recurrence: recurrence,
    rate_applies_when: 'in_bounds',
  })
  const makeTiers = (recurrence: string) => [
    makeTier(0, 1, recurrence),
    makeTier(1, 2, recurrence),
    makeTier(2, null, recurrence),
  ]
  const chargeRules = (rules: MdsRule[]) =>
    [...chargeSteps(rules, events, { from: getTimeAt('00:00'), until: getTimeAt('23:00'), zone })].map(
      ([key, count]) => [Number(key.split(' ')[0]), count],
    )
  it('a stay from 9:15 to 11:45 is charged for three started hours, each at the last tier reached in it', () =>
    expect(chargeRules(makeTiers('each_time_unit')).toSorted()).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
    ]))
  it('a stay is charged once for leaving, in the last tier', () =>
    expect(chargeRules(makeTiers('once_on_unmatch'))).toEqual([[2, 1]]))
  it('a stay from 9:15 to 11:45 is charged for one complete hour of the clock', () =>
    expect(chargeRules([makeTier(0, null, 'per_complete_time_unit')])).toEqual([[0, 1]]))
  it('a stay is not charged if no complete hour is within one tier', () =>
    expect(chargeRules(makeTiers('per_complete_time_unit'))).toEqual([]))
})
