import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CdsPolicy } from '#contract/cds.ts'
import { CurbSettings } from '#contract/curb-settings.ts'
import { CurbIndex, type IndexedZone } from './curb-index.ts'

const createPolicy = (number: number): CdsPolicy => ({
  curb_policy_id: `p${number}`,
  published_date: 0,
  priority: number % 3,
  rules: [{ activity: 'parking', max_stay: number + 1 }],
})
const policies = new Map([0, 1, 2, 3, 4].map((number) => [`p${number}`, createPolicy(number)]))

const anySpan = fc.record({ from: fc.nat(9), to: fc.option(fc.nat(9), { nil: null }) })
const createZone = ({ from, to }: { from: number; to: number | null }, number: number): IndexedZone => ({
  id: `z${number}`,
  shapeId: '',
  inventoryId: '',
  label: '',
  streetName: '',
  side: null,
  geometry: { type: 'Point', coordinates: [0, 0] },
  box: [0, 0, 0, 0],
  lengthCm: 100,
  from,
  to,
})
const anyCurb = fc.record({
  zones: fc.array(anySpan, { maxLength: 5 }),
  // In the order in which the index is read, by policy. The last two ids belong to no policy and no zone.
  terms: fc.array(fc.tuple(fc.nat(5), anySpan, fc.uniqueArray(fc.nat(5))), { maxLength: 8 }).map((terms) =>
    terms
      .toSorted(([a], [b]) => a - b)
      .map(([number, span, zoneNumbers]) => ({
        policyId: `p${number}`,
        zoneIds: zoneNumbers.map((zoneNumber) => `z${zoneNumber}`),
        ...span,
      })),
  ),
})
const isCurrent = ({ from, to }: { from: number; to: number | null }, at: number): boolean =>
  from <= at && (to === null || at < to)

test('The curb index gives zones the policies of their current terms, and zones with the same policies the same rule set', () => {
  fc.assert(
    fc.property(anyCurb, fc.nat(10), ({ zones: spans, terms }, at) => {
      const zones = spans.map(createZone)
      const index = new CurbIndex({
        regionId: 'r',
        version: 1,
        timezone: 'UTC',
        currency: 'USD',
        settings: CurbSettings.parse({}),
        zones,
        policies,
        terms,
      })
      const { ruleSetByZone, ruleSets } = index.at(at)
      const policyIdsByZone = [...ruleSetByZone].map(([id, set]) => [
        id,
        set.policies.map((policy) => policy.curb_policy_id),
      ])
      const expected = zones
        .filter((zone) => isCurrent(zone, at))
        .map(({ id }) => [
          id,
          terms
            .filter((term) => term.zoneIds.includes(id) && isCurrent(term, at))
            .flatMap(({ policyId }) => policies.get(policyId) ?? [])
            .toSorted((a, b) => a.priority - b.priority || (a.curb_policy_id < b.curb_policy_id ? -1 : 1))
            .map((term) => term.curb_policy_id),
        ])
      expect(policyIdsByZone).toEqual(expected)
      const policySets = new Set(expected.map(([, ids]) => String(ids)))
      expect(new Set(ruleSetByZone.values()).size).toBe(policySets.size)
      expect(ruleSets.size).toBe(policySets.size)
      const history = zones.flatMap(({ id }) =>
        index
          .getPolicyHistory(id)
          .filter((entry) => isCurrent(entry, at))
          .map(({ policyIds }) => [id, policyIds]),
      )
      expect(history).toEqual(
        zones.flatMap(({ id }) => {
          const ids = terms
            .filter((term) => term.zoneIds.includes(id) && isCurrent(term, at))
            .map(({ policyId }) => policyId)
          return ids.length ? [[id, ids]] : []
        }),
      )
    }),
    { numRuns: Number(process.env['CURB_INDEX_RUNS'] ?? 200) },
  )
})
