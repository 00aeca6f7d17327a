import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { CdsPolicy } from '#contract/cds.ts'
import type { CurbSettings } from '#contract/curb-settings.ts'
import type { Box, Geometry } from '#contract/place.ts'
import { geometryBounds } from '#server/geography/boundary-files/geometry-bounds.ts'
import { ComputedCache } from '#server/stores/computed-cache.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { compileRuleSet, type CompiledRuleSet } from '../rules/rule-set.ts'
import { readCurbSettings } from './curb-settings.ts'
import { labelFields, zoneLabel } from './zone-label.ts'

/** A zone in force at some time. Times are ms since 1970; `to` is null while it has no end. */
export interface IndexedZone {
  id: string
  shapeId: string
  inventoryId: string
  /** As `zoneLabel`. */
  label: string
  streetName: string
  side: string | null
  geometry: Geometry
  box: Box
  lengthCm: number
  from: number
  to: number | null
}

/** Zones with the same policies at an instant; policies are sorted by priority, the lowest number first. */
export interface ZoneRules {
  id: string
  policies: readonly CdsPolicy[]
  rules: CompiledRuleSet
}

/** The curb between two changes: what holds from `from` until before `to`. */
export interface CurbEpoch {
  from: number
  to: number | null
  zones: readonly IndexedZone[]
  /** Rule set of each zone of `zones`, by zone id. */
  ruleSetOf: ReadonlyMap<string, ZoneRules>
  ruleSets: ReadonlyMap<string, ZoneRules>
}

/** A policy and the time for which it applies in some zones. */
interface Term {
  policyId: string
  zoneIds: readonly string[]
  from: number
  to: number | null
}

const holdsAt = ({ from, to }: { from: number; to: number | null }, at: number): boolean =>
  from <= at && (to === null || at < to)

const byPriority = (a: CdsPolicy, b: CdsPolicy): number =>
  a.priority - b.priority || (a.curb_policy_id < b.curb_policy_id ? -1 : 1)

/**
 * Which terms apply to each zone. Zones with the same terms share a set, so that rules are compiled once for each of them. A set is
 * another one and a term.
 */
class TermSets {
  readonly #ofZone = new Map<string, number>()
  readonly #last: { term: Term; before: number }[] = []

  constructor(terms: readonly Term[]) {
    const known = new Map<number, number>()
    for (const [index, term] of terms.entries())
      for (const id of term.zoneIds) {
        const before = this.setOf(id)
        const key = (before + 1) * terms.length + index
        let set = known.get(key)
        if (set === undefined) {
          set = this.#last.push({ term, before }) - 1
          known.set(key, set)
        }
        this.#ofZone.set(id, set)
      }
  }

  /** Number of the set of a zone; -1 without terms. */
  setOf(zoneId: string): number {
    return this.#ofZone.get(zoneId) ?? -1
  }

  /** The terms of a set, in their order. */
  of(set: number): Term[] {
    const terms: Term[] = []
    for (let next = this.#last[set]; next; next = this.#last[next.before]) terms.push(next.term)
    return terms.reverse()
  }
}

/** All zones and policies of a region with their history, in memory; a new one is read when the version of the region's curb changes. */
export class CurbIndex {
  readonly regionId: string
  readonly version: number
  readonly zone: string
  readonly currency: string
  readonly settings: CurbSettings
  readonly policies: ReadonlyMap<string, CdsPolicy>
  /** In force or not. */
  readonly zones: readonly IndexedZone[]
  #byId: ReadonlyMap<string, IndexedZone> | null = null
  readonly #terms: TermSets
  /** Times at which something begins or ends, ascending. */
  readonly #changes: Float64Array
  readonly #epochs = new LRUCache<number, CurbEpoch>({ max: 6 })

  constructor(fields: {
    regionId: string
    version: number
    zone: string
    currency: string
    settings: CurbSettings
    zones: readonly IndexedZone[]
    policies: ReadonlyMap<string, CdsPolicy>
    /** By policy. */
    terms: readonly Term[]
  }) {
    const { regionId, version, zone, currency, settings, zones, policies, terms } = fields
    this.regionId = regionId
    this.version = version
    this.zone = zone
    this.currency = currency
    this.settings = settings
    this.policies = policies
    this.zones = zones
    this.#terms = new TermSets(terms)
    const times = new Set<number>()
    for (const { from, to } of [...zones, ...terms]) {
      times.add(from)
      if (to !== null) times.add(to)
    }
    this.#changes = Float64Array.from(times).sort()
  }

  /** A zone in force or not. */
  zoneById(id: string): IndexedZone | undefined {
    this.#byId ??= new Map(this.zones.map((zone) => [zone.id, zone]))
    return this.#byId.get(id)
  }

  /** Which policies applied in a zone and when, oldest first; `to` is null while they have no end. */
  historyOf(zoneId: string): { policyIds: string[]; from: number; to: number | null }[] {
    const terms = this.#terms.of(this.#terms.setOf(zoneId))
    const times = [...new Set(terms.flatMap(({ from, to }) => (to === null ? [from] : [from, to])))].sort(
      (a, b) => a - b,
    )
    return times.flatMap((from, index) => {
      const policyIds = terms.filter((term) => holdsAt(term, from)).map(({ policyId }) => policyId)
      return policyIds.length ? { policyIds, from, to: times[index + 1] ?? null } : []
    })
  }

  /** Zones to which each policy applies at an instant or later, their length, and how many of them without an end. */
  zoneUse(ms: number): Map<string, { zones: number; lengthM: number; openEnded: number }> {
    const use = new Map<string, { zones: number; lengthM: number; openEnded: number }>()
    for (const zone of this.zones) {
      if (zone.to !== null && zone.to <= ms) continue
      const isOpen = new Map<string, boolean>()
      for (const { policyId, from, to } of this.#terms.of(this.#terms.setOf(zone.id)))
        if (to === null || (to > ms && to > from))
          isOpen.set(policyId, isOpen.get(policyId) === true || to === null)
      for (const [policyId, open] of isOpen) {
        const known = use.get(policyId) ?? { zones: 0, lengthM: 0, openEnded: 0 }
        known.zones += 1
        known.lengthM += zone.lengthCm / 100
        known.openEnded += Number(open)
        use.set(policyId, known)
      }
    }
    return use
  }

  /** The curb as it is in force at an instant (ms). */
  at(ms: number): CurbEpoch {
    const next = firstAfter(this.#changes, ms)
    const cached = this.#epochs.get(next)
    if (cached) return cached
    const zones = this.zones.filter((zone) => holdsAt(zone, ms))
    const ruleSets = new Map<string, ZoneRules>()
    const ruleSetOf = new Map<string, ZoneRules>()
    const bySet = new Map<number, ZoneRules>()
    for (const { id } of zones) {
      const terms = this.#terms.setOf(id)
      let set = bySet.get(terms)
      if (!set) {
        const inForce = this.#terms.of(terms).filter((term) => holdsAt(term, ms))
        set = ruleSetFor(
          inForce.flatMap(({ policyId }) => this.policies.get(policyId) ?? []),
          ruleSets,
        )
        bySet.set(terms, set)
        ruleSets.set(set.id, set)
      }
      ruleSetOf.set(id, set)
    }
    const epoch: CurbEpoch = {
      from: this.#changes[next - 1] ?? -Infinity,
      to: this.#changes[next] ?? null,
      zones,
      ruleSetOf,
      ruleSets,
    }
    this.#epochs.set(next, epoch)
    return epoch
  }
}

const byTerm = (a: Term, b: Term): number =>
  a.policyId === b.policyId
    ? a.from - b.from || (a.to ?? Infinity) - (b.to ?? Infinity) || 0
    : a.policyId < b.policyId
      ? -1
      : 1

/** Position of the first value after `ms` in ascending values. */
function firstAfter(values: Float64Array, ms: number): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((values[middle] ?? Infinity) <= ms) low = middle + 1
    else high = middle
  }
  return low
}

function ruleSetFor(policies: readonly CdsPolicy[], known: ReadonlyMap<string, ZoneRules>): ZoneRules {
  const sorted = policies.toSorted(byPriority)
  const text = sorted.map(({ curb_policy_id: id }) => id).join('\n')
  const id = createHash('sha256').update(text).digest('hex').slice(0, 16)
  return known.get(id) ?? { id, policies: sorted, rules: compileRuleSet(sorted) }
}

/** Indexes of the regions that were used last. */
export class CurbIndexes {
  readonly #state: State
  readonly #indexes = new ComputedCache<CurbIndex>({ max: 8 })
  constructor(state: State) {
    this.#state = state
  }

  /** The index of a region in its present version. Throws 404 outside of the Scope. */
  async get(scope: Scope, regionId: string): Promise<CurbIndex> {
    const { timezone, currencyCode } = await findRegion(this.#state, scope, regionId)
    const { version, settings } = await readCurbSettings(this.#state.as(scope), regionId)
    const key = `${regionId} ${version} ${timezone} ${currencyCode}`
    return this.#indexes.get(key, () =>
      readIndex(this.#state, scope, { regionId, version, zone: timezone, currency: currencyCode, settings }),
    )
  }
}

type IndexHead = Pick<CurbIndex, 'regionId' | 'version' | 'zone' | 'currency' | 'settings'>

const zonesPerPage = 20_000

/** What `readZones` reads of a page: a list for each column, in the order of the zones. */
interface ZoneColumns {
  id: string[] | null
  shapeId: string[]
  inventoryId: string[]
  streetName: string[]
  side: (string | null)[]
  geometry: Geometry[]
  record: unknown[]
  lengthCm: number[]
  from: string[]
  to: (string | null)[]
}

/** Zones by id. Columns as JSON arrays: a city has 100,000 zones, and reading values one by one takes several times as long. */
async function readZones(store: Store, regionId: string): Promise<IndexedZone[]> {
  const zones: IndexedZone[] = []
  for (;;) {
    const page = await store
      .selectFrom((eb) =>
        eb
          .selectFrom('curb_zone')
          .selectAll()
          .where('region_id', '=', regionId)
          .where('curb_zone_id', '>', zones.at(-1)?.id ?? '')
          .orderBy('curb_zone_id')
          .limit(zonesPerPage)
          .as('zone'),
      )
      .select(({ fn, case: when, ref, val }) => [
        fn.agg<string[] | null>('json_agg', ['curb_zone_id']).as('id'),
        fn.agg<string[]>('json_agg', ['shape_uuid']).as('shapeId'),
        fn.agg<string[]>('json_agg', ['inventory_id']).as('inventoryId'),
        fn.agg<string[]>('json_agg', ['street_name']).as('streetName'),
        fn.agg<(string | null)[]>('json_agg', ['street_side']).as('side'),
        fn.agg<Geometry[]>('json_agg', ['geometry']).as('geometry'),
        fn
          .agg<unknown[]>('json_agg', [
            when()
              .when(fn<boolean>('jsonb_exists_any', ['record', val(labelFields)]))
              .then(ref('record'))
              .end(),
          ])
          .as('record'),
        fn.agg<number[]>('json_agg', ['length_cm']).as('lengthCm'),
        fn.agg<string[]>('json_agg', ['start_time']).as('from'),
        fn.agg<(string | null)[]>('json_agg', ['end_time']).as('to'),
      ])
      .executeTakeFirstOrThrow()
    const ids = page.id ?? []
    for (const [index, id] of ids.entries()) zones.push(zoneAt(page, id, index))
    if (ids.length < zonesPerPage) return zones
  }
}

function zoneAt(page: ZoneColumns, id: string, at: number): IndexedZone {
  const [streetName, side, to] = [page.streetName[at]!, page.side[at]!, page.to[at]!]
  const geometry = page.geometry[at]!
  return {
    id,
    shapeId: page.shapeId[at]!,
    inventoryId: page.inventoryId[at]!,
    label: zoneLabel({ id, streetName, side, record: page.record[at] }),
    streetName,
    side,
    geometry,
    box: geometryBounds([geometry]),
    lengthCm: page.lengthCm[at]!,
    from: Date.parse(page.from[at]!),
    to: to === null ? null : Date.parse(to),
  }
}

async function readIndex(state: State, scope: Scope, head: IndexHead): Promise<CurbIndex> {
  const store = state.as(scope)
  const zones = await readZones(store, head.regionId)
  const policies = await store
    .selectFrom('curb_policy')
    .select(['curb_policy_id', 'policy'])
    .where('region_id', '=', head.regionId)
    .where('status', '!=', 'saved')
    .execute()
  const terms = await store
    .selectFrom('curb_zone_policy')
    .select(['curb_policy_id', 'start_time', 'end_time'])
    .select(({ fn }) => fn.agg<string[]>('json_agg', ['curb_zone_id']).as('zone_ids'))
    .where('region_id', '=', head.regionId)
    .groupBy(['curb_policy_id', 'start_time', 'end_time'])
    .execute()
  return new CurbIndex({
    ...head,
    zones,
    policies: new Map(policies.map((row) => [row.curb_policy_id, row.policy as CdsPolicy])),
    terms: terms
      .map((row) => ({
        policyId: row.curb_policy_id,
        zoneIds: row.zone_ids,
        from: row.start_time.getTime(),
        to: row.end_time?.getTime() ?? null,
      }))
      // Here, because PostgreSQL would sort the zones for it.
      .sort(byTerm),
  })
}
