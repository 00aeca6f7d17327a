import { describe, expect, it } from 'vitest'
import { type ListedPolicy, PolicyFilter } from '#contract/policies.ts'
import { emptyPolicy } from '#contract/policy.ts'
import { createPolicyComparator, matchesPolicyFilter } from './list-policies.ts'

const makePolicy = (overrides: Partial<ListedPolicy>): ListedPolicy => ({
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

describe('list of policies', () => {
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
  ] as [Partial<ListedPolicy>, object, boolean][])(
    'policy %j, filter %j: %s',
    (overrides, filterFields, isListed) =>
      expect(matchesPolicyFilter(makePolicy(overrides), filter(filterFields))).toBe(isListed),
  )

  it('sorts by a field, policies without a value last, and equal ones by name', () => {
    const policies = [
      makePolicy({ policy_name: 'b', start_date: '2026-02-01' }),
      makePolicy({ policy_name: 'a', start_date: null }),
      makePolicy({ policy_name: 'c', start_date: '2026-01-01' }),
      makePolicy({ policy_name: 'a2', start_date: '2026-02-01' }),
    ]
    const sortNames = (sort: Parameters<typeof createPolicyComparator>[0]) =>
      [...policies].sort(createPolicyComparator(sort)).map(({ policy_name: name }) => name)
    expect([
      sortNames('start_date'),
      sortNames('-start_date'),
      sortNames('policy_name'),
      sortNames('-policy_name'),
      sortNames('status'),
    ]).toEqual([
      ['c', 'a2', 'b', 'a'],
      ['a2', 'b', 'c', 'a'],
      ['a', 'a2', 'b', 'c'],
      ['c', 'b', 'a2', 'a'],
      ['a', 'a2', 'b', 'c'],
    ])
  })
})
