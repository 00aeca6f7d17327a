import type { Insertable } from 'kysely'
import { type Geometry, type Position, getPolygons } from '#contract/place.ts'
import { measureLineLength } from '#server/geography/geometry/distance.ts'
import { computeBounds } from '#server/geography/boundary-files/geometry-bounds.ts'
import { deriveUuid } from '#server/stores/derive-uuid.ts'
import type { ColumnTypes } from '#server/stores/insert-rows.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { Store } from '#server/stores/state.ts'

export type ZoneRow = Insertable<StateTables['curb_zone']>
export type LinkRow = Insertable<StateTables['curb_zone_policy']>
export type CapacityRow = Insertable<StateTables['curb_capacity']>

/** The SQL types of the columns, for inserts. */
export const zoneTypes: ColumnTypes<'curb_zone'> = {
  region_id: 'text',
  curb_zone_id: 'text',
  shape_uuid: 'uuid',
  inventory_id: 'uuid',
  source_id: 'text',
  geometry: 'jsonb',
  west: 'double precision',
  south: 'double precision',
  east: 'double precision',
  north: 'double precision',
  street_name: 'text',
  street_side: 'text',
  length_cm: 'integer',
  record: 'jsonb',
  start_time: 'timestamptz',
  end_time: 'timestamptz',
  published_time: 'timestamptz',
  updated_time: 'timestamptz',
  import_id: 'uuid',
}
export const linkTypes: ColumnTypes<'curb_zone_policy'> = {
  region_id: 'text',
  curb_zone_id: 'text',
  curb_policy_id: 'text',
  start_time: 'timestamptz',
  end_time: 'timestamptz',
  import_id: 'uuid',
}
export const capacityTypes: ColumnTypes<'curb_capacity'> = {
  region_id: 'text',
  curb_zone_id: 'text',
  start_time: 'timestamptz',
  capacity: 'integer',
  basis: 'text',
  vehicle_length_cm: 'integer',
  import_id: 'uuid',
}

/** A new end of a zone that has no end or a later one. */
export interface Ending {
  id: string
  end: Date
}
/** A new end of a policy in a zone. */
export interface LinkEnding {
  zoneId: string
  policyId: string
  end: Date
}

/** Rows per statement: PostgreSQL allows 65,535 parameters. */
const rowsPerStatement = 1000

/** Writes rows in batches, one after the other, because a statement has a limited number of parameters. */
export async function inBatches<Row>(
  rows: readonly Row[],
  write: (batch: readonly Row[]) => Promise<unknown>,
  size = rowsPerStatement,
): Promise<void> {
  for (let from = 0; from < rows.length; from += size) await write(rows.slice(from, from + size))
}

/** Groups rows by key, in the order of the first row of each group. */
function groupRows<Row>(
  rows: readonly Row[],
  getKey: (row: Row) => string | number,
): { first: Row; all: Row[] }[] {
  const groups = new Map<string | number, { first: Row; all: Row[] }>()
  for (const row of rows) {
    const group = groups.get(getKey(row))
    if (group) group.all.push(row)
    else groups.set(getKey(row), { first: row, all: [row] })
  }
  return [...groups.values()]
}

/** Fields of a CDS zone with columns or tables of their own. The other fields form its `record`. */
const zoneColumns = [
  'curb_zone_id',
  'geometry',
  'curb_policy_ids',
  'prev_policies',
  'published_date',
  'last_updated_date',
  'start_date',
  'end_date',
] as const

/** Returns the fields of a zone that have no column of their own. */
export function toZoneRecord(zone: Record<string, unknown>): Record<string, unknown> {
  const record = { ...zone }
  for (const column of zoneColumns) delete record[column]
  return record
}

/** The assumed width of a zone that is a polygon without a width. */
const assumedWidthCm = 240

/**
 * Returns the length along the curb in centimeters: that of the record, or else the length of the line. For a
 * polygon, half its outline minus its width, which is the length of a rectangle.
 */
export function computeZoneLength(geometry: Geometry, record: { length?: unknown; width?: unknown }): number {
  if (typeof record.length === 'number') return Math.round(record.length)
  const computeOutline = (ring: readonly Position[]): number => measureLineLength(ring) * 100
  if (geometry.type === 'LineString') return Math.round(computeOutline(geometry.coordinates))
  if (geometry.type === 'MultiLineString')
    return Math.round(geometry.coordinates.reduce((sum, line) => sum + computeOutline(line), 0))
  if (geometry.type === 'Polygon' || geometry.type === 'MultiPolygon') {
    const width = typeof record.width === 'number' ? record.width : assumedWidthCm
    const halfOutline = getPolygons(geometry).reduce((sum, [ring]) => sum + computeOutline(ring ?? []) / 2, 0)
    return Math.round(Math.max(halfOutline / 2, halfOutline - width))
  }
  return 0
}

/** A zone to insert into `curb_zone`. */
export interface NewZone {
  regionId: string
  id: string
  inventoryId: string
  sourceId: string
  geometry: Geometry
  record: Record<string, unknown>
  start: Date
  end: Date | null
  published: Date
  updated: Date
  importId: string | null
}

/** Returns a text that is not empty; null for other values. */
const toTextOrNull = (value: unknown): string | null => (typeof value === 'string' && value ? value : null)

/** Returns the columns of a zone that are derived from its record, with the record. */
export const getRecordColumns = (geometry: Geometry, record: Record<string, unknown>) =>
  ({
    street_name: toTextOrNull(record['street_name']) ?? toTextOrNull(record['name']) ?? '',
    street_side: toTextOrNull(record['street_side']),
    length_cm: computeZoneLength(geometry, record),
    record: JSON.stringify(record),
  }) satisfies Partial<ZoneRow>

/** Returns the columns with the geometry and record of a zone, and what is derived from them. */
export function getContentColumns(geometry: Geometry, record: Record<string, unknown>) {
  const [west, south, east, north] = computeBounds([geometry])
  return {
    geometry: JSON.stringify(geometry),
    west,
    south,
    east,
    north,
    ...getRecordColumns(geometry, record),
  } satisfies Partial<ZoneRow>
}

/** Returns a new zone as a row of `curb_zone`. */
export const toZoneRow = (zone: NewZone): ZoneRow => ({
  region_id: zone.regionId,
  curb_zone_id: zone.id,
  shape_uuid: deriveUuid('curb zone', zone.regionId, zone.id),
  inventory_id: zone.inventoryId,
  source_id: zone.sourceId,
  ...getContentColumns(zone.geometry, zone.record),
  start_time: zone.start,
  end_time: zone.end,
  published_time: zone.published,
  updated_time: zone.updated,
  import_id: zone.importId,
})

/** Returns the number of vehicles of the assumed length that fit into a length. */
export const computeCapacity = (lengthCm: number, vehicleLengthCm: number): number =>
  Math.floor(lengthCm / vehicleLengthCm)

/** Returns a zone's capacity: its marked spaces, or its length divided by the length of a vehicle. */
export function toCapacityRow(
  zone: { regionId: string; id: string; lengthCm: number; importId: string | null },
  spaces: number | null,
  vehicleLengthCm: number,
  from: Date,
): CapacityRow {
  const isMarked = spaces !== null
  return {
    region_id: zone.regionId,
    curb_zone_id: zone.id,
    start_time: from,
    capacity: isMarked ? spaces : computeCapacity(zone.lengthCm, vehicleLengthCm),
    basis: isMarked ? 'marked' : 'length',
    vehicle_length_cm: isMarked ? null : vehicleLengthCm,
    import_id: zone.importId,
  }
}

/** Returns the number of marked spaces of a zone; null if it is unknown. */
export const countMarkedSpaces = (record: Record<string, unknown>): number | null =>
  typeof record['num_spaces'] === 'number' ? record['num_spaces'] : null

/** Ends zones and their policies. Earlier ends are unchanged. */
export async function endZones(
  store: Store,
  regionId: string,
  endings: readonly Ending[],
  importId: string | null,
): Promise<void> {
  for (const { first, all } of groupRows(endings, ({ end }) => end.getTime()))
    await inBatches(all, async (batch) => {
      const ids = batch.map(({ id }) => id)
      for (const table of ['curb_zone', 'curb_zone_policy'] as const)
        await store
          .updateTable(table)
          .set((eb) => ({ previous_end: eb.ref('end_time'), end_time: first.end, ended_by: importId }))
          .where('region_id', '=', regionId)
          .where('curb_zone_id', 'in', ids)
          .where((eb) => eb.or([eb('end_time', 'is', null), eb('end_time', '>', first.end)]))
          .execute()
    })
}

/** Ends policies in zones. Earlier ends are unchanged. */
export async function endLinks(
  store: Store,
  regionId: string,
  endings: readonly LinkEnding[],
  importId: string | null,
): Promise<void> {
  for (const { first, all } of groupRows(endings, ({ policyId, end }) => `${end.getTime()} ${policyId}`))
    await inBatches(all, (batch) =>
      store
        .updateTable('curb_zone_policy')
        .set((eb) => ({ previous_end: eb.ref('end_time'), end_time: first.end, ended_by: importId }))
        .where('region_id', '=', regionId)
        .where('curb_policy_id', '=', first.policyId)
        .where(
          'curb_zone_id',
          'in',
          batch.map(({ zoneId }) => zoneId),
        )
        .where((eb) => eb.or([eb('end_time', 'is', null), eb('end_time', '>', first.end)]))
        .execute(),
    )
}

/** Compares the zone ids of two rows, for sorting. */
export function compareZoneIds(a: { curb_zone_id: string }, b: { curb_zone_id: string }): number {
  if (a.curb_zone_id === b.curb_zone_id) return 0
  return a.curb_zone_id < b.curb_zone_id ? -1 : 1
}

/** Returns the first row of each key, in the order of the rows. */
export function pickFirstOfEach<Row>(rows: Row[], getKey: (row: Row) => string | number): Row[] {
  if (rows.length < 2) return rows
  return groupRows(rows, getKey).map(({ first }) => first)
}
