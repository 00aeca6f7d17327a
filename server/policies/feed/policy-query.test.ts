import { describe, expect, it } from 'vitest'
import { parsePolicyQuery, type PoliciesFilter, matchesFilter } from './policy-query.ts'
import { negotiateVersion, getMediaType } from './negotiate-version.ts'

const at = new Date(1000)
const parse = (query: Parameters<typeof parsePolicyQuery>[0]): PoliciesFilter => {
  const result = parsePolicyQuery(query, at)
  if (typeof result === 'string') throw new Error(result)
  return result
}
const past = { policyId: 'past', from: 0, until: 1000 }
const now = { policyId: 'now', from: 500, until: 1500 }
const open = { policyId: 'open', from: 1000, until: null }
const next = { policyId: 'next', from: 2000, until: 3000 }
const all = [past, now, open, next]
const findPolicies = (query: Parameters<typeof parsePolicyQuery>[0]) =>
  all.filter((policy) => matchesFilter(policy, parse(query), at)).map(({ policyId }) => policyId)

describe('the policies feed', () => {
  it('contains policies in force now or later', () =>
    expect(findPolicies({})).toEqual(['now', 'open', 'next']))
  it('contains policies that overlap a range of time', () => {
    expect(findPolicies({ start_date: '0' })).toEqual(['past', 'now', 'open', 'next'])
    expect(findPolicies({ start_date: '0', end_date: '500' })).toEqual(['past', 'now'])
    expect(findPolicies({ start_date: '0', end_date: '499' })).toEqual(['past'])
    expect(findPolicies({ start_date: '3000' })).toEqual(['open'])
  })
  it('contains only policies in force now if active ones are requested', () => {
    expect(findPolicies({ active_only: 'true' })).toEqual(['now', 'open'])
    expect(findPolicies({ active_only: 'false' })).toEqual(['now', 'open', 'next'])
    expect(findPolicies({ active_only: 'true', start_date: '0' })).toEqual(['now', 'open'])
  })
  it('the policies feed never contains a policy that was superseded before it began', () =>
    expect([
      matchesFilter({ policyId: 'x', from: 3000, until: 2000 }, parse({}), at),
      matchesFilter({ policyId: 'x', from: 3000, until: 3000 }, parse({}), at),
    ]).toEqual([false, false]))
  it('contains a policy requested by id, even if it is not in force', () =>
    expect([
      findPolicies({ policy_id: 'past' }),
      findPolicies({ policy_id: 'none' }),
      findPolicies({ policy_id: 'past', start_date: '1000' }),
    ]).toEqual([['past'], [], []]))
  it('contains only the time of its last change if that is requested', () =>
    expect(
      [
        parse({ last_updated: 'true' }),
        parse({ last_updated: '1700000000000' }),
        parse({}),
        parse({ last_updated: 'false' }),
      ].map(({ onlyLastUpdated }) => onlyLastUpdated),
    ).toEqual([true, true, false, false]))
  it.each([
    { start_date: 'today' },
    { start_date: '-1' },
    { end_date: '1.5' },
    { start_date: '2', end_date: '1' },
  ])('refuses %j', (query) =>
    expect(parsePolicyQuery(query, at)).toEqual(expect.stringContaining('_date must')),
  )
})

describe('the version', () => {
  it.each([
    [null, '2.0'],
    ['*/*', '2.0'],
    ['application/json', '2.0'],
    ['application/vnd.mds+json;version=2.0', '2.0'],
    ['application/vnd.mds+json; version="1.2"', '1.2'],
    ['application/vnd.mds+json;version=3.0, application/vnd.mds+json;version=1.2', '1.2'],
    ['application/vnd.mds+json;version=2.0.1', null],
    ['application/vnd.mds+json;version=0.4', null],
  ])('the version of %j is %s', (accept, version) => expect(negotiateVersion(accept)).toBe(version))
  it('the version is in the media type', () =>
    expect(getMediaType('1.2')).toBe('application/vnd.mds+json;version=1.2'))
})
