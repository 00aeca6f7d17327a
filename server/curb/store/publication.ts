import { isDeepStrictEqual } from 'node:util'
import type { CdsPolicy, CdsPolicyContent } from '#contract/cds.ts'
import type { Geometry } from '#contract/place.ts'
import { geometryBounds } from '#server/geography/boundary-files/geometry-bounds.ts'
import { canonicalText } from '#server/stores/canonical-text.ts'
import { deriveUuid } from '#server/stores/derive-uuid.ts'
import { insertMissingRows, insertRows } from '#server/stores/insert-rows.ts'
import { policyContent, derivePolicyId, policySignature } from './policy-signature.ts'
import { type KindCounts, stagedRows, type StagedRow } from './read-staged.ts'
import type { StagedPolicy, StagedPolicySet, StagedZone } from './staged.ts'
import {
  type CapacityRow,
  capacityRow,
  capacityTypes,
  compareZoneIds,
  type Ending,
  endLinks,
  endZones,
  firstOfEach,
  inBatches,
  type LinkEnding,
  type LinkRow,
  linkTypes,
  markedSpaces,
  recordColumns,
  type ZoneRow,
  zoneLength,
  zoneRecord,
  zoneRow,
  zoneTypes,
} from './write-changes.ts'
import type { Store } from '#server/stores/state.ts'

/** Numbers of zones that the publication of an import created, changed or ended. */
export interface PublishCounts {
  created: number
  changed: number
  unchanged: number
  ended: number
  /** Rows that could not be published. Their findings say why. */
  refused: number
}

interface ExistingZone {
  id: string
  sourceId: string
  inventoryId: string
  geometry: Geometry
  record: Record<string, unknown>
  ended: boolean
  capacity: { spaces: number; basis: string } | null
  /** Policies in force at the time of publication. */
  policyIds: Set<string>
}

interface PublicationOptions {
  regionId: string
  importId: string
  kinds: KindCounts
  inventoryId: string
  email: string
  effective: Date
  at: Date
  vehicleLengthCm: number
}

/**
 * New zones are sorted by id before they are written, which is faster. The more at once, the better, as far
 * as memory allows.
 */
const zonesPerFlush = 100_000

const noAdditions = () => ({
  zones: [] as ZoneRow[],
  links: [] as LinkRow[],
  capacities: [] as CapacityRow[],
})

/** Publishes the policies and zones of one import. */
export class Publication {
  readonly #store: Store
  readonly #options: PublicationOptions
  readonly #counts: PublishCounts = { created: 0, changed: 0, unchanged: 0, ended: 0, refused: 0 }
  /** Zones in force of the inventory by the id of their record. */
  readonly #bySource = new Map<string, ExistingZone>()
  /** All zones of the region by id. */
  readonly #byId = new Map<string, ExistingZone>()
  /** Ids of the zones that the import contains. */
  readonly #seen = new Set<string>()
  readonly #policyBySignature = new Map<string, string>()
  readonly #policies = new Map<string, CdsPolicy>()
  /**
   * New ids of policies with content that differs from that of the stored policy with the same id, by id in
   * the source.
   */
  readonly #renamedPolicies = new Map<string, string>()
  /** New zones with their links and capacities. */
  #added = noAdditions()
  /** New links and capacities of existing zones. */
  #links: LinkRow[] = []
  #capacities: CapacityRow[] = []
  #newPolicies: CdsPolicy[] = []
  readonly #zoneEndings: Ending[] = []
  readonly #linkEndings: LinkEnding[] = []

  constructor(store: Store, options: PublicationOptions) {
    this.#store = store
    this.#options = options
  }

  async run(): Promise<PublishCounts> {
    await this.#readExisting()
    for await (const rows of stagedRows(this.#store, this.#options, 'policy'))
      for (const { staged } of rows) if (staged.kind === 'policy') this.#findOrAddPolicy(staged.policy)
    for await (const rows of stagedRows(this.#store, this.#options, 'zone')) {
      for (const row of rows) if (row.staged.kind === 'zone') await this.#publishZone(row, row.staged)
      if (this.#added.zones.length >= zonesPerFlush) await this.#flush()
    }
    await this.#endMissing()
    await this.#flush()
    await this.#writeEndings()
    return this.#counts
  }

  async #readExisting(): Promise<void> {
    const { regionId, inventoryId, effective } = this.#options
    const zones = await this.#store
      .selectFrom('curb_zone')
      .select(['curb_zone_id', 'source_id', 'inventory_id', 'geometry', 'record', 'end_time'])
      .where('region_id', '=', regionId)
      .execute()
    for (const row of zones) {
      const zone: ExistingZone = {
        id: row.curb_zone_id,
        sourceId: row.source_id,
        inventoryId: row.inventory_id,
        geometry: row.geometry as Geometry,
        record: row.record as Record<string, unknown>,
        ended: row.end_time !== null && row.end_time <= effective,
        capacity: null,
        policyIds: new Set(),
      }
      this.#byId.set(zone.id, zone)
      if (zone.inventoryId === inventoryId && !zone.ended) this.#bySource.set(zone.sourceId, zone)
    }
    const links = await this.#store
      .selectFrom('curb_zone_policy')
      .select(['curb_zone_id', 'curb_policy_id'])
      .where('region_id', '=', regionId)
      .where('start_time', '<=', effective)
      .where((eb) => eb.or([eb('end_time', 'is', null), eb('end_time', '>', effective)]))
      .execute()
    for (const link of links) this.#byId.get(link.curb_zone_id)?.policyIds.add(link.curb_policy_id)
    const capacities = await this.#store
      .selectFrom('curb_capacity')
      .select(['curb_zone_id', 'capacity', 'basis'])
      .where('region_id', '=', regionId)
      .orderBy('start_time')
      .execute()
    for (const row of capacities) {
      const zone = this.#byId.get(row.curb_zone_id)
      if (zone) zone.capacity = { spaces: row.capacity, basis: row.basis }
    }
    const policies = await this.#store
      .selectFrom('curb_policy')
      .select(['curb_policy_id', 'signature', 'policy'])
      .where('region_id', '=', regionId)
      .where('status', '=', 'published')
      .execute()
    for (const row of policies) {
      this.#policyBySignature.set(row.signature, row.curb_policy_id)
      this.#policies.set(row.curb_policy_id, row.policy as CdsPolicy)
    }
  }

  /** The id of a policy in the region. Adds the policy if the region has none with the same content. */
  #findOrAddPolicy({ curb_policy_id: sourceId, published_date: published, ...rest }: StagedPolicy): string {
    const content = rest as CdsPolicyContent
    const signature = policySignature(content)
    if (sourceId !== undefined) {
      const stored = this.#policies.get(sourceId)
      if (stored && policySignature(policyContent(stored)) === signature) return sourceId
      // CDS requires that an id always refers to the same policy, so different content gets another id.
      if (!stored) return this.#addPolicy(sourceId, content, signature, published)
      const renamed =
        this.#policyBySignature.get(signature) ?? derivePolicyId(this.#options.regionId, signature)
      this.#renamedPolicies.set(sourceId, renamed)
      return this.#policies.has(renamed) ? renamed : this.#addPolicy(renamed, content, signature, published)
    }
    const known = this.#policyBySignature.get(signature)
    if (known !== undefined) return known
    const id = derivePolicyId(this.#options.regionId, signature)
    return this.#policies.has(id) ? id : this.#addPolicy(id, content, signature, published)
  }

  #addPolicy(id: string, content: CdsPolicyContent, signature: string, published?: number): string {
    const policy: CdsPolicy = {
      ...content,
      curb_policy_id: id,
      published_date: published ?? this.#options.at.getTime(),
    }
    this.#policies.set(id, policy)
    this.#policyBySignature.set(signature, id)
    this.#newPolicies.push(policy)
    return id
  }

  /** The ids of the policies of a set in the region. */
  #findOrAddPolicies({ policies, policyIds }: StagedPolicySet): Set<string> {
    return new Set([
      ...policies.map((policy) => this.#findOrAddPolicy(policy)),
      ...policyIds.flatMap((id) => {
        const stored = this.#renamedPolicies.get(id) ?? id
        return this.#policies.has(stored) ? stored : []
      }),
    ])
  }

  async #publishZone({ row, recordId }: StagedRow, staged: StagedZone): Promise<void> {
    const { inventoryId, effective } = this.#options
    const sourceZoneId = staged.zone.curb_zone_id
    const existing = sourceZoneId === undefined ? this.#bySource.get(recordId) : this.#byId.get(sourceZoneId)
    if (existing && existing.inventoryId !== inventoryId)
      return this.#refuse(row, 'other_inventory', `Zone ${existing.id} belongs to another inventory.`)
    const id = existing?.id ?? sourceZoneId
    if (id !== undefined && this.#seen.has(id))
      return this.#refuse(row, 'duplicate', `Zone ${id} occurs twice in this import.`)
    const record = zoneRecord(staged.zone)
    const geometry = staged.zone.geometry
    const policyIds = this.#findOrAddPolicies(staged)
    if (!existing || existing.ended) {
      if (existing)
        return this.#refuse(row, 'retired', `Zone ${existing.id} has ended; its id cannot be used again.`)
      return this.#addZone(recordId, staged, record, policyIds, [])
    }
    this.#seen.add(existing.id)
    const isSameGeometry = isDeepStrictEqual(existing.geometry, geometry)
    if (!isSameGeometry && sourceZoneId === undefined) {
      this.#zoneEndings.push({ id: existing.id, end: effective })
      this.#counts.changed++
      const previousIds = existing.record['prev_curb_zone_ids']
      return this.#addZone(
        recordId,
        staged,
        record,
        policyIds,
        [existing.id, ...(Array.isArray(previousIds) ? previousIds.map(String) : [])],
        false,
      )
    }
    const changes = await this.#changeZone(row, existing, staged, record)
    const removed = [...existing.policyIds].filter((id) => !policyIds.has(id))
    const added = [...policyIds].filter((id) => !existing.policyIds.has(id))
    for (const id of removed) this.#linkEndings.push({ zoneId: existing.id, policyId: id, end: effective })
    for (const id of added) this.#links.push(this.#linkRow(existing.id, id, effective, null))
    if (changes || added.length > 0 || removed.length > 0) this.#counts.changed++
    else this.#counts.unchanged++
  }

  /**
   * Changes the metadata and capacity of a zone and, if the source has an id for it, also its geometry.
   * Returns whether anything changed.
   */
  async #changeZone(
    row: number,
    existing: ExistingZone,
    staged: StagedZone,
    stagedRecord: Record<string, unknown>,
  ): Promise<boolean> {
    const { regionId, importId, effective, at, vehicleLengthCm } = this.#options
    const { geometry } = staged.zone
    const before = existing.record['prev_curb_zone_ids']
    const record =
      before === undefined || 'prev_curb_zone_ids' in stagedRecord
        ? stagedRecord
        : { ...stagedRecord, prev_curb_zone_ids: before }
    const lengthCm = zoneLength(geometry, record)
    const spaces = staged.capacity.at(-1)?.spaces ?? markedSpaces(record)
    const capacity = capacityRow(
      { regionId, id: existing.id, lengthCm, importId },
      spaces,
      vehicleLengthCm,
      effective,
    )
    const hasCapacityChange =
      existing.capacity === null ||
      existing.capacity.basis !== capacity.basis ||
      existing.capacity.spaces !== capacity.capacity
    if (hasCapacityChange) this.#capacities.push(capacity)
    const isSame =
      canonicalText(existing.record) === canonicalText(record) &&
      isDeepStrictEqual(existing.geometry, geometry)
    if (isSame) return hasCapacityChange
    await this.#store
      .updateTable('curb_import_row')
      .set({
        prior: JSON.stringify({ record: existing.record, geometry: existing.geometry, id: existing.id }),
      })
      .where('import_id', '=', importId)
      .where('row', '=', row)
      .execute()
    const [west, south, east, north] = geometryBounds([geometry])
    await this.#store
      .updateTable('curb_zone')
      .set({
        ...recordColumns(geometry, record),
        geometry: JSON.stringify(geometry),
        west,
        south,
        east,
        north,
        updated_time: at,
      })
      .where('region_id', '=', regionId)
      .where('curb_zone_id', '=', existing.id)
      .execute()
    return true
  }

  #newZone(id: string, sourceId: string, { zone }: StagedZone, record: Record<string, unknown>) {
    const { regionId, inventoryId, importId, effective, at } = this.#options
    const toDate = (ms: number | undefined, fallback: Date): Date =>
      ms === undefined ? fallback : new Date(ms)
    return {
      regionId,
      id,
      inventoryId,
      sourceId,
      geometry: zone.geometry,
      record,
      start: toDate(zone.start_date, effective),
      end: zone.end_date === undefined ? null : new Date(zone.end_date),
      published: toDate(zone.published_date, at),
      updated: toDate(zone.last_updated_date, at),
      importId,
    }
  }

  #addZone(
    recordId: string,
    staged: StagedZone,
    record: Record<string, unknown>,
    policyIds: ReadonlySet<string>,
    previousIds: readonly string[],
    isCounted = true,
  ): void {
    const { regionId, importId, vehicleLengthCm, effective } = this.#options
    const sourceZoneId = staged.zone.curb_zone_id
    const id = sourceZoneId ?? this.#freeId(recordId, staged.zone.geometry)
    const zone = this.#newZone(
      id,
      recordId,
      staged,
      previousIds.length ? { ...record, prev_curb_zone_ids: previousIds } : record,
    )
    // A zone that replaces another begins when that one ends.
    if (previousIds.length) zone.start = effective
    this.#added.zones.push(zoneRow(zone))
    this.#seen.add(id)
    const lengthCm = zoneLength(zone.geometry, record)
    const spaces = staged.capacity.length ? staged.capacity : [{ spaces: markedSpaces(record), from: null }]
    this.#added.capacities.push(
      ...firstOfEach(
        spaces.map((each) =>
          capacityRow(
            { regionId, id, lengthCm, importId },
            each.spaces,
            vehicleLengthCm,
            each.from === null ? zone.start : new Date(Math.max(each.from, zone.start.getTime())),
          ),
        ),
        ({ start_time: start }) => Number(start),
      ),
    )
    let from = zone.start.getTime()
    const links: LinkRow[] = []
    for (const period of staged.history) {
      for (const policyId of this.#findOrAddPolicies(period))
        links.push(this.#linkRow(id, policyId, new Date(period.start), new Date(period.end)))
      from = Math.max(from, period.end)
    }
    const start = new Date(from)
    for (const policyId of policyIds) links.push(this.#linkRow(id, policyId, start, zone.end))
    this.#added.links.push(
      ...(staged.history.length
        ? firstOfEach(links, (link) => `${Number(link.start_time)} ${link.curb_policy_id}`)
        : links),
    )
    if (isCounted) this.#counts.created++
  }

  /**
   * An id for a zone without an id in its source. It is derived from record and geometry, so that importing
   * the file again gives the same id.
   */
  #freeId(recordId: string, geometry: Geometry): string {
    const { inventoryId } = this.#options
    for (let n = 0; ; n++) {
      const id = deriveUuid('curb zone', inventoryId, recordId, JSON.stringify(geometry), n)
      // If a geometry returns after another one, it is a new zone, because retired ids are never used again.
      if (!this.#byId.has(id) && !this.#seen.has(id)) return id
    }
  }

  #linkRow(zoneId: string, policyId: string, start: Date, end: Date | null): LinkRow {
    const { regionId, importId } = this.#options
    return {
      region_id: regionId,
      curb_zone_id: zoneId,
      curb_policy_id: policyId,
      start_time: start,
      end_time: end,
      import_id: importId,
    }
  }

  async #refuse(row: number, code: string, message: string): Promise<void> {
    this.#counts.refused++
    const { importId } = this.#options
    const { findings } = await this.#store
      .selectFrom('curb_import_row')
      .select('findings')
      .where('import_id', '=', importId)
      .where('row', '=', row)
      .executeTakeFirstOrThrow()
    await this.#store
      .updateTable('curb_import_row')
      .set({
        outcome: 'refused',
        findings: JSON.stringify([...(findings as object[]), { code, message }]),
      })
      .where('import_id', '=', importId)
      .where('row', '=', row)
      .execute()
  }

  /** Ends the zones that the import does not contain. Zones with a refused record remain unchanged. */
  async #endMissing(): Promise<void> {
    const { inventoryId, importId, effective } = this.#options
    const refused = await this.#store
      .selectFrom('curb_import_row')
      .select('record_id')
      .where('import_id', '=', importId)
      .where('outcome', '=', 'refused')
      .execute()
    const refusedIds = new Set(refused.map(({ record_id: id }) => id))
    for (const zone of this.#byId.values()) {
      if (zone.inventoryId !== inventoryId || zone.ended || this.#seen.has(zone.id)) continue
      if (refusedIds.has(zone.sourceId) || refusedIds.has(zone.id)) continue
      this.#zoneEndings.push({ id: zone.id, end: effective })
      this.#counts.ended++
    }
  }

  async #flush(): Promise<void> {
    const { regionId, importId, email, at } = this.#options
    const store = this.#store
    await inBatches(this.#newPolicies, (batch) =>
      store
        .insertInto('curb_policy')
        .values(
          batch.map((policy) => ({
            region_id: regionId,
            curb_policy_id: policy.curb_policy_id,
            signature: policySignature(policyContent(policy)),
            status: 'published',
            name: policy.name ?? '',
            policy: JSON.stringify(policy),
            import_id: importId,
            created_by: email,
            created_time: at,
            modified_time: at,
            published_by: email,
            published_time: at,
          })),
        )
        // An unpublished policy with the same id is published again.
        .onConflict((conflict) =>
          conflict.columns(['region_id', 'curb_policy_id']).doUpdateSet({ status: 'published' }),
        )
        .execute(),
    )
    const { zones, links, capacities } = this.#added
    await insertRows(store, 'curb_zone', zoneTypes, zones.sort(compareZoneIds))
    await insertRows(store, 'curb_zone_policy', linkTypes, links.sort(compareZoneIds))
    await insertRows(store, 'curb_capacity', capacityTypes, capacities.sort(compareZoneIds))
    await insertMissingRows(store, 'curb_zone_policy', linkTypes, this.#links)
    await insertMissingRows(store, 'curb_capacity', capacityTypes, this.#capacities)
    this.#newPolicies = []
    this.#added = noAdditions()
    this.#links = []
    this.#capacities = []
  }

  async #writeEndings(): Promise<void> {
    const { regionId, importId } = this.#options
    await endZones(this.#store, regionId, this.#zoneEndings, importId)
    await endLinks(this.#store, regionId, this.#linkEndings, importId)
  }
}
