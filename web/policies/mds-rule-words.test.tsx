import i18next from 'i18next'
import { beforeAll, expect, it } from 'vitest'
import { MdsPolicy } from '#contract/mds-policy.ts'
import { renderPart } from '#web/kit/test-part.tsx'
import { mdsRuleWords } from './mds-rule-words.ts'

beforeAll(async () => void (await renderPart(<p />)))

const rule = { rule_id: 'r', geographies: ['g1'] }
const formatRules = (...rules: object[]) =>
  mdsRuleWords(
    MdsPolicy.parse({
      policy_id: 'p',
      start_date: 0,
      currency: 'USD',
      rules: rules.map((overrides) => ({ ...rule, ...overrides })),
    }),
    { t: i18next.t, language: 'en-US', placeName: (id) => ({ g1: 'North', g2: 'South' })[id] ?? null },
  )

it.each([
  [{ rule_type: 'count', maximum: 0, states: { on_trip: [] } }, 'No riding. Where: North.'],
  [
    {
      rule_type: 'count',
      maximum: 0,
      states: { available: [] },
      days: ['sat', 'sun'],
      start_time: '08:00:00',
      end_time: '23:59:59',
    },
    'No parking. Where: North. When: Saturday and Sunday, From 8:00 AM.',
  ],
  [
    {
      rule_type: 'count',
      rule_units: 'devices',
      minimum: 5,
      maximum: 10,
      vehicle_types: ['scooter_standing', 'cargo_bicycle'],
    },
    'Number of vehicles: at least 5 and at most 10. Where: North. Vehicles: Standing Scooter, cargo bicycle.',
  ],
  [{ rule_type: 'speed', rule_units: 'mph', maximum: 8 }, 'Speed: at most 8 mph. Where: North.'],
  [{ rule_type: 'time', rule_units: 'hours', maximum: 2 }, 'Time: at most 2 hours. Where: North.'],
  [
    {
      name: 'Parking',
      rule_type: 'time',
      rule_units: 'hours',
      rate_amount: 125,
      rate_recurrence: 'per_complete_time_unit',
    },
    'Parking: $1.25 per full hour. Where: North.',
  ],
  [{ name: 'Preferred parking', rule_type: 'user' }, 'Preferred parking. Where: North.'],
])('says %j', (rule, text) => {
  expect(formatRules(rule)).toEqual([text])
})

it('combines rules that differ only in their places', () => {
  const cap = { rule_type: 'count', rule_units: 'devices', maximum: 5 }
  expect(formatRules(cap, { ...cap, geographies: ['g2'] }, { ...cap, maximum: 6 })).toEqual([
    'Number of vehicles: at most 5. Where: North, South.',
    'Number of vehicles: at most 6. Where: North.',
  ])
  expect(
    formatRules(...Array.from({ length: 8 }, (_, index) => ({ ...cap, geographies: [`x${index}`] }))),
  ).toEqual(['Number of vehicles: at most 5. Where: 8 places.'])
})
