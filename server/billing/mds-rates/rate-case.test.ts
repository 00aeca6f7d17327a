import { describe, expect, it } from 'vitest'
import type { MdsRule } from '#contract/mds-policy.ts'
import { chargeCase } from '../charge-case.ts'
import { positions } from '../../../test/positions.ts'

interface Charged {
  lines: { description: string; quantity: string; unit: string; unit_price: string; amount: string }[]
  total: string
  notes?: string[]
}

const parseLocalTime = (time: string): number => Date.parse(`${time}-04:00`)
const square = {
  geography_id: 'downtown',
  geography_json: { type: 'Polygon', coordinates: [positions('0 0, 1 0, 1 1, 0 1, 0 0')] },
}
const makeEvent = (device_id: string, time: string, vehicle_state: string, event_type: string) => ({
  device_id,
  timestamp: parseLocalTime(time),
  vehicle_state,
  event_types: [event_type],
  location: { lat: 0.5, lng: 0.5 },
})
/** Returns a vehicle that is parked on Tuesday, June 2, 2026, from one time to another. */
const makeParkedEvents = (id: string, from: string, to: string) => [
  makeEvent(id, `2026-06-02T${from}`, 'available', 'trip_end'),
  makeEvent(id, `2026-06-02T${to}`, 'on_trip', 'trip_start'),
]

function chargeEvents(
  rules: object[],
  events: { device_id: string }[],
  policy: object = {},
  overrides: object = {},
) {
  const ids = [...new Set(events.map(({ device_id: id }) => id))]
  return chargeCase(
    {
      timezone: 'America/New_York',
      currency: 'USD',
      period: { start_date: '2026-06-01', end_date: '2026-06-30' },
      mds: {
        policies: [
          {
            policy_id: 'p',
            name: 'Fees',
            start_date: parseLocalTime('2026-06-01T00:00:00'),
            currency: 'USD',
            ...policy,
            rules: rules.map((rule, index) => ({ rule_id: `r${index}`, geographies: ['downtown'], ...rule })),
          },
        ],
        geographies: [square],
        vehicles: ids.map((device_id) => ({
          device_id,
          provider_id: 'own',
          vehicle_type: 'scooter_standing',
        })),
        events,
      },
      ...overrides,
    },
    'case',
  ) as Charged
}

const inBounds = { rate_applies_when: 'in_bounds' }
const makeRate = (rate_amount: number, bounds: Partial<MdsRule>, rate_recurrence: string) => ({
  rule_type: 'time',
  rule_units: 'hours',
  states: { available: [], non_operational: [] },
  rate_amount,
  rate_recurrence,
  ...bounds,
})
const within = (recurrence: string) => [
  makeRate(200, { maximum: 1, inclusive_maximum: false, ...(inBounds as object) }, recurrence),
  makeRate(400, { minimum: 1, maximum: 2, inclusive_maximum: false, ...(inBounds as object) }, recurrence),
  makeRate(1000, { minimum: 2, ...(inBounds as object) }, recurrence),
]
const outside = (recurrence: string) => [
  makeRate(1000, { maximum: 2 }, recurrence),
  makeRate(400, { maximum: 1 }, recurrence),
  makeRate(200, { maximum: 0 }, recurrence),
]

describe('the official example of', () => {
  it('per-trip fees (1.2): 25 cents for each trip that starts', () =>
    expect(
      chargeEvents(
        [
          {
            rule_type: 'rate',
            rule_units: 'amount',
            rate_amount: 25,
            rate_recurrence: 'once',
            states: { on_trip: ['trip_start'] },
          },
        ],
        [...makeParkedEvents('a', '08:00:00', '09:00:00'), ...makeParkedEvents('a', '09:20:00', '10:00:00')],
      ),
    ).toMatchObject({
      lines: [{ description: 'Fees', quantity: '2', unit: 'matches', unit_price: '0.25' }],
      total: '0.50',
    }))
  it('right-of-way fees (1.2): 25 cents for each day on which a vehicle is there', () =>
    expect(
      chargeEvents(
        [
          {
            rule_type: 'rate',
            rule_units: 'days',
            rate_amount: 25,
            rate_recurrence: 'each_time_unit',
            states: { available: [] },
          },
        ],
        [
          makeEvent('a', '2026-06-02T23:59:00', 'available', 'on_hours'),
          makeEvent('a', '2026-06-04T00:01:00', 'removed', 'off_hours'),
          ...makeParkedEvents('b', '08:00:00', '09:00:00'),
        ],
      ),
    ).toMatchObject({ lines: [{ quantity: '4', unit: 'started days' }], total: '1.00' }))
  it('metered parking (1.2): 10 cents for each complete hour from 7:00 to 8:30 on weekdays', () =>
    expect(
      chargeEvents(
        [
          {
            rule_type: 'rate',
            rule_units: 'hours',
            rate_amount: 10,
            rate_recurrence: 'per_complete_time_unit',
            days: ['mon', 'tue', 'wed', 'thu', 'fri'],
            start_time: '07:00:00',
            end_time: '08:30:00',
            states: { available: [], non_operational: [] },
          },
        ],
        [...makeParkedEvents('a', '06:00:00', '12:00:00'), ...makeParkedEvents('b', '07:10:00', '09:00:00')],
      ).total,
    ).toBe('0.10'))
  it.each([
    ['in bounds', within, { from: '10:00:00', to: '16:30:00' }, '56.00'],
    ['out of bounds', outside, { from: '10:00:00', to: '16:30:00' }, '56.00'],
    ['in bounds, off the hour', within, { from: '10:10:00', to: '12:40:00' }, '16.00'],
    ['out of bounds, off the hour', outside, { from: '10:10:00', to: '12:40:00' }, '16.00'],
    ['in bounds, 2.5 hours', within, { from: '10:00:00', to: '12:30:00' }, '16.00'],
  ])('tiers per started hour, %s', (_name, rules, { from, to }, total) =>
    expect(chargeEvents(rules('each_time_unit'), makeParkedEvents('a', from, to)).total).toBe(total),
  )
  it.each([within, outside])('tiers per complete hour', (rules) =>
    expect(
      chargeEvents(rules('per_complete_time_unit'), makeParkedEvents('a', '10:00:00', '12:30:00')).total,
    ).toBe('6.00'),
  )
  it.each([
    ['10:40:00', '2.00'],
    ['11:30:00', '4.00'],
    ['16:30:00', '10.00'],
  ])('tiers in total: who leaves at %s pays %s', (to, total) => {
    expect(chargeEvents(outside('once_on_unmatch'), makeParkedEvents('a', '10:00:00', to)).total).toBe(total)
    expect(chargeEvents(within('once_on_unmatch'), makeParkedEvents('a', '10:00:00', to)).total).toBe(total)
  })
})

describe('rates', () => {
  const idle = makeRate(500, { maximum: 48 }, 'once_on_match')
  it('a rate is charged once when a limit is passed, by the policy then in force', () => {
    const events = makeParkedEvents('a', '10:00:00', '10:30:00').concat(
      makeEvent('a', '2026-06-02T11:00:00', 'available', 'trip_end'),
    )
    expect(chargeEvents([idle], events).total).toBe('5.00')
    expect(chargeEvents([idle], events, { end_date: parseLocalTime('2026-06-04T11:00:00') }).total).toBe(
      '0.00',
    )
    expect(chargeEvents([idle], events, { start_date: parseLocalTime('2026-06-04T11:00:00') }).total).toBe(
      '5.00',
    )
  })
  it('a negative rate is a subsidy', () =>
    expect(
      chargeEvents(
        [makeRate(-50, { ...(inBounds as object) }, 'once_on_match')],
        makeParkedEvents('a', '10:00:00', '11:00:00'),
      ),
    ).toMatchObject({ total: '-0.50' }))
  it('a prohibition’s rate is charged for each vehicle that matches no later rule', () => {
    const ban = {
      rule_type: 'count',
      maximum: 0,
      rate_amount: 2500,
      rate_recurrence: 'once_on_match',
      states: { available: [] },
    }
    const events = makeParkedEvents('a', '10:00:00', '11:00:00')
    expect(chargeEvents([ban], events).total).toBe('25.00')
    expect(chargeEvents([ban, { rule_type: 'count', states: { available: [] } }], events).total).toBe('0.00')
  })
  it('rates are charged only up to the time until which facts are known', () =>
    expect(
      chargeEvents(
        [makeRate(100, { ...(inBounds as object) }, 'each_time_unit')],
        [makeEvent('a', '2026-06-02T10:00:00', 'available', 'trip_end')],
        {},
        { now: parseLocalTime('2026-06-02T12:30:00') },
      ).total,
    ).toBe('3.00'))
  it('rates that never apply are reported in notes', () => {
    const { total, notes } = chargeEvents(
      [makeRate(100, {}, 'once_on_match'), makeRate(100, { ...(inBounds as object) }, 'once_on_match')],
      makeParkedEvents('a', '10:00:00', '11:00:00'),
    )
    expect({ total, notes }).toEqual({
      total: '1.00',
      notes: ['Policy p: Rule r0: The rate applies out of bounds, but the rule has no bounds.'],
    })
  })
  it.each<[string, object, object, RegExp]>([
    ['another currency', makeRate(1, { maximum: 1 }, 'once_on_match'), { currency: 'EUR' }, /r0: .*currency/],
    ['no recurrence', makeRate(1, { maximum: 1 }, ''), {}, /r0: .*rate_recurrence/],
    ['a limit on a fleet', { rule_type: 'count', maximum: 5, states: {} }, {}, /r0: .*which vehicles pay/],
    [
      'a count by the day',
      { rule_type: 'count', maximum: 0, states: {}, rate_amount: 1, rate_recurrence: 'each_time_unit' },
      {},
      /r0: .*rule_units/,
    ],
    [
      'a speed',
      {
        rule_type: 'speed',
        rule_units: 'mph',
        maximum: 15,
        rate_amount: 1,
        rate_recurrence: 'once_on_match',
      },
      {},
      /r0: .*type of rule/,
    ],
    ['an unknown type', { rule_type: 'distance', states: {} }, {}, /r0: .*cannot be understood/],
    [
      'a value from elsewhere',
      { rule_type: 'count', value_url: 'https://city.example', states: {} },
      {},
      /value_url/,
    ],
  ])('rates with %s are not charged', (_name, rule, policy, message) =>
    expect(() =>
      chargeEvents(
        [rule, makeRate(1, { maximum: 1 }, 'once_on_match')],
        makeParkedEvents('a', '10:00:00', '11:00:00'),
        policy,
      ),
    ).toThrow(message),
  )
})
