import { describe, expect, it } from 'vitest'
import type { MdsRule } from '#contract/mds-policy.ts'
import { laterWords } from './later-words.ts'
import { sameRules } from './same-rules.ts'

const rule: MdsRule = {
  name: 'A',
  rule_id: 'a',
  rule_type: 'count',
  geographies: ['g1', 'g2'],
  states: { available: ['trip_end', 'located'], reserved: [] },
  maximum: 5,
  days: ['sat', 'sun'],
  vehicle_types: ['car', 'moped'],
}

describe('two rules ask the same', () => {
  const same: [string, Partial<MdsRule>][] = [
    ['by other names', { name: 'B', rule_id: 'b' }],
    ['with the unit written out', { rule_units: 'devices' }],
    [
      'in another order',
      {
        geographies: ['g2', 'g1'],
        days: ['sun', 'sat'],
        vehicle_types: ['moped', 'car'],
        states: { reserved: [], available: ['located', 'trip_end'] },
      },
    ],
    ['with the least of nothing', { minimum: 0 }],
    ['with bounds written out', { inclusive_minimum: true, inclusive_maximum: true }],
    ['with all the day', { start_time: '00:00', end_time: '24:00' }],
    ['up to its last second', { end_time: '23:59:59' }],
    [
      'with nulls',
      { minimum: null, rate_amount: null, propulsion_types: null, messages: null, value_url: null },
    ],
    ['with empty lists', { propulsion_types: [], accessibility_options: [], messages: {} }],
  ]
  it.each(same)('%s', (_, part) => expect(sameRules([rule], [{ ...rule, ...part }])).toBe(true))

  const other: [string, Partial<MdsRule>][] = [
    ['another number', { maximum: 6 }],
    ['another unit', { rule_units: 'hours' }],
    ['another state', { states: { available: [] } }],
    ['all states', { states: {} }],
    ['another place', { geographies: ['g1'] }],
    ['another day', { days: ['sat'] }],
    ['every day', { days: [] }],
    ['a time', { start_time: '06:00' }],
    ['an open bound', { inclusive_maximum: false }],
    ['a fine', { rate_amount: 1 }],
    ['a message', { messages: { en: 'x' } }],
  ]
  it.each(other)('but not with %s', (_, part) =>
    expect(sameRules([rule], [{ ...rule, ...part }])).toBe(false),
  )

  it('as lists: each as often, in whatever order', () => {
    const more = { ...rule, maximum: 9 }
    expect(sameRules([rule, more], [more, rule])).toBe(true)
    expect(sameRules([rule, rule], [rule, more])).toBe(false)
    expect(sameRules([rule], [rule, rule])).toBe(false)
  })
})

describe('words of 1.2', () => {
  const later = (part: object) => (laterWords({ rules: [part] }) as { rules: unknown[] }).rules[0]
  it('are those of 2.0: fees, states, scooters', () => {
    expect(later({ rule_type: 'rate', rule_units: 'amount', rate_recurrence: 'once' })).toEqual({
      rule_type: 'count',
      rule_units: 'devices',
      rate_applies_when: 'in_bounds',
      rate_recurrence: 'once_on_match',
    })
    expect(later({ rule_type: 'rate', rule_units: 'hours' })).toMatchObject({
      rule_type: 'time',
      rule_units: 'hours',
    })
    expect(
      later({
        vehicle_types: ['bicycle', 'scooter', 'scooter_seated'],
        states: { unknown: [], on_trip: [] },
      }),
    ).toEqual({
      vehicle_types: ['bicycle', 'scooter_standing', 'scooter_seated'],
      states: { non_contactable: [], on_trip: [] },
    })
  })

  it('leave what is of 2.0, or nothing at all, as it was', () => {
    for (const raw of [
      { rules: [{ rule_type: 'speed', rule_units: 'mph', states: { on_trip: [] } }] },
      { rules: 'x' },
      { rules: [null, 3] },
      null,
      7,
      'x',
      [],
    ])
      expect(laterWords(raw)).toEqual(raw)
  })
})
