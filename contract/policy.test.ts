import { describe, expect, it, test } from 'vitest'
import { PolicyFilter, PolicyToSave } from './policies.ts'
import { copyPolicy, emptyPolicy, PolicyFields, getPolicyStatus, vehicleStateGroups } from './policy.ts'

describe('the status of a policy', () => {
  it.each([
    [{ end_date: '2026-05-01', published: true }, 'expired'],
    [{ end_date: '2026-05-01', published: false }, 'expired'],
    [{ end_date: '2026-05-02', published: true }, 'published'],
    [{ end_date: null, published: true }, 'published'],
    [{ end_date: null, published: false }, 'saved'],
  ] as const)('the status of %j is %s: the end day is included', (policy, status) =>
    expect(getPolicyStatus(policy, '2026-05-02')).toBe(status),
  )
})

test('A copy has a marked name and no ids or publication', () => {
  const published = {
    ...emptyPolicy(),
    policy_name: 'Cap',
    policy_uuid: 'x',
    constant_policy_uuid: 'y',
    published: true,
    imported_source: 'https://city.example',
  }
  const copy = copyPolicy(published)
  expect(copy).toMatchObject({ policy_name: 'Cap (copy)', imported_source: null })
  for (const field of ['policy_uuid', 'constant_policy_uuid', 'published'])
    expect(copy).not.toHaveProperty(field)
  expect(copyPolicy({ ...published, policy_name: 'n'.repeat(255) }).policy_name).toHaveLength(255)
})

test('The groups of vehicle states match the specification', () =>
  expect(vehicleStateGroups).toEqual({
    all: null,
    operational: ['available', 'reserved', 'on_trip'],
    non_operational: ['non_operational'],
  }))

describe('requests', () => {
  it('requests for the policy library have default filters', () => {
    expect(PolicyFilter.parse({ region_id: 'r' })).toEqual({
      region_id: 'r',
      policy_category: 'mobility',
      text: '',
      types: [],
      statuses: [],
      operators: [],
      vehicle_types: [],
      sort: 'policy_name',
      page: 1,
      size: 300,
    })
    for (const invalid of [
      { statuses: ['gone'] },
      { sort: 'colour' },
      { size: 1001 },
      { vehicle_types: ['boat'] },
    ])
      expect(PolicyFilter.safeParse({ region_id: 'r', ...invalid }).success).toBe(false)
  })
  it('requests to save a policy ignore fields that are not editable', () => {
    const saved = PolicyToSave.parse({ region_id: 'r', policy_name: ' Cap ', published: true, token: 't' })
    expect(saved).toMatchObject({ policy_name: 'Cap', policy_category: 'mobility', minimum: null, days: [] })
    expect(saved).not.toHaveProperty('published')
  })
  it.each([
    { start_time: '7:00' },
    { end_time: '24:00:00' },
    { days: [0] },
    { days: [8] },
    { vehicle_states: [] },
    { unit: 'weeks' },
    { start_date: '2026-02-30' },
    { messages: { english: 1 } },
    { messages: { 'not a locale': 'x' } },
    { value: -1 },
    { shape_layer_uuid: 'region' },
    { fee_properties: { prices: { holiday: [] } } },
  ])('requests refuse %j', (invalid) => expect(PolicyFields.safeParse(invalid).success).toBe(false))
  it('requests accept the whole region as a geography', () =>
    expect(PolicyFields.parse({ shape_layer_uuid: 'citywide' }).shape_layer_uuid).toBe('citywide'))
})
