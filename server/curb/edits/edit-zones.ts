import type { Selectable } from 'kysely'
import { StreetSide } from '#contract/cds.ts'
import type { CurbEditZone, CurbZoneForm, findCurbEditZones } from '#contract/curb-edits.ts'
import { groupBy } from '#contract/group-by.ts'
import type { Box, Geometry } from '#contract/place.ts'
import type { Call } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'

export type ZoneRow = Selectable<StateTables['curb_zone']>
export type LinkRow = Pick<
  Selectable<StateTables['curb_zone_policy']>,
  'curb_zone_id' | 'curb_policy_id' | 'start_time' | 'end_time'
>

/** A zone in force with its current and future policies. */
export interface StoredZone {
  row: ZoneRow
  /** Links to policies that have not ended, including those that begin later. */
  links: LinkRow[]
  form: CurbZoneForm
}

const getTextField = (record: Record<string, unknown>, key: string): string => {
  const value = record[key]
  return typeof value === 'string' ? value : ''
}

/** Returns the editable fields of a zone. */
function toForm(row: ZoneRow, policyIds: readonly string[]): CurbZoneForm {
  const record = row.record as Record<string, unknown>
  const spaces = record['num_spaces']
  return {
    geometry: row.geometry as Geometry,
    name: getTextField(record, 'name'),
    // The column falls back to the name of the zone, which is not a street name.
    street_name:
      getTextField(record, 'street_name') || (record['name'] === row.street_name ? '' : row.street_name),
    cross_street_start_name: getTextField(record, 'cross_street_start_name'),
    cross_street_end_name: getTextField(record, 'cross_street_end_name'),
    street_side: StreetSide.safeParse(row.street_side).data ?? null,
    num_spaces: typeof spaces === 'number' && Number.isInteger(spaces) && spaces >= 0 ? spaces : null,
    curb_policy_ids: policyIds.toSorted(),
  }
}

const idsPerStatement = 1000

/** Reads the zones with these ids that are in force at an instant, with their editable fields, by id. */
export async function readZones(
  store: Store,
  regionId: string,
  ids: readonly string[],
  at: Date,
): Promise<Map<string, StoredZone>> {
  const zones = new Map<string, StoredZone>()
  for (let from = 0; from < ids.length; from += idsPerStatement) {
    const batch = ids.slice(from, from + idsPerStatement)
    const rows = await store
      .selectFrom('curb_zone')
      .selectAll()
      .where('region_id', '=', regionId)
      .where('curb_zone_id', 'in', batch)
      .where('start_time', '<=', at)
      .where((eb) => eb.or([eb('end_time', 'is', null), eb('end_time', '>', at)]))
      .execute()
    const links = await store
      .selectFrom('curb_zone_policy')
      .select(['curb_zone_id', 'curb_policy_id', 'start_time', 'end_time'])
      .where('region_id', '=', regionId)
      .where('curb_zone_id', 'in', batch)
      .where((eb) => eb.or([eb('end_time', 'is', null), eb('end_time', '>', at)]))
      .execute()
    const linksByZone = groupBy(links, (link) => link.curb_zone_id)
    for (const row of rows) {
      const zoneLinks = (linksByZone.get(row.curb_zone_id) ?? []).filter(hasDuration)
      const currentPolicyIds = zoneLinks
        .filter((link) => link.start_time <= at)
        .map((link) => link.curb_policy_id)
      zones.set(row.curb_zone_id, {
        row,
        links: zoneLinks,
        form: toForm(row, [...new Set(currentPolicyIds)]),
      })
    }
  }
  return zones
}

/** Whether a link applies at any time. A link that ends at its start was canceled before it applied. */
const hasDuration = ({ start_time: start, end_time: end }: LinkRow): boolean => end === null || end > start

/** Returns zones in the form of the API, in the order of `ids`. Ids without a zone in force are left out. */
export async function toEditZones(
  store: Store,
  regionId: string,
  ids: readonly string[],
  at: Date,
): Promise<CurbEditZone[]> {
  const zones = await readZones(store, regionId, ids, at)
  const inventories = await store
    .selectFrom('curb_inventory')
    .select(['inventory_id', 'name', 'kind'])
    .where('region_id', '=', regionId)
    .execute()
  const inventoryNames = new Map(
    inventories.map(({ inventory_id: id, name, kind }) => [id, kind === 'drawn' ? null : name]),
  )
  return ids.flatMap((id) => {
    const zone = zones.get(id)
    if (!zone) return []
    return {
      ...zone.form,
      curb_zone_id: id,
      inventory_name: inventoryNames.get(zone.row.inventory_id) ?? null,
      length_m: zone.row.length_cm / 100,
      updated_time: zone.row.updated_time.toISOString(),
      end_time: zone.row.end_time?.toISOString() ?? null,
    }
  })
}

const maxZonesInBox = 4000

/** Finds the zones with a bounding box that intersects `box`, and the zones with these ids. */
export async function findEditZones(
  state: State,
  { viewer: { scope }, params, body, at }: Call<typeof findCurbEditZones>,
): Promise<{ is_complete: boolean; items: CurbEditZone[] }> {
  const { region_id: regionId } = params
  const { box, curb_zone_ids: ids } = body
  await findRegion(state, scope, regionId)
  const store = state.as(scope)
  const idsWithin = box ? await readIdsWithin(store, regionId, box, at) : []
  const allIds = [...new Set([...idsWithin.slice(0, maxZonesInBox), ...ids])]
  return {
    is_complete: idsWithin.length <= maxZonesInBox,
    items: await toEditZones(store, regionId, allIds, at),
  }
}

/** Reads ids of the zones in force with a bounding box that intersects `box`, at most `maxZonesInBox` + 1. */
async function readIdsWithin(
  store: Store,
  regionId: string,
  [west, south, east, north]: Box,
  at: Date,
): Promise<string[]> {
  const rows = await store
    .selectFrom('curb_zone')
    .select('curb_zone_id')
    .where('region_id', '=', regionId)
    .where('start_time', '<=', at)
    .where((eb) => eb.or([eb('end_time', 'is', null), eb('end_time', '>', at)]))
    .where('west', '<=', east)
    .where('east', '>=', west)
    .where('south', '<=', north)
    .where('north', '>=', south)
    .orderBy('curb_zone_id')
    .limit(maxZonesInBox + 1)
    .execute()
  return rows.map(({ curb_zone_id: id }) => id)
}
