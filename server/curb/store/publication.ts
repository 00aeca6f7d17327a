import { isDeepStrictEqual } from 'node:util'
import type { Geometry } from '#contract/place.ts'
import { canonicalText } from '#server/stores/canonical-text.ts'
import { deriveUuid } from '#server/stores/derive-uuid.ts'
import { insertMissingRows, insertRows } from '#server/stores/insert-rows.ts'
import { PublishedPolicies } from './published-policies.ts'
import { type KindCounts, readStagedRows, type StagedRow } from './read-staged.ts'
import type { StagedZone } from './staged.ts'
import {
  type CapacityRow,
  toCapacityRow,
  capacityTypes,
  compareZoneIds,
  getContentColumns,
  type Ending,
  endLinks,
  endZones,
  pickFirstOfEach,
  type LinkEnding,
  type LinkRow,
  linkTypes,
  countMarkedSpaces,
  type NewZone,
  type ZoneRow,
  computeZoneLength,
  toZoneRecord,
  toZoneRow,
  zoneTypes,
} from './zone-rows.ts'
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
  hasEnded: boolean
  capacity: { spaces: number; basis: string } | null
  /** Current policies at the time of publication. */
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

/** New zones are sorted by id before they are written, which is faster the more are sorted at once. */
const zonesPerFlush = 100_000

const createEmptyRows = () => ({
  zones: [] as ZoneRow[],
  links: [] as LinkRow[],
  capacities: [] as CapacityRow[],
})

/** Publishes the policies and zones of one import. */
export async function publishStagedZones(store: Store, options: PublicationOptions): Promise<PublishCounts> {
  const policies = await PublishedPolicies.read(store, options)
  return new Publication(store, options, policies).run()
}

/** A zone of the import and the ids of its policies in the region. */
interface PublishedZone {
  recordId: string
  staged: StagedZone
  record: Record<string, unknown>
  policyIds: ReadonlySet<string>
}

class Publication {
  readonly #store: Store
  readonly #options: PublicationOptions
  readonly #policies: PublishedPolicies
  readonly #counts: PublishCounts = { created: 0, changed: 0, unchanged: 0, ended: 0, refused: 0 }
  /** Current zones of the inventory by the id of their record. */
  readonly #zonesByRecord = new Map<string, ExistingZone>()
  /** All zones of the region by id. */
  readonly #zonesById = new Map<string, ExistingZone>()
  /** Ids of the zones that the import contains. */
  readonly #importedIds = new Set<string>()
  /** New zones with their links and capacities. */
  #newRows = createEmptyRows()
  /** New links and capacities of existing zones. */
  #links: LinkRow[] = []
  #capacities: CapacityRow[] = []
  readonly #zoneEndings: Ending[] = []
  readonly #linkEndings: LinkEnding[] = []

  constructor(store: Store, options: PublicationOptions, policies: PublishedPolicies) {
    this.#store = store
    this.#options = options
    this.#policies = policies
  }

  async run(): Promise<PublishCounts> {
    await this.#readZones()
    for await (const rows of readStagedRows(this.#store, this.#options, 'policy'))
      for (const { staged } of rows) if (staged.kind === 'policy') this.#policies.findOrAdd(staged.policy)
    for await (const rows of readStagedRows(this.#store, this.#options, 'zone')) {
      for (const row of rows) if (row.staged.kind === 'zone') await this.#publishZone(row, row.staged)
      if (this.#newRows.zones.length >= zonesPerFlush) await this.#flush()
    }
    await this.#endMissing()
    await this.#flush()
    await this.#writeEndings()
    return this.#counts
  }

  async #readZones(): Promise<void> {
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
        hasEnded: row.end_time !== null && row.end_time <= effective,
        capacity: null,
        policyIds: new Set(),
      }
      this.#zonesById.set(zone.id, zone)
      if (zone.inventoryId === inventoryId && !zone.hasEnded) this.#zonesByRecord.set(zone.sourceId, zone)
    }
    const links = await this.#store
      .selectFrom('curb_zone_policy')
      .select(['curb_zone_id', 'curb_policy_id'])
      .where('region_id', '=', regionId)
      .where('start_time', '<=', effective)
      .where((eb) => eb.or([eb('end_time', 'is', null), eb('end_time', '>', effective)]))
      .execute()
    for (const link of links) this.#zonesById.get(link.curb_zone_id)?.policyIds.add(link.curb_policy_id)
    const capacities = await this.#store
      .selectFrom('curb_capacity')
      .select(['curb_zone_id', 'capacity', 'basis'])
      .where('region_id', '=', regionId)
      .orderBy('start_time')
      .execute()
    for (const row of capacities) {
      const zone = this.#zonesById.get(row.curb_zone_id)
      if (zone) zone.capacity = { spaces: row.capacity, basis: row.basis }
    }
  }

  async #publishZone({ row, recordId }: StagedRow, staged: StagedZone): Promise<void> {
    const sourceZoneId = staged.zone.curb_zone_id
    const existing =
      sourceZoneId === undefined ? this.#zonesByRecord.get(recordId) : this.#zonesById.get(sourceZoneId)
    if (existing && existing.inventoryId !== this.#options.inventoryId)
      return this.#refuse(row, 'other_inventory', `Zone ${existing.id} belongs to another inventory.`)
    const id = existing?.id ?? sourceZoneId
    if (id !== undefined && this.#importedIds.has(id))
      return this.#refuse(row, 'duplicate', `Zone ${id} occurs twice in this import.`)
    const published: PublishedZone = {
      recordId,
      staged,
      record: toZoneRecord(staged.zone),
      policyIds: this.#policies.findOrAddAll(staged),
    }
    if (existing?.hasEnded)
      return this.#refuse(row, 'retired', `Zone ${existing.id} has ended; its id cannot be used again.`)
    if (!existing) {
      this.#addZone(published)
      this.#counts.created++
      return
    }
    this.#importedIds.add(existing.id)
    const isSameGeometry = isDeepStrictEqual(existing.geometry, staged.zone.geometry)
    if (isSameGeometry || sourceZoneId !== undefined) {
      const hasChanged = await this.#changeZone(row, existing, published)
      if (hasChanged) this.#counts.changed++
      else this.#counts.unchanged++
    } else {
      this.#replaceZone(existing, published)
      this.#counts.changed++
    }
  }

  /** Ends a zone and adds one with another geometry. */
  #replaceZone(existing: ExistingZone, published: PublishedZone): void {
    this.#zoneEndings.push({ id: existing.id, end: this.#options.effective })
    const earlierIds = existing.record['prev_curb_zone_ids']
    this.#addZone(published, [existing.id, ...(Array.isArray(earlierIds) ? earlierIds.map(String) : [])])
  }

  /** Changes a zone where the import differs from it. Returns whether it does. */
  async #changeZone(row: number, existing: ExistingZone, published: PublishedZone): Promise<boolean> {
    const earlierIds = existing.record['prev_curb_zone_ids']
    const record =
      earlierIds === undefined || 'prev_curb_zone_ids' in published.record
        ? published.record
        : { ...published.record, prev_curb_zone_ids: earlierIds }
    const { geometry } = published.staged.zone
    const hasNewCapacity = this.#changeCapacity(existing, published.staged, record)
    const hasNewRecord =
      canonicalText(existing.record) !== canonicalText(record) ||
      !isDeepStrictEqual(existing.geometry, geometry)
    if (hasNewRecord) await this.#updateZone(row, existing, { geometry, record })
    const hasNewPolicies = this.#changePolicies(existing, published.policyIds)
    return hasNewCapacity || hasNewRecord || hasNewPolicies
  }

  /** Changes a zone's capacity if it differs. Returns whether it does. */
  #changeCapacity(
    existing: ExistingZone,
    { zone: { geometry }, capacity: stagedCapacities }: StagedZone,
    record: Record<string, unknown>,
  ): boolean {
    const { regionId, importId, effective, vehicleLengthCm } = this.#options
    const capacity = toCapacityRow(
      { regionId, id: existing.id, lengthCm: computeZoneLength(geometry, record), importId },
      stagedCapacities.at(-1)?.spaces ?? countMarkedSpaces(record),
      vehicleLengthCm,
      effective,
    )
    const isSame =
      existing.capacity !== null &&
      existing.capacity.basis === capacity.basis &&
      existing.capacity.spaces === capacity.capacity
    if (!isSame) this.#capacities.push(capacity)
    return !isSame
  }

  /** Changes a zone's policies if they differ. Returns whether they do. */
  #changePolicies(existing: ExistingZone, policyIds: ReadonlySet<string>): boolean {
    const { effective } = this.#options
    const removedIds = [...existing.policyIds].filter((id) => !policyIds.has(id))
    const addedIds = [...policyIds].filter((id) => !existing.policyIds.has(id))
    for (const id of removedIds) this.#linkEndings.push({ zoneId: existing.id, policyId: id, end: effective })
    for (const id of addedIds) this.#links.push(this.#toLinkRow(existing.id, id, effective, null))
    return addedIds.length > 0 || removedIds.length > 0
  }

  /** Writes the record and geometry of a zone, and the previous ones to the row of the import. */
  async #updateZone(
    row: number,
    existing: ExistingZone,
    { geometry, record }: { geometry: Geometry; record: Record<string, unknown> },
  ): Promise<void> {
    const { regionId, importId, at } = this.#options
    await this.#store
      .updateTable('curb_import_row')
      .set({
        prior: JSON.stringify({ record: existing.record, geometry: existing.geometry, id: existing.id }),
      })
      .where('import_id', '=', importId)
      .where('row', '=', row)
      .execute()
    await this.#store
      .updateTable('curb_zone')
      .set({ ...getContentColumns(geometry, record), updated_time: at })
      .where('region_id', '=', regionId)
      .where('curb_zone_id', '=', existing.id)
      .execute()
  }

  /** Adds a zone. `previousIds` are the ids of the zones that it replaces. */
  #addZone(
    { recordId, staged, record, policyIds }: PublishedZone,
    previousIds: readonly string[] = [],
  ): void {
    const id = staged.zone.curb_zone_id ?? this.#findFreeId(recordId, staged.zone.geometry)
    const zone = this.#toNewZone(
      id,
      recordId,
      staged,
      previousIds.length ? { ...record, prev_curb_zone_ids: previousIds } : record,
    )
    // A zone that replaces another begins when that one ends.
    if (previousIds.length) zone.start = this.#options.effective
    this.#importedIds.add(id)
    this.#newRows.zones.push(toZoneRow(zone))
    this.#newRows.capacities.push(...this.#toCapacityRows(zone, staged, record))
    this.#newRows.links.push(...this.#toLinkRows(zone, staged, policyIds))
  }

  /** Returns the capacities of a new zone. */
  #toCapacityRows(
    { id, geometry, start }: NewZone,
    { capacity }: StagedZone,
    record: Record<string, unknown>,
  ): CapacityRow[] {
    const { regionId, importId, vehicleLengthCm } = this.#options
    const zone = { regionId, id, lengthCm: computeZoneLength(geometry, record), importId }
    const steps = capacity.length ? capacity : [{ spaces: countMarkedSpaces(record), from: null }]
    const rows = steps.map(({ spaces, from }) => {
      const stepStart = from === null ? start : new Date(Math.max(from, start.getTime()))
      return toCapacityRow(zone, spaces, vehicleLengthCm, stepStart)
    })
    return pickFirstOfEach(rows, ({ start_time: startTime }) => Number(startTime))
  }

  /** Returns the policies of a new zone: those of the past in their periods, then its current ones. */
  #toLinkRows(zone: NewZone, { history }: StagedZone, policyIds: ReadonlySet<string>): LinkRow[] {
    const links: LinkRow[] = []
    let from = zone.start.getTime()
    for (const period of history) {
      for (const policyId of this.#policies.findOrAddAll(period))
        links.push(this.#toLinkRow(zone.id, policyId, new Date(period.start), new Date(period.end)))
      from = Math.max(from, period.end)
    }
    const start = new Date(from)
    for (const policyId of policyIds) links.push(this.#toLinkRow(zone.id, policyId, start, zone.end))
    return history.length
      ? pickFirstOfEach(links, (link) => `${Number(link.start_time)} ${link.curb_policy_id}`)
      : links
  }

  #toNewZone(id: string, sourceId: string, { zone }: StagedZone, record: Record<string, unknown>): NewZone {
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

  /** Returns a zone id from record and geometry, so that importing a file again gives the same id. */
  #findFreeId(recordId: string, geometry: Geometry): string {
    const { inventoryId } = this.#options
    for (let attempt = 0; ; attempt++) {
      const id = deriveUuid('curb zone', inventoryId, recordId, JSON.stringify(geometry), attempt)
      // If a geometry returns after another one, it is a new zone, because retired ids are never used again.
      if (!this.#zonesById.has(id) && !this.#importedIds.has(id)) return id
    }
  }

  #toLinkRow(zoneId: string, policyId: string, start: Date, end: Date | null): LinkRow {
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

  /** Refuses a row of the import with a finding. */
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
      .set({ outcome: 'refused', findings: JSON.stringify([...(findings as object[]), { code, message }]) })
      .where('import_id', '=', importId)
      .where('row', '=', row)
      .execute()
  }

  /** Ends the zones that the import does not contain. Zones with a refused record remain unchanged. */
  async #endMissing(): Promise<void> {
    const { inventoryId, importId, effective } = this.#options
    const refusedRows = await this.#store
      .selectFrom('curb_import_row')
      .select('record_id')
      .where('import_id', '=', importId)
      .where('outcome', '=', 'refused')
      .execute()
    const refusedIds = new Set(refusedRows.map(({ record_id: id }) => id))
    for (const zone of this.#zonesById.values()) {
      if (zone.inventoryId !== inventoryId || zone.hasEnded || this.#importedIds.has(zone.id)) continue
      if (refusedIds.has(zone.sourceId) || refusedIds.has(zone.id)) continue
      this.#zoneEndings.push({ id: zone.id, end: effective })
      this.#counts.ended++
    }
  }

  async #flush(): Promise<void> {
    const store = this.#store
    await this.#policies.write(store)
    const { zones, links, capacities } = this.#newRows
    await insertRows(store, 'curb_zone', zoneTypes, zones.sort(compareZoneIds))
    await insertRows(store, 'curb_zone_policy', linkTypes, links.sort(compareZoneIds))
    await insertRows(store, 'curb_capacity', capacityTypes, capacities.sort(compareZoneIds))
    await insertMissingRows(store, 'curb_zone_policy', linkTypes, this.#links)
    await insertMissingRows(store, 'curb_capacity', capacityTypes, this.#capacities)
    this.#newRows = createEmptyRows()
    this.#links = []
    this.#capacities = []
  }

  async #writeEndings(): Promise<void> {
    const { regionId, importId } = this.#options
    await endZones(this.#store, regionId, this.#zoneEndings, importId)
    await endLinks(this.#store, regionId, this.#linkEndings, importId)
  }
}
