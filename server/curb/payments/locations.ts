import type { Selectable } from 'kysely'
import type { PaymentLocation } from '#contract/curb-payments.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { Store } from '#server/stores/state.ts'
import { makeZoneLabel } from '../store/zone-label.ts'
import { findZone, readLinkableZones } from './linkable-zones.ts'
import type { PaymentPlace } from './payment.ts'

const rowsPerInsert = 500

/** Returns the zone of each location, '' if unknown. Stored links and coordinates precede those of a file. */
export async function linkPlaces(
  store: Store,
  regionId: string,
  places: readonly PaymentPlace[],
  at: Date,
): Promise<Map<string, string>> {
  if (!places.length) return new Map()
  const [zones, storedLocations] = await Promise.all([
    readLinkableZones(store, regionId, at),
    listLocations(store, regionId),
  ])
  const storedById = new Map(storedLocations.map((location) => [location.location_id, location]))
  return new Map(
    places.map((place) => {
      const location = storedById.get(place.locationId)
      const storedZone =
        location?.is_linked_by_hand || location?.curb_zone_id ? (location.curb_zone_id ?? '') : null
      const { lon, lat } = location ?? place
      return [
        place.locationId,
        storedZone ?? findZone(zones, { ...place, lon: place.lon ?? lon, lat: place.lat ?? lat }),
      ]
    }),
  )
}

const toLocation = (row: Selectable<StateTables['curb_location']>): PaymentLocation => ({
  location_id: row.location_id,
  kind: row.kind as PaymentLocation['kind'],
  name: row.name,
  lon: row.lon,
  lat: row.lat,
  spaces: row.spaces,
  curb_zone_id: row.curb_zone_id,
  is_linked_by_hand: row.is_linked_by_hand,
})

/** Lists all locations of a region, sorted by id. */
export async function listLocations(store: Store, regionId: string): Promise<PaymentLocation[]> {
  const rows = await store
    .selectFrom('curb_location')
    .selectAll()
    .where('region_id', '=', regionId)
    .orderBy('location_id')
    .execute()
  return rows.map(toLocation)
}

/** Lists all locations of a region and the zones to which they are linked, for a map. */
export async function listLocationLayers(store: Store, regionId: string) {
  const locations = await listLocations(store, regionId)
  const ids = [...new Set(locations.flatMap(({ curb_zone_id: id }) => (id === null ? [] : [id])))]
  const zones = ids.length
    ? await store
        .selectFrom('curb_zone')
        .select(['curb_zone_id', 'record', 'street_name', 'street_side', 'geometry'])
        .where('region_id', '=', regionId)
        .where('curb_zone_id', 'in', ids)
        .orderBy('curb_zone_id')
        .execute()
    : []
  return {
    locations,
    zones: zones.map(({ curb_zone_id, record, street_name, street_side, geometry }) => ({
      curb_zone_id,
      name: makeZoneLabel({ id: curb_zone_id, streetName: street_name, side: street_side, record }),
      geometry: geometry as never,
    })),
  }
}

/** Stores locations, retaining values that a file lacks. Returns the zone of each, '' if unknown. */
export async function storeLocations(
  store: Store,
  regionId: string,
  places: readonly PaymentPlace[],
  at: Date,
): Promise<Map<string, string>> {
  const links = await linkPlaces(store, regionId, places, at)
  for (let from = 0; from < places.length; from += rowsPerInsert) {
    const rows = places
      .slice(from, from + rowsPerInsert)
      .map(({ locationId, kind, name, lon, lat, spaces }) => ({
        region_id: regionId,
        location_id: locationId,
        kind,
        name,
        lon,
        lat,
        spaces,
        curb_zone_id: links.get(locationId) || null,
        updated_time: at,
      }))
    await store
      .insertInto('curb_location')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['region_id', 'location_id']).doUpdateSet((set) => ({
          name: set.ref('excluded.name'),
          lon: set.fn.coalesce('excluded.lon', 'curb_location.lon'),
          lat: set.fn.coalesce('excluded.lat', 'curb_location.lat'),
          spaces: set.fn.coalesce('excluded.spaces', 'curb_location.spaces'),
          curb_zone_id: set.ref('excluded.curb_zone_id'),
          updated_time: set.ref('excluded.updated_time'),
        })),
      )
      .execute()
  }
  return links
}
