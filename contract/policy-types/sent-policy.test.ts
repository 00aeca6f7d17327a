import { describe, expect, it, test } from 'vitest'
import { emptyPolicy, FeeProperties, type PolicyFields } from '#contract/policy.ts'
import { endDateFrom, isOvernight, sentEndTime, sentStartTime, displayEndTime } from './policy-times.ts'
import { sentPolicy } from './sent-policy.ts'

const sendPolicy = (name: string, overrides: Partial<PolicyFields> = {}) =>
  sentPolicy({ ...emptyPolicy(), policy_type: name, ...overrides })

test('sentPolicy sends a minimum only for counts and only above 0', () => {
  expect([
    sendPolicy('vehicle_cap', { minimum: 0 }).minimum,
    sendPolicy('vehicle_cap', { minimum: 2 }).minimum,
    sendPolicy('no_ride', { minimum: 2 }).minimum,
    sendPolicy('slow_ride', { minimum: 2, unit: 'mph' }).minimum,
  ]).toEqual([null, 2, null, null])
})

test('sentPolicy sends the percentage of preferred parking', () =>
  expect(sendPolicy('preferred_parking', { minimum: 80, maximum: 90 })).toMatchObject({
    minimum: 80,
    maximum: null,
  }))

test('sentPolicy sends a maximum for counts or if there is a unit', () => {
  expect([
    sendPolicy('vehicle_cap', { maximum: 0 }).maximum,
    sendPolicy('slow_ride', { maximum: 15, unit: 'mph' }).maximum,
    sendPolicy('slow_ride', { maximum: 15 }).maximum,
    sendPolicy('no_ride', { maximum: 15, unit: 'mph' }).maximum,
  ]).toEqual([0, 15, null, null])
})

test('sentPolicy omits fields that the type does not offer', () => {
  const layer = 'aaaaaaaa-0000-4000-8000-000000000001'
  const everything: Partial<PolicyFields> = {
    shape_layer_uuid: layer,
    shape_uuids: [layer, layer],
    messages: { 'en-US': 'Hi', es: ' ' },
    days: [3, 1, 1],
    start_time: '07:00:00',
    value: 2,
    allocation: 'vehicles_per_operator_per_shape',
    vehicle_states: ['available'],
  }
  expect(sendPolicy('trip_fees', everything)).toMatchObject({
    shape_layer_uuid: null,
    shape_uuids: [],
    messages: {},
    days: [],
    start_time: null,
    value: 2,
    allocation: null,
    vehicle_states: null,
  })
  expect(sendPolicy('no_ride', everything)).toMatchObject({
    shape_layer_uuid: layer,
    shape_uuids: [layer],
    messages: { 'en-US': 'Hi' },
    days: [1, 3],
    start_time: '07:00:00',
    value: null,
  })
  expect(sendPolicy('no_ride', { ...everything, shape_layer_uuid: 'citywide' })).toMatchObject({
    shape_layer_uuid: 'citywide',
    shape_uuids: [],
  })
})

test('sentPolicy sends only the price table of the price structure', () => {
  const fee_properties = FeeProperties.parse({
    parking_fee_type: 'variable_price_schedule',
    vehicle_count_method: 'avg',
    prices: { all: [{ start_time: '00:00:00', end_time: '23:59:59', price: 1 }] },
    prices_by_duration: [{ start_duration: 0, end_duration: null, price: 1 }],
  })
  expect(sendPolicy('parking_fees', { fee_properties, value: 3 })).toMatchObject({
    value: null,
    fee_properties: {
      vehicle_count_method: null,
      prices: { all: [{ start_time: null, end_time: null, price: 1 }] },
      prices_by_duration: [],
    },
  })
})

test('sentPolicy does not change a policy of an unknown type', () => {
  const imported = { ...emptyPolicy(), policy_type: 'congestion', minimum: 0, messages: { en: 'x' } }
  expect(sentPolicy(imported)).toEqual(imported)
})

describe('times', () => {
  it('times at midnight are sent as null, and the last second of a day is shown as midnight', () => {
    expect([
      sentStartTime('00:00:00'),
      sentEndTime('00:00:00'),
      sentEndTime('23:59:59'),
      sentStartTime('23:59:59'),
      sentEndTime('06:00:00'),
    ]).toEqual([null, null, null, '23:59:59', '06:00:00'])
    expect([displayEndTime('23:59:59'), displayEndTime(null), displayEndTime('22:00:00')]).toEqual([
      '00:00:00',
      '00:00:00',
      '22:00:00',
    ])
  })
  it.each([
    ['22:00:00', '06:00:00', true],
    ['22:00:00', null, false],
    ['22:00:00', '23:59:59', false],
    [null, '06:00:00', false],
    ['06:00:00', '22:00:00', false],
    ['22:00:00', '00:00:00', false],
  ])('a window from %s to %s is overnight: %s', (start, end, overnight) =>
    expect(isOvernight(start, end)).toBe(overnight),
  )
  it('a policy is sent without days if all seven are selected', () =>
    expect(sendPolicy('no_ride', { days: [7, 1, 2, 3, 4, 5, 6] }).days).toEqual([]))
})

test('The end date is moved to the start if it is earlier', () => {
  expect([
    endDateFrom('2026-05-02', '2026-05-01'),
    endDateFrom('2026-05-02', '2026-05-03'),
    endDateFrom(null, '2026-05-01'),
    endDateFrom('2026-05-02', null),
  ]).toEqual(['2026-05-02', '2026-05-03', '2026-05-01', null])
  expect(sendPolicy('no_ride', { start_date: '2026-05-02', end_date: '2026-05-01' }).end_date).toBe(
    '2026-05-02',
  )
})
