import { beforeAll, describe, expect, it } from 'vitest'
import { policyTypes } from '#contract/policy-types/list.ts'
import { faultTexts } from '#contract/policy-types/policy-type.ts'
import { policyTexts } from '#contract/policy-texts.ts'
import { FeeProperties } from '#contract/policy.ts'
import { layerId } from '#web/map-page/test-geography.ts'
import { renderPart } from '#web/kit/test-part.tsx'
import { formatField } from './field-text.ts'
import { testFields, testTextContext } from './test-policy.ts'
import texts from './policies.en.json' with { type: 'json' }
import { ruleWords } from './rule-words.ts'

beforeAll(async () => void (await renderPart(<p />)))

const shape = '8f14e45f-ceea-467f-a0e6-7a1d2b3c4d51'
const wordsFor = (overrides: Parameters<typeof testFields>[0]) =>
  ruleWords(testFields({ shape_layer_uuid: layerId, ...overrides }), testTextContext())

describe('a policy in words', () => {
  it('a policy in words has a sentence for every type', () => {
    for (const { name } of policyTypes) expect(wordsFor({ policy_type: name })[0]).toMatch(/^[A-Z].*\.$/)
    expect(wordsFor({ policy_type: 'made_elsewhere' })[0]).toBe('Imported rules in all areas of Wards.')
  })

  it.each([
    [{ policy_type: 'no_ride', shape_uuids: [shape] }, 'No riding in 1 area of Wards.'],
    [{ policy_type: 'no_parking', shape_layer_uuid: 'citywide' as const }, 'No parking in the whole region.'],
    [
      { policy_type: 'parking_time_limit', unit: 'hours' as const, maximum: 1 },
      'Parking for at most 1 hour in all areas of Wards.',
    ],
    [
      { policy_type: 'vehicle_cap', minimum: 200, maximum: 1200 },
      'Each operator has at least 200 and at most 1,200 vehicles in the whole region.',
    ],
    [
      {
        policy_type: 'distribution',
        allocation: 'percent_vehicles_per_operator_per_shape' as const,
        minimum: 20,
      },
      'Each operator has at least 20% of its vehicles in each area (all areas of Wards).',
    ],
    [
      { policy_type: 'slow_ride', unit: 'mph' as const, maximum: 8 },
      'No riding faster than 8 mph in all areas of Wards.',
    ],
    [
      { policy_type: 'utilization', maximum: 9 },
      'Vehicles of each operator make at most 9 trips per day on average.',
    ],
    [{ policy_type: 'trip_fees', value: 0.25 }, 'Operators pay $0.25 for each trip.'],
  ])('says %j', (part, words) => {
    expect(wordsFor(part)[0]).toBe(words)
  })

  it('continues with days, times and operators', () => {
    const lines = wordsFor({
      start_time: '22:00:00',
      end_time: '06:00:00',
      days: [5, 6],
      operators: ['glide'],
      vehicle_types: ['moped'],
      propulsion_types: ['electric'],
    })
    expect(lines.slice(1)).toEqual([
      'Applies Fri 10:00 PM–Sat 6:00 AM, Sat 10:00 PM–Sun 6:00 AM.',
      'Only for GLIDE.',
      'Only for these vehicle types: Moped.',
      'Only with this propulsion: Electric.',
    ])
    expect(
      wordsFor({ policy_type: 'vehicle_cap', vehicle_states: ['available', 'reserved', 'on_trip'] }).at(-1),
    ).toBe('Counts vehicles in these states: Operational.')
    expect(wordsFor({ days: [6, 7], start_time: null, end_time: null }).at(-1)).toBe(
      'Applies Saturday and Sunday.',
    )
    expect(wordsFor({ start_time: '08:00:00' }).at(-1)).toBe('Applies every day, 8:00 AM – 12:00 AM.')
    expect(wordsFor({ start_time: '22:00:00', end_time: '04:00:00' }).at(-1)).toBe(
      'Applies every day, 10:00 PM to 4:00 AM the next day.',
    )
  })

  it('lists each row of a price table', () => {
    const fee = FeeProperties.parse({
      parking_fee_type: 'variable_price_schedule',
      prices: { weekday: [{ start_time: null, end_time: '08:00:00', price: 1.5 }] },
      prices_by_duration: [
        { start_duration: 0, end_duration: 30, price: 0 },
        { start_duration: 30, end_duration: 120, price: 2 },
        { start_duration: 120, end_duration: 1440, price: 3 },
        { start_duration: 1440, end_duration: null, price: 4 },
      ],
    })
    expect(wordsFor({ policy_type: 'parking_fees', fee_properties: fee }).slice(1)).toEqual([
      'Monday to Friday, Until 8:00 AM: $1.50 per hour',
      '0 to 30 minutes: $0.00',
      '30 to 120 minutes: $2.00 per hour',
      '2 to 24 hours: $3.00 per hour',
      '24 hours or longer: $4.00 per hour',
    ])
  })
})

describe('a field in words', () => {
  it.each([
    ['policy_type', 'no_ride', 'No ride'],
    ['shape_layer_uuid', layerId, 'All areas of Wards'],
    ['shape_uuids', [shape], '1 area'],
    ['shape_uuids', [], 'All areas'],
    ['operators', ['glide'], 'GLIDE'],
    ['operators', [], 'All operators'],
    ['end_time', '23:59:59', 'All Day'],
    ['end_time', null, 'None'],
    ['days', [1, 2, 3, 4, 5], 'Monday to Friday'],
    ['start_date', '2026-06-01', 'Jun 1, 2026'],
    ['value', 1.5, '$1.50'],
    ['messages', { es: 'Hola' }, 'es: Hola'],
    ['maximum', 12, '12'],
    ['description', null, 'None'],
    ['vehicle_states', null, 'All'],
    ['curb_metadata', { away_time: 3 }, '{"away_time":3}'],
  ])('%s %j', (field, value, text) => {
    expect(formatField(field, value, testTextContext())).toBe(text)
  })
})

describe('texts defined elsewhere', () => {
  it('texts defined elsewhere exist for all values of the contract', () => {
    const { required_silently: _silent, ...spoken } = faultTexts
    expect(texts.fault).toEqual(spoken)
    expect([
      texts.notice.expired.text,
      texts.notice.deleting.text,
      texts.notice.modifying.text,
      texts.notice.unsaved.text,
      texts.notice.saving.text,
      texts.unresolved,
    ]).toEqual([
      policyTexts.expired,
      policyTexts.cannotDelete,
      policyTexts.cannotModify,
      policyTexts.unsaved,
      policyTexts.cannotSave,
      policyTexts.unresolved,
    ])
  })
})
