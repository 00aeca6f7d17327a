import { describe, expect, it } from 'vitest'
import { dayMs } from '#contract/period.ts'
import { PublicPolicies } from '#contract/public-policies.ts'
import { emptyPolicy } from '#contract/policy.ts'
import type { Region } from '#contract/regions.ts'
import type { FeedRevision, PublicFeed } from './read-feed.ts'
import { toPublicPolicies } from './public-policies.ts'

const at = new Date('2026-03-02T12:00:00Z')
const region = {
  regionId: 'alder',
  text: 'Alder',
  lat: 41,
  lon: -72,
  mapZoom: 11,
  isMetric: false,
  currencyCode: 'USD',
  timezone: 'America/New_York',
} as Region
const revision = (
  n: number,
  name: string,
  overrides: Partial<FeedRevision> = {},
  fields: object = {},
): FeedRevision => {
  const policyId = `aaaaaaaa-0000-4000-8000-00000000000${n}`
  const rules = [
    { name, rule_id: 'r', rule_type: 'count', geographies: [`g${n}`] },
    { name, rule_id: 's', rule_type: 'count', geographies: [`g${n}`] },
  ]
  return {
    policyId,
    constantPolicyId: policyId,
    from: at.getTime() - 1,
    until: null,
    fields: { ...emptyPolicy(), policy_name: name, policy_type: 'no_ride', ...fields },
    body: { name, policy_id: policyId, start_date: 0, published_date: 0, rules },
    ...overrides,
  }
}
const makeGeography = (n: number) => ({
  name: `Place ${n}`,
  geography_id: `g${n}`,
  geography_json: {
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [n, n] } }],
  },
})
const makeFeed = (...policies: FeedRevision[]): PublicFeed => ({
  lastUpdated: 0,
  policies,
  geographies: [1, 2, 3].map(makeGeography),
})
const publicPolicies = (...policies: FeedRevision[]) =>
  PublicPolicies.parse(toPublicPolicies(region, makeFeed(...policies), new Map([['swift', 'Swift']]), at))

describe('the public policies', () => {
  it('lists policies in force now or later, ordered by name, with their geographies only', () => {
    const response = publicPolicies(
      revision(1, 'Later', { from: at.getTime() + 1 }),
      revision(2, 'Now'),
      revision(3, 'Past', { until: at.getTime() }),
    )
    expect(response.policies.map(({ policy_name: name, geography_ids: ids }) => [name, ids])).toEqual([
      ['Later', ['g1']],
      ['Now', ['g2']],
    ])
    expect(response.geographies).toEqual([
      { geography_id: 'g1', name: 'Place 1', geometries: [{ type: 'Point', coordinates: [1, 1] }] },
      { geography_id: 'g2', name: 'Place 2', geometries: [{ type: 'Point', coordinates: [2, 2] }] },
    ])
    expect(response).toMatchObject({
      text: 'Alder',
      lat: 41,
      lon: -72,
      mapZoom: 11,
      isMetric: false,
      currencyCode: 'USD',
    })
  })
  it('the public policies contain the time in which they are in force', () => {
    const [policy] = publicPolicies(revision(1, 'Now', { until: at.getTime() + 60_000 })).policies
    expect(policy).toMatchObject({
      effective_from: '2026-03-02T11:59:59.999Z',
      effective_until: '2026-03-02T12:01:00.000Z',
      published_time: '1970-01-01T00:00:00.000Z',
    })
    expect(publicPolicies(revision(1, 'Now')).policies[0]?.effective_until).toBeNull()
  })
  it('the public policies include those that ended recently, but neither superseded ones nor those that ended long ago', () => {
    const end = at.getTime() - dayMs
    const ended = (n: number, name: string, ms: number, overrides: Partial<FeedRevision> = {}) =>
      revision(n, name, {
        from: 0,
        until: ms,
        body: { ...revision(n, name).body, end_date: ms },
        ...overrides,
      })
    const names = (...policies: FeedRevision[]) =>
      publicPolicies(...policies).policies.map(({ policy_name: name }) => name)
    expect(
      names(
        ended(1, 'Last week', end),
        ended(2, 'Long ago', end - 31 * dayMs),
        revision(3, 'Superseded', { from: 0, until: end }),
      ),
    ).toEqual(['Last week'])
    // The policy continues in another revision.
    expect(
      names(ended(1, 'First', end), revision(2, 'Second', { constantPolicyId: revision(1, '').policyId })),
    ).toEqual(['Second'])
  })
  it('the public policies contain the time of the last change of the feed, null if it never changed', () => {
    expect(publicPolicies().last_updated).toBeNull()
    expect(
      toPublicPolicies(region, { ...makeFeed(), lastUpdated: at.getTime() }, new Map(), at).last_updated,
    ).toBe(at.toISOString())
  })
  it('the public policies contain the rules of the feed for imported types only', () => {
    const imported = { rules: [], currency: 'EUR', provider_ids: [], places: [] }
    const [importedPolicy, createdPolicy] = publicPolicies(
      revision(1, 'A', {}, { imported_mds: imported }),
      revision(2, 'B'),
    ).policies
    expect([
      importedPolicy?.mds?.rules.map(({ geographies }) => geographies),
      importedPolicy?.mds?.currency,
      createdPolicy?.mds,
    ]).toEqual([[['g1'], ['g1']], null, null])
  })
  it('the public policies name operators, by slug if one has no name', () =>
    expect(
      publicPolicies(revision(1, 'Now', {}, { operators: ['swift', 'lark'] })).policies[0]?.operators,
    ).toEqual([
      { slug: 'swift', name: 'Swift' },
      { slug: 'lark', name: 'lark' },
    ]))
  it.each([
    [{ policy_type: 'vehicle_cap' }, true],
    [{ shape_layer_uuid: 'citywide' }, true],
    [{ shape_layer_uuid: 'aaaaaaaa-0000-4000-8000-000000000009' }, false],
  ])('%j is of the whole region: %s', (fields, isRegionWide) =>
    expect(publicPolicies(revision(1, 'Now', {}, fields)).policies[0]?.is_region_wide).toBe(isRegionWide),
  )
  it('the public policies contain nothing else', () =>
    expect(Object.keys(publicPolicies(revision(1, 'Now')).policies[0] ?? {})).not.toEqual(
      expect.arrayContaining(['created_by_email']),
    ))
})
