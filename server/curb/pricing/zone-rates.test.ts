import { describe, expect, it, test } from 'vitest'
import { startOfDay } from '#contract/civil-clock.ts'
import type { CdsPolicy, CdsRate, CdsRule } from '#contract/cds.ts'
import { pricingPresets } from '#contract/curb-pricing-presets.ts'
import { CurbSettings } from '#contract/curb-settings.ts'
import { CurbIndex } from '../store/curb-index.ts'
import { listCells, getHourlyRate, createRateLines, ZoneRates } from './zone-rates.ts'

const createRule = (rate: CdsRate[], overrides: Partial<CdsRule> = {}): CdsRule => ({
  activity: 'parking',
  rate,
  ...overrides,
})
const hourly = (rate: number, overrides: Partial<CdsRate> = {}): CdsRate => ({
  rate,
  rate_unit: 'hour',
  ...overrides,
})

describe('getHourlyRate', () => {
  it.each([
    ['one rate', createRule([hourly(200)]), { rate: 200 }],
    ['by the minute', createRule([{ rate: 4, rate_unit: 'minute' }]), { rate: 240 }],
    [
      'the same for each part of the stay',
      createRule([hourly(200, { end_duration: 1 }), hourly(200, { start_duration: 1 })]),
      { rate: 200 },
    ],
    [
      'until the maximum stay',
      createRule([hourly(200, { end_duration: 2 })], { max_stay: 2, max_stay_unit: 'hour' }),
      { rate: 200 },
    ],
    ['no fee', createRule([hourly(0)]), 'none'],
    [
      'more expensive after an hour',
      createRule([hourly(200, { end_duration: 1 }), hourly(300, { start_duration: 1 })]),
      { refusal: 'mixed_rates' },
    ],
    [
      'a gap in the schedule',
      createRule([hourly(200, { end_duration: 1 }), hourly(200, { start_duration: 2 })]),
      { refusal: 'rate_gap' },
    ],
    [
      'an end without a maximum stay',
      createRule([hourly(200, { end_duration: 2 })]),
      { refusal: 'rate_gap' },
    ],
    ['by the day', createRule([{ rate: 1500, rate_unit: 'day' }]), { refusal: 'not_hourly' }],
    ['flat', createRule([hourly(500)], { rate_application_type: 'flat' }), { refusal: 'not_hourly' }],
  ])('%s', (_name, rule, expected) => {
    expect(getHourlyRate(rule)).toEqual(expected)
  })
})

const timezone = 'America/Los_Angeles'
const policy = (
  id: string,
  rate: number,
  [start, end]: readonly [start: string, end: string],
  overrides: Partial<CdsPolicy> = {},
): CdsPolicy => ({
  curb_policy_id: id,
  published_date: 0,
  priority: 80,
  rules: [createRule([hourly(rate)])],
  time_spans: [
    {
      days_of_week: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
      time_of_day_start: start,
      time_of_day_end: end,
    },
  ],
  ...overrides,
})
const daytime = policy('daytime', 200, ['09:00', '18:00'])
const morning = policy('morning', 150, ['09:00', '12:00'], { priority: 70 })
const ban = policy('ban', 0, ['16:00', '18:00'], { priority: 10, rules: [{ activity: 'no stopping' }] })
const instants = {
  start: startOfDay('2026-01-01', timezone),
  policiesAdded: startOfDay('2026-02-01', timezone),
  evaluated: startOfDay('2026-03-02', timezone),
}

/** One zone with the policy `daytime`; `morning` and `ban` apply from February on. */
const index = new CurbIndex({
  regionId: 'test',
  version: 1,
  timezone,
  currency: 'USD',
  settings: CurbSettings.parse({}),
  zones: [
    {
      id: 'z',
      shapeId: 'z',
      inventoryId: '',
      label: 'Main St',
      streetName: 'Main St',
      side: 'N',
      geometry: { type: 'Point', coordinates: [0, 0] },
      box: [0, 0, 0, 0],
      lengthCm: 6000,
      from: instants.start,
      to: null,
    },
  ],
  policies: new Map([daytime, morning, ban].map((policy) => [policy.curb_policy_id, policy])),
  terms: [
    { zoneIds: ['z'], policyId: 'daytime', from: instants.start, to: null },
    { zoneIds: ['z'], policyId: 'morning', from: instants.policiesAdded, to: null },
    { zoneIds: ['z'], policyId: 'ban', from: instants.policiesAdded, to: null },
  ],
})
const { bands, day_types: dayTypes } = pricingPresets[0]!.fields
const rates = new ZoneRates(index, listCells(bands, dayTypes))

describe('ZoneRates', () => {
  it('returns the rates of the rules that decide, with the paid minutes of a week', () => {
    const bandRates = rates.getRates([daytime, morning, ban], instants.evaluated)
    expect(Object.fromEntries(bandRates)).toEqual({
      'morning weekday': { rate: 150, refusal: null, paidMinutes: 5 * 180 },
      'morning weekend': { rate: 150, refusal: null, paidMinutes: 180 },
      'midday weekday': { rate: 200, refusal: null, paidMinutes: 5 * 180 },
      'midday weekend': { rate: 200, refusal: null, paidMinutes: 180 },
      'afternoon weekday': { rate: 200, refusal: null, paidMinutes: 5 * 60 },
      'afternoon weekend': { rate: 200, refusal: null, paidMinutes: 60 },
    })
  })

  it('returns a refusal if several rates apply within a band', () => {
    const lunch = policy('lunch', 300, ['14:00', '16:00'], { priority: 60 })
    const bandRates = rates.getRates([daytime, lunch], instants.evaluated)
    expect(bandRates.get('midday weekday')).toMatchObject({ rate: null, refusal: 'mixed_rates' })
    expect(bandRates.get('morning weekday')).toMatchObject({ rate: 200 })
  })

  it('returns the day of the last change of rates, or null if it is unknown', () => {
    const changes = rates.findLastChanges('z', instants.evaluated)
    expect(changes.get('morning weekday')).toBe('2026-02-01')
    expect(changes.get('midday weekday')).toBeNull()
    expect(rates.findLastChanges('z', startOfDay('2026-01-15', timezone)).get('morning weekday')).toBeNull()
  })
})

test('createRateLines returns the lines of a rate table', () => {
  expect(createRateLines([daytime, morning, ban], timezone, '2026-03-02')).toEqual([
    { days: [1, 2, 3, 4, 5, 6], from: '09:00', until: '12:00', rate: 150 },
    { days: [1, 2, 3, 4, 5, 6], from: '12:00', until: '16:00', rate: 200 },
  ])
})
