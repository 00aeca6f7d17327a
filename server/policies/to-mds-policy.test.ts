import { describe, expect, it, test } from 'vitest'
import { policyTypes } from '#contract/policy-types/list.ts'
import { emptyPolicy, FeeProperties, type Policy } from '#contract/policy.ts'
import { loadFeedSchema } from '../../test/mds-feed-schemas.ts'
import { downgradePolicies } from './feed/downgrade-mds.ts'
import { toMdsPolicy, makePlaceholderProviderId, formatMdsText } from './to-mds-policy.ts'

const id = 'aaaaaaaa-1111-4222-8333-bbbbbbbbbbbb'
const place = 'cccccccc-0000-4000-8000-000000000001'
const published = Date.UTC(2026, 2, 2)
const publication = {
  geographies: [{ geography_id: place, name: 'North' }],
  providerIds: [id],
  currency: 'USD',
  published,
  start: published + 1_200_000,
  end: published + 9e8,
  previous: [place],
}
const policy = (overrides: Partial<Policy>): Policy => ({
  ...emptyPolicy(),
  policy_uuid: id,
  constant_policy_uuid: id,
  region_id: 'r',
  published: true,
  published_time: null,
  created_by_email: null,
  created_time: '',
  modified_time: '',
  modified_by_email: null,
  status: 'published',
  policy_name: 'P',
  ...overrides,
})
const prices = { weekday: [{ start_time: '07:00:00', end_time: '08:30:00', price: 0.1 }] }
const durations = [
  { start_duration: 0, end_duration: 60, price: 2 },
  { start_duration: 60, end_duration: null, price: 4 },
]

/** Each type, price structure and allocation, with all optional fields. */
const variants = policyTypes.flatMap(({ name }): Partial<Policy>[] => {
  const full: Partial<Policy> = {
    policy_type: name,
    value: 0.25,
    minimum: 1,
    maximum: 5,
    unit: name === 'slow_ride' ? 'mph' : 'hours',
    start_time: '22:00:00',
    end_time: '06:00:00',
    days: [1, 7],
    messages: { 'en-US': 'Hi', es: 'Hola' },
    vehicle_types: ['scooter', 'bicycle', 'delivery_robot'],
  }
  if (name === 'parking_fees')
    return (
      ['fixed_price_per_event', 'variable_price_schedule', 'variable_price_parking_duration'] as const
    ).map((type) => ({
      ...full,
      fee_properties: FeeProperties.parse({ parking_fee_type: type, prices, prices_by_duration: durations }),
    }))
  if (name === 'distribution')
    return (['vehicles_per_operator_per_shape', 'percent_vehicles_per_operator_per_shape'] as const).map(
      (allocation) => ({ ...full, allocation }),
    )
  return [full, { policy_type: name }]
})
const label = ({ policy_type: type, fee_properties: fee, allocation, days }: Partial<Policy>) =>
  [type, fee?.parking_fee_type, allocation, days ? 'filled' : 'bare'].filter(Boolean).join(' ')

describe.each(variants.map((variant) => [label(variant), variant] as const))('%s', (_, variant) => {
  it('a policy of this type is valid in the official schema of 2.0', () => {
    expect(loadFeedSchema('policy-2.0')(toMdsPolicy(policy(variant), publication))).toBeNull()
    expect(
      loadFeedSchema('policy-2.0')(
        toMdsPolicy(policy(variant), { ...publication, providerIds: [], end: null, previous: [] }),
      ),
    ).toBeNull()
  })
  it('a policy of this type is valid in the official schema of 1.2', () =>
    expect(
      loadFeedSchema('policies-1.2')(
        downgradePolicies([toMdsPolicy(policy(variant), publication)], published),
      ),
    ).toBeNull())
})

test('The schemas reject invalid policies', () => {
  const good = toMdsPolicy(policy({ policy_type: 'no_ride' }), publication)
  expect(loadFeedSchema('policy-2.0')({ ...good, provider_ids: null })).not.toBeNull()
  expect(
    loadFeedSchema('policy-2.0')({ ...good, rules: [{ ...good.rules[0], rule_units: 'minutes' }] }),
  ).not.toBeNull()
  expect(
    loadFeedSchema('policies-1.2')({ version: '1.2.0', updated: published, data: { policies: [good] } }),
  ).not.toBeNull()
})

test('An MDS policy contains vehicles, times and superseded policies', () => {
  expect(
    toMdsPolicy(policy({ policy_type: 'no_ride', description: 'First line\nsecond' }), publication),
  ).toMatchObject({
    name: 'P',
    mode_id: 'micromobility',
    policy_id: id,
    provider_ids: [id],
    description: 'First line second',
    currency: 'USD',
    start_date: published + 1_200_000,
    end_date: published + 9e8,
    published_date: published,
    prev_policies: [place],
  })
  const open = toMdsPolicy(policy({ policy_type: 'no_ride' }), {
    ...publication,
    providerIds: [],
    end: null,
    previous: [],
  })
  for (const field of ['provider_ids', 'end_date', 'prev_policies']) expect(open).not.toHaveProperty(field)
})

describe('in the format of MDS 1.2', () => {
  const earlier = (overrides: Partial<Policy>) =>
    (
      downgradePolicies([toMdsPolicy(policy(overrides), publication)], published)['data'] as {
        policies: [{ rules: Record<string, unknown>[] }]
      }
    ).policies[0]
  it('merges scooter types, turns unknown types into other, and omits modes', () => {
    expect(
      earlier({ policy_type: 'no_ride', vehicle_types: ['scooter', 'delivery_robot'] }).rules[0]?.[
        'vehicle_types'
      ],
    ).toEqual(['scooter', 'other'])
    expect(earlier({ policy_type: 'no_ride' })).not.toHaveProperty('mode_id')
  })
  it('turns states of lost vehicles into unknown, and omits stopped', () =>
    expect(Object.keys(earlier({ policy_type: 'vehicle_cap' }).rules[0]?.['states'] as object)).toEqual([
      'available',
      'non_operational',
      'reserved',
      'on_trip',
      'unknown',
    ]))
  it('turns fees into rates, except time rules for those by duration', () => {
    expect(earlier({ policy_type: 'trip_fees', value: 1 }).rules[0]).toMatchObject({
      rule_type: 'rate',
      rule_units: 'amount',
      rate_amount: 100,
    })
    const byDuration = FeeProperties.parse({
      parking_fee_type: 'variable_price_parking_duration',
      prices_by_duration: durations,
      options: { duration_mode: 'flat' },
    })
    expect(
      earlier({ policy_type: 'parking_fees', fee_properties: byDuration }).rules.map(
        (rule) => rule['rule_type'],
      ),
    ).toEqual(['time', 'time'])
  })
})

test('Texts are shortened to one line of at most 255 characters', () => {
  expect(formatMdsText('  a\n\tb ')).toBe('a b')
  expect(formatMdsText('x'.repeat(300))).toHaveLength(255)
  expect(formatMdsText('x'.repeat(255))).toBe('x'.repeat(255))
})

test('An operator without a provider id gets a stable placeholder', () => {
  expect(makePlaceholderProviderId('r', 'swift')).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
  expect(makePlaceholderProviderId('r', 'swift')).toBe(makePlaceholderProviderId('r', 'swift'))
  expect(
    new Set([
      makePlaceholderProviderId('r', 'swift'),
      makePlaceholderProviderId('r', 'lark'),
      makePlaceholderProviderId('s', 'swift'),
    ]).size,
  ).toBe(3)
})
