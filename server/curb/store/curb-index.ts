import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { CdsPolicy } from '#contract/cds.ts'
import type { CurbSettings } from '#contract/curb-settings.ts'
import type { Box, Geometry } from '#contract/place.ts'
import { computeBounds } from '#server/geography/boundary-files/geometry-bounds.ts'
import { ComputedCache } from '#server/stores/computed-cache.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { compileRuleSet, type CompiledRuleSet } from '../rules/rule-set.ts'
import { readCurbSettings } from './curb-settings.ts'
import { labelFields, makeZoneLabel } from './zone-label.ts'

/** A current or past zone. Times are ms since 1970. `to` is null if it has no end. */
export interface IndexedZone {
  id: string
  shapeId: string
  inventoryId: string
  /** The name of the zone (`makeZoneLabel`). */
  label: string
  streetName: string
  side: string | null
  geometry: Geometry
  box: Box
  lengthCm: number
  from: number
  to: number | null
}

/** The rule set of zones with the same policies at an instant, which are sorted by priority number. */
export interface ZoneRules {
  id: string
  policies: readonly CdsPolicy[]
  rules: CompiledRuleSet
}

/** The zones and rules between two changes of the curb, from `from` until before `to`. */
export interface CurbEpoch {
  from: number
  to: number | null
  zones: readonly IndexedZone[]
  /** The rule set of each zone, by zone id. */
  ruleSetByZone: ReadonlyMap<string, ZoneRules>
  /** All rule sets by their id. */
  ruleSets: ReadonlyMap<string, ZoneRules>
}

/** A policy and the time span in which it applies in some zones. */
interface Term {
  policyId: string
  zoneIds: readonly string[]
  from: number
  to: number | null
}

/** Returns whether something is current at an instant; `to` is exclusive. */
const isInForce = ({ from, to }: { from: number; to: number | null }, at: number): boolean =>
  from <= at && (to === null || at < to)

const comparePolicies = (a: CdsPolicy, b: CdsPolicy): number =>
  a.priority - b.priority || (a.curb_policy_id < b.curb_policy_id ? -1 : 1)

/**
 * The terms of each zone. Zones with the same terms share a set, so that rules are compiled once per set. To
 * save memory, a set is stored as its last term and the number of the set of the terms before.
 */
class TermSets {
  readonly #setByZone = new Map<string, number>()
  readonly #sets: { term: Term; previous: number }[] = []

  constructor(terms: readonly Term[]) {
    const setNumbers = new Map<number, number>()
    for (const [index, term] of terms.entries())
      for (const id of term.zoneIds) {
        const previous = this.getSetNumber(id)
        const key = (previous + 1) * terms.length + index
        let set = setNumbers.get(key)
        if (set === undefined) {
          set = this.#sets.push({ term, previous }) - 1
          setNumbers.set(key, set)
        }
        this.#setByZone.set(id, set)
      }
  }

  /** Returns the number of the set of a zone; -1 if it has no terms. */
  getSetNumber(zoneId: string): number {
    return this.#setByZone.get(zoneId) ?? -1
  }

  /** Returns the terms of a set, in the order of the constructor. */
  getTerms(set: number): Term[] {
    const terms: Term[] = []
    for (let next = this.#sets[set]; next; next = this.#sets[next.previous]) terms.push(next.term)
    return terms.reverse()
  }
}

/** The zones and policies of a region with their history, in memory, for one version of the curb data. */
export class CurbIndex {
  readonly regionId: string
  readonly version: number
  readonly timezone: string
  readonly currency: string
  readonly settings: CurbSettings
  readonly policies: ReadonlyMap<string, CdsPolicy>
  /** All zones, whether in force or not. */
  readonly zones: readonly IndexedZone[]
  #zonesById: ReadonlyMap<string, IndexedZone> | null = null
  readonly #terms: TermSets
  /** Times at which a zone or term begins or ends, ascending. */
  readonly #changes: Float64Array
  readonly #epochs = new LRUCache<number, CurbEpoch>({ max: 6 })

  constructor(fields: {
    regionId: string
    version: number
    timezone: string
    currency: string
    settings: CurbSettings
    zones: readonly IndexedZone[]
    policies: ReadonlyMap<string, CdsPolicy>
    /** Sorted by policy and time. */
    terms: readonly Term[]
  }) {
    const { regionId, version, timezone, currency, settings, zones, policies, terms } = fields
    this.regionId = regionId
    this.version = version
    this.timezone = timezone
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

  /** Returns a zone by its id, whether in force or not. */
  findZone(id: string): IndexedZone | undefined {
    this.#zonesById ??= new Map(this.zones.map((zone) => [zone.id, zone]))
    return this.#zonesById.get(id)
  }

  /** Returns the policies of a zone over time, oldest first. `to` is null if they have no end. */
  getPolicyHistory(zoneId: string): { policyIds: string[]; from: number; to: number | null }[] {
    const terms = this.#terms.getTerms(this.#terms.getSetNumber(zoneId))
    const times = [...new Set(terms.flatMap(({ from, to }) => (to === null ? [from] : [from, to])))].sort(
      (a, b) => a - b,
    )
    return times.flatMap((from, index) => {
      const policyIds = terms.filter((term) => isInForce(term, from)).map(({ policyId }) => policyId)
      return policyIds.length ? { policyIds, from, to: times[index + 1] ?? null } : []
    })
  }

  /** Returns, by policy, number and length of its zones at or after an instant, and those without an end. */
  computeZoneUse(ms: number): Map<string, { zones: number; lengthM: number; openEnded: number }> {
    const useByPolicy = new Map<string, { zones: number; lengthM: number; openEnded: number }>()
    for (const zone of this.zones) {
      if (zone.to !== null && zone.to <= ms) continue
      const isOpenEnded = new Map<string, boolean>()
      for (const { policyId, from, to } of this.#terms.getTerms(this.#terms.getSetNumber(zone.id)))
        if (to === null || (to > ms && to > from))
          isOpenEnded.set(policyId, isOpenEnded.get(policyId) === true || to === null)
      for (const [policyId, openEnded] of isOpenEnded) {
        const use = useByPolicy.get(policyId) ?? { zones: 0, lengthM: 0, openEnded: 0 }
        use.zones += 1
        use.lengthM += zone.lengthCm / 100
        use.openEnded += Number(openEnded)
        useByPolicy.set(policyId, use)
      }
    }
    return useByPolicy
  }

  /** Returns the epoch that contains an instant (ms). Recently used epochs are cached. */
  at(ms: number): CurbEpoch {
    const nextChange = findFirstAfter(this.#changes, ms)
    const cached = this.#epochs.get(nextChange)
    if (cached) return cached
    const zones = this.zones.filter((zone) => isInForce(zone, ms))
    const ruleSets = new Map<string, ZoneRules>()
    const ruleSetByZone = new Map<string, ZoneRules>()
    const ruleSetByTerms = new Map<number, ZoneRules>()
    for (const { id } of zones) {
      const terms = this.#terms.getSetNumber(id)
      let ruleSet = ruleSetByTerms.get(terms)
      if (!ruleSet) {
        const currentTerms = this.#terms.getTerms(terms).filter((term) => isInForce(term, ms))
        ruleSet = findOrCreateRuleSet(
          currentTerms.flatMap(({ policyId }) => this.policies.get(policyId) ?? []),
          ruleSets,
        )
        ruleSetByTerms.set(terms, ruleSet)
        ruleSets.set(ruleSet.id, ruleSet)
      }
      ruleSetByZone.set(id, ruleSet)
    }
    const epoch: CurbEpoch = {
      from: this.#changes[nextChange - 1] ?? -Infinity,
      to: this.#changes[nextChange] ?? null,
      zones,
      ruleSetByZone,
      ruleSets,
    }
    this.#epochs.set(nextChange, epoch)
    return epoch
  }
}

function compareTerms(a: Term, b: Term): number {
  if (a.policyId !== b.policyId) return a.policyId < b.policyId ? -1 : 1
  // `|| 0`, because two terms without an end give NaN.
  return a.from - b.from || (a.to ?? Infinity) - (b.to ?? Infinity) || 0
}

/** Returns the index of the first value after `ms` in ascending values. */
function findFirstAfter(values: Float64Array, ms: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((values[middle] ?? Infinity) <= ms) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the rule set of policies. Its id is a hash of their ids, so that zones can share it. */
function findOrCreateRuleSet(
  policies: readonly CdsPolicy[],
  ruleSets: ReadonlyMap<string, ZoneRules>,
): ZoneRules {
  const sortedPolicies = policies.toSorted(comparePolicies)
  const text = sortedPolicies.map(({ curb_policy_id: id }) => id).join('\n')
  const id = createHash('sha256').update(text).digest('hex').slice(0, 16)
  return ruleSets.get(id) ?? { id, policies: sortedPolicies, rules: compileRuleSet(sortedPolicies) }
}

/** Reads and caches the indexes of recently used regions. */
export class CurbIndexes {
  readonly #state: State
  readonly #indexes = new ComputedCache<CurbIndex>({ max: 8 })
  constructor(state: State) {
    this.#state = state
  }

  /** Returns the current index of a region. @throws Problem `not_found` outside of the Scope. */
  async get(scope: Scope, regionId: string): Promise<CurbIndex> {
    const { timezone, currencyCode } = await findRegion(this.#state, scope, regionId)
    const { version, settings } = await readCurbSettings(this.#state.as(scope), regionId)
    const key = `${regionId} ${version} ${timezone} ${currencyCode}`
    return this.#indexes.get(key, () =>
      readIndex(this.#state, scope, { regionId, version, timezone, currency: currencyCode, settings }),
    )
  }
}

type IndexHead = Pick<CurbIndex, 'regionId' | 'version' | 'timezone' | 'currency' | 'settings'>

/** Zones per query. */
const zonesPerPage = 20_000

/** A page of zones as lists of the values of each column. */
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

/** Reads all zones, sorted by id, as one JSON array per column, which is several times as fast. */
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
    for (const [index, id] of ids.entries()) zones.push(createZone(page, id, index))
    if (ids.length < zonesPerPage) return zones
  }
}

/** Creates the zone at an index of a page. */
function createZone(page: ZoneColumns, id: string, index: number): IndexedZone {
  const streetName = page.streetName[index]!
  const side = page.side[index]!
  const to = page.to[index]!
  const geometry = page.geometry[index]!
  return {
    id,
    shapeId: page.shapeId[index]!,
    inventoryId: page.inventoryId[index]!,
    label: makeZoneLabel({ id, streetName, side, record: page.record[index] }),
    streetName,
    side,
    geometry,
    box: computeBounds([geometry]),
    lengthCm: page.lengthCm[index]!,
    from: Date.parse(page.from[index]!),
    to: to === null ? null : Date.parse(to),
  }
}

/** Reads the curb of a region into an index. */
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
      // Sorted here, because PostgreSQL would sort the aggregated zones as well.
      .sort(compareTerms),
  })
}
