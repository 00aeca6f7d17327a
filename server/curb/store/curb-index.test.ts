import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CdsPolicy } from '#contract/cds.ts'
import { CurbSettings } from '#contract/curb-settings.ts'
import { CurbIndex, type IndexedZone } from './curb-index.ts'

const policy = (n: number): CdsPolicy => ({
  curb_policy_id: `p${n}`,
  published_date: 0,
  priority: n % 3,
  rules: [{ activity: 'parking', max_stay: n + 1 }],
})
const policies = new Map([0, 1, 2, 3, 4].map((n) => [`p${n}`, policy(n)]))

const span = fc.record({ from: fc.nat(9), to: fc.option(fc.nat(9), { nil: null }) })
const zoneAt = ({ from, to }: { from: number; to: number | null }, at: number): IndexedZone => ({
  id: `z${at}`,
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
const curb = fc.record({
  zones: fc.array(span, { maxLength: 5 }),
  // In the order in which the index is read, by policy. The last two ids belong to no policy and no zone.
  terms: fc.array(fc.tuple(fc.nat(5), span, fc.uniqueArray(fc.nat(5))), { maxLength: 8 }).map((terms) =>
    terms
      .toSorted(([a], [b]) => a - b)
      .map(([n, validity, zones]) => ({
        policyId: `p${n}`,
        zoneIds: zones.map((z) => `z${z}`),
        ...validity,
      })),
  ),
})
const holds = ({ from, to }: { from: number; to: number | null }, at: number): boolean =>
  from <= at && (to === null || at < to)

test('The curb index gives zones the policies of their terms in force, and zones with the same policies the same rule set', () => {
  fc.assert(
    fc.property(curb, fc.nat(10), ({ zones: spans, terms }, at) => {
      const zones = spans.map(zoneAt)
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
        .filter((zone) => holds(zone, at))
        .map(({ id }) => [
          id,
          terms
            .filter((term) => term.zoneIds.includes(id) && holds(term, at))
            .flatMap(({ policyId }) => policies.get(policyId) ?? [])
            .toSorted((a, b) => a.priority - b.priority || (a.curb_policy_id < b.curb_policy_id ? -1 : 1))
            .map((term) => term.curb_policy_id),
        ])
      expect(policyIdsByZone).toEqual(expected)
      const distinct = new Set(expected.map(([, ids]) => String(ids)))
      expect(new Set(ruleSetByZone.values()).size).toBe(distinct.size)
      expect(ruleSets.size).toBe(distinct.size)
      const history = zones.flatMap(({ id }) =>
        index
          .policyHistory(id)
          .filter((entry) => holds(entry, at))
          .map(({ policyIds }) => [id, policyIds]),
      )
      expect(history).toEqual(
        zones.flatMap(({ id }) => {
          const ids = terms
            .filter((term) => term.zoneIds.includes(id) && holds(term, at))
            .map(({ policyId }) => policyId)
          return ids.length ? [[id, ids]] : []
        }),
      )
    }),
    { numRuns: Number(process.env['CURB_INDEX_RUNS'] ?? 200) },
  )
})
