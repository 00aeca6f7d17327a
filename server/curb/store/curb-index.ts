import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { CdsPolicy } from '#contract/cds.ts'
import type { CurbSettings } from '#contract/curb-settings.ts'
import type { Box, Geometry } from '#contract/place.ts'
import { ComputedCache } from '#server/stores/computed-cache.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { compileRuleSet, type CompiledRuleSet } from '../rules/rule-set.ts'
import { readCurbSettings } from './curb-settings.ts'
import { zoneLabel } from './zone-label.ts'

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

interface Link {
  zoneId: string
  policyId: string
  from: number
  to: number | null
}

const holdsAt = ({ from, to }: { from: number; to: number | null }, at: number): boolean =>
  from <= at && (to === null || at < to)

const byPriority = (a: CdsPolicy, b: CdsPolicy): number =>
  a.priority - b.priority || (a.curb_policy_id < b.curb_policy_id ? -1 : 1)

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
  readonly #linksOf: ReadonlyMap<string, readonly Link[]>
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
    links: readonly Link[]
  }) {
    const { regionId, version, zone, currency, settings, zones, policies, links } = fields
    this.regionId = regionId
    this.version = version
    this.zone = zone
    this.currency = currency
    this.settings = settings
    this.policies = policies
    this.zones = zones
    const linksOf = new Map<string, Link[]>()
    for (const link of links) {
      const list = linksOf.get(link.zoneId)
      if (list) list.push(link)
      else linksOf.set(link.zoneId, [link])
    }
    this.#linksOf = linksOf
    const times = new Set<number>()
    for (const { from, to } of [...zones, ...links]) {
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
    const links = this.#linksOf.get(zoneId) ?? []
    const times = [...new Set(links.flatMap(({ from, to }) => (to === null ? [from] : [from, to])))].sort(
      (a, b) => a - b,
    )
    return times.flatMap((from, at) => {
      const policyIds = links.filter((link) => holdsAt(link, from)).map(({ policyId }) => policyId)
      return policyIds.length ? { policyIds, from, to: times[at + 1] ?? null } : []
    })
  }

  /** Zones to which each policy applies at an instant or later, their length, and how many of them without an end. */
  zoneUse(ms: number): Map<string, { zones: number; lengthM: number; openEnded: number }> {
    const use = new Map<string, { zones: number; lengthM: number; openEnded: number }>()
    for (const zone of this.zones) {
      if (zone.to !== null && zone.to <= ms) continue
      const isOpen = new Map<string, boolean>()
      for (const { policyId, from, to } of this.#linksOf.get(zone.id) ?? [])
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
    for (const { id } of zones) {
      const policies = (this.#linksOf.get(id) ?? []).flatMap((link) =>
        holdsAt(link, ms) ? (this.policies.get(link.policyId) ?? []) : [],
      )
      const set = ruleSetFor(policies, ruleSets)
      ruleSets.set(set.id, set)
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

/** Indexes of the regions that were asked last. */
export class CurbIndexes {
  readonly #state: State
  readonly #indexes = new ComputedCache<CurbIndex>({ max: 8 })
  constructor(state: State) {
    this.#state = state
  }

  /** The index of a region in its present version. Throws 404 outside of the Scope. */
  async get(scope: Scope, regionId: string): Promise<CurbIndex> {
    const { timezone, currencyCode } = await findRegion(this.#state, scope, regionId)
    const { version, settings } = await readCurbSettings(this.#state, scope, regionId)
    const key = `${regionId} ${version} ${timezone} ${currencyCode}`
    return this.#indexes.get(key, () =>
      readIndex(this.#state, scope, { regionId, version, zone: timezone, currency: currencyCode, settings }),
    )
  }
}

type IndexHead = Pick<CurbIndex, 'regionId' | 'version' | 'zone' | 'currency' | 'settings'>

const zonesPerPage = 5000

async function readIndex(state: State, scope: Scope, head: IndexHead): Promise<CurbIndex> {
  const store = state.as(scope)
  const zones: IndexedZone[] = []
  for (;;) {
    const rows = await store
      .selectFrom('curb_zone')
      .select([
        'curb_zone_id',
        'shape_uuid',
        'inventory_id',
        'street_name',
        'street_side',
        'geometry',
        'record',
      ])
      .select(['west', 'south', 'east', 'north', 'length_cm', 'start_time', 'end_time'])
      .where('region_id', '=', head.regionId)
      .where('curb_zone_id', '>', zones.at(-1)?.id ?? '')
      .orderBy('curb_zone_id')
      .limit(zonesPerPage)
      .execute()
    for (const row of rows)
      zones.push({
        id: row.curb_zone_id,
        shapeId: row.shape_uuid,
        inventoryId: row.inventory_id,
        label: zoneLabel({
          id: row.curb_zone_id,
          streetName: row.street_name,
          side: row.street_side,
          record: row.record,
        }),
        streetName: row.street_name,
        side: row.street_side,
        geometry: row.geometry as Geometry,
        box: [row.west, row.south, row.east, row.north],
        lengthCm: row.length_cm,
        from: row.start_time.getTime(),
        to: row.end_time?.getTime() ?? null,
      })
    if (rows.length < zonesPerPage) break
  }
  const policies = await store
    .selectFrom('curb_policy')
    .select(['curb_policy_id', 'policy'])
    .where('region_id', '=', head.regionId)
    .where('status', '!=', 'saved')
    .execute()
  const links = await store
    .selectFrom('curb_zone_policy')
    .select(['curb_zone_id', 'curb_policy_id', 'start_time', 'end_time'])
    .where('region_id', '=', head.regionId)
    .execute()
  return new CurbIndex({
    ...head,
    zones,
    policies: new Map(policies.map((row) => [row.curb_policy_id, row.policy as CdsPolicy])),
    links: links.map((row) => ({
      zoneId: row.curb_zone_id,
      policyId: row.curb_policy_id,
      from: row.start_time.getTime(),
      to: row.end_time?.getTime() ?? null,
    })),
  })
}
