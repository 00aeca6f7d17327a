import { describe, expect, it, test } from 'vitest'
import { type ListedPolicy, PolicyFilter } from '#contract/policies.ts'
import { emptyPolicy, FeeProperties } from '#contract/policy.ts'
import { canonicalText } from '#server/stores/canonical-text.ts'
import { createPolicyComparator, matchesPolicyFilter } from './list-policies.ts'
import { listChanges, readRevisionState } from './list-revisions.ts'
import { readFields, toStoredFields } from './stored-fields.ts'

const policy = (overrides: Partial<ListedPolicy>): ListedPolicy => ({
  ...emptyPolicy(),
  policy_uuid: 'p',
  constant_policy_uuid: 'c',
  region_id: 'r',
  published: false,
  published_time: null,
  published_policy_uuid: null,
  created_by_email: null,
  created_time: '',
  modified_time: '2026-01-01',
  modified_by_email: null,
  status: 'saved',
  policy_name: 'Name',
  ...overrides,
})
const filter = (overrides: object = {}) => PolicyFilter.parse({ region_id: 'r', ...overrides })

describe('the library', () => {
  it.each([
    [{}, {}, true],
    [{ policy_category: 'curb' }, {}, false],
    [{}, { text: ' nAmE ' }, true],
    [{ description: 'Näher' }, { text: 'nÄh' }, true],
    [{}, { text: 'other' }, false],
    [{ policy_type: 'no_ride' }, { types: ['no_ride', 'no_parking'] }, true],
    [{ policy_type: 'slow_ride' }, { types: ['no_ride'] }, false],
    [{ status: 'saved' }, { statuses: ['published'] }, false],
    [{ status: 'saved', published_policy_uuid: 'q' }, { statuses: ['published'] }, true],
    [{ status: 'saved', published_policy_uuid: 'q' }, { statuses: ['saved'] }, true],
    [{ status: 'expired', published_policy_uuid: 'q' }, { statuses: ['published'] }, false],
    [{ operators: ['swift'] }, { operators: ['lark'] }, false],
    [{ operators: [] }, { operators: ['lark'] }, true],
    [{ operators: ['swift', 'lark'] }, { operators: ['lark'] }, true],
    [{ vehicle_types: ['car'] }, { vehicle_types: ['moped'] }, false],
    [{ vehicle_types: [] }, { vehicle_types: ['moped'] }, true],
  ] as [Partial<ListedPolicy>, object, boolean][])('%j matches %j: %s', (overrides, filterFields, isListed) =>
    expect(matchesPolicyFilter(policy(overrides), filter(filterFields))).toBe(isListed),
  )

  it('sorts by a field, policies without a value last, and equal ones by name', () => {
    const overrides = [
      policy({ policy_name: 'b', start_date: '2026-02-01' }),
      policy({ policy_name: 'a', start_date: null }),
      policy({ policy_name: 'c', start_date: '2026-01-01' }),
      policy({ policy_name: 'a2', start_date: '2026-02-01' }),
    ]
    const sorted = (sort: Parameters<typeof createPolicyComparator>[0]) =>
      [...overrides].sort(createPolicyComparator(sort)).map(({ policy_name: name }) => name)
    expect([
      sorted('start_date'),
      sorted('-start_date'),
      sorted('policy_name'),
      sorted('-policy_name'),
      sorted('status'),
    ]).toEqual([
      ['c', 'a2', 'b', 'a'],
      ['a2', 'b', 'c', 'a'],
      ['a', 'a2', 'b', 'c'],
      ['c', 'b', 'a2', 'a'],
      ['a', 'a2', 'b', 'c'],
    ])
  })
})

test('listChanges lists the fields in which revisions differ', () => {
  const before = { ...emptyPolicy(), policy_name: 'A', maximum: 4, messages: { es: 'x', 'en-US': 'y' } }
  expect(listChanges(before, { ...before, messages: { 'en-US': 'y', es: 'x' } })).toEqual([])
  expect(listChanges(before, { ...before, maximum: null, days: [1] })).toEqual([
    { field: 'maximum', before: 4, after: null },
    { field: 'days', before: [], after: [1] },
  ])
})

test('readRevisionState returns the state of a revision', () => {
  const row = { is_deleted: false, published: false, published_time: null, superseded_time: null }
  const time = new Date(0)
  expect(
    [
      row,
      { ...row, published: true, published_time: time },
      { ...row, published_time: time },
      { ...row, published_time: time, superseded_time: time },
      { ...row, published_time: time, is_deleted: true },
    ].map(readRevisionState),
  ).toEqual(['draft', 'published', 'unpublished', 'superseded', 'deleted'])
})

test('Amounts are stored in minor units of their currency, and read back exactly', () => {
  const fields = {
    ...emptyPolicy(),
    value: 1.15,
    fee_properties: FeeProperties.parse({
      prices: { all: [{ start_time: null, end_time: null, price: 0.29 }] },
      prices_by_duration: [{ start_duration: 0, end_duration: null, price: null }],
    }),
  }
  const stored = JSON.parse(toStoredFields(fields, 'USD')) as { value: number }
  expect(stored).toMatchObject({
    value: 115,
    fee_properties: { prices: { all: [{ price: 29 }] }, prices_by_duration: [{ price: null }] },
  })
  expect(readFields(stored, 'USD')).toEqual(fields)
  expect(JSON.parse(toStoredFields({ ...fields, value: 250 }, 'JPY'))).toMatchObject({ value: 250 })
})

test('Equal values have equal canonical texts', () => {
  expect(canonicalText({ b: [{ d: 1, c: null }], a: 'x' })).toBe('{"a":"x","b":[{"c":null,"d":1}]}')
  expect(canonicalText([2, 1])).not.toBe(canonicalText([1, 2]))
})
