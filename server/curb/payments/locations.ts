import type { Selectable } from 'kysely'
import type { PaymentLocation } from '#contract/curb-payments.ts'
import type { Geometry, Position } from '#contract/place.ts'
import { metersToGeometry } from '#server/geography/geometry/distance.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { Store } from '#server/stores/state.ts'
import { zoneLabel } from '../store/zone-label.ts'
import type { PaymentPlace } from './payment.ts'

/** A location with an id other than that of a zone belongs to the nearest zone within this distance. */
const maxMeters = 25
const metersPerDegree = 111_320
const cellDegrees = 0.001
const rowsPerInsert = 500

export interface LinkedZone {
  id: string
  label: string
  side: string | null
  geometry: Geometry
}

/** The zones to which locations can be linked. */
export interface Linking {
  /** Zone ids by the ids that vendors may use for a zone or one of its spaces. */
  byId: ReadonlyMap<string, string>
  zones: ReadonlyMap<string, LinkedZone>
  /** Zones by the cells of a grid that their bounding box intersects. */
  grid: ReadonlyMap<string, readonly LinkedZone[]>
}

/** The cell of the grid that contains a longitude or latitude. */
const toCell = (degrees: number): number => Math.floor(degrees / cellDegrees)
const idKey = (id: string): string => id.trim().toLowerCase()

/** Reads the zones in force at an instant. */
export async function readLinking(store: Store, regionId: string, at: Date): Promise<Linking> {
  const [zones, places] = await Promise.all([
    store
      .selectFrom('curb_zone')
      .select(['curb_zone_id', 'source_id', 'street_name', 'street_side', 'record', 'geometry'])
      .select(['west', 'south', 'east', 'north'])
      .where('region_id', '=', regionId)
      .where('start_time', '<=', at)
      .where((eb) => eb.or([eb('end_time', 'is', null), eb('end_time', '>', at)]))
      .orderBy('curb_zone_id')
      .execute(),
    store
      .selectFrom('curb_place')
      .select(['place_id', 'curb_zone_id'])
      .where('region_id', '=', regionId)
      .where('kind', 'in', ['space', 'object'])
      .where('curb_zone_id', 'is not', null)
      .where((eb) => eb.or([eb('end_time', 'is', null), eb('end_time', '>', at)]))
      .orderBy('place_id')
      .execute(),
  ])
  const byId = new Map<string, string>()
  for (const { place_id, curb_zone_id } of places) byId.set(idKey(place_id), curb_zone_id ?? '')
  const [grid, zonesById] = [new Map<string, LinkedZone[]>(), new Map<string, LinkedZone>()]
  for (const row of zones) {
    const { curb_zone_id: id, source_id, record, west, south, east, north } = row
    const zone: LinkedZone = {
      id,
      label: zoneLabel({ id, streetName: row.street_name, side: row.street_side, record }),
      side: row.street_side,
      geometry: row.geometry as Geometry,
    }
    zonesById.set(id, zone)
    const userZoneId = (record as { user_zone_id?: unknown }).user_zone_id
    for (const knownId of [userZoneId, source_id, id])
      if (typeof knownId === 'string' && knownId !== '') byId.set(idKey(knownId), id)
    for (let x = toCell(west); x <= toCell(east); x++)
      for (let y = toCell(south); y <= toCell(north); y++) {
        const list = grid.get(`${x} ${y}`)
        if (list) list.push(zone)
        else grid.set(`${x} ${y}`, [zone])
      }
  }
  return { byId, zones: zonesById, grid }
}

const vendorId = (locationId: string): string => locationId.slice(locationId.indexOf(':') + 1)

/** The zone with the same id as a location. */
export const zoneWithId = ({ byId }: Linking, locationId: string): string | undefined =>
  byId.get(idKey(vendorId(locationId)))

/** Zones near a place, nearest first. */
export function zonesNear(
  { grid }: Linking,
  [lon, lat]: Position,
  maxDistance: number,
): { zone: LinkedZone; meters: number }[] {
  const reachLat = maxDistance / metersPerDegree
  const reachLon = reachLat / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  const found = new Map<string, { zone: LinkedZone; meters: number }>()
  for (let x = toCell(lon - reachLon); x <= toCell(lon + reachLon); x++)
    for (let y = toCell(lat - reachLat); y <= toCell(lat + reachLat); y++)
      for (const zone of grid.get(`${x} ${y}`) ?? []) {
        if (found.has(zone.id)) continue
        const meters = metersToGeometry([lon, lat], zone.geometry)
        if (meters <= maxDistance) found.set(zone.id, { zone, meters })
      }
  return [...found.values()].sort((a, b) => a.meters - b.meters || (a.zone.id < b.zone.id ? -1 : 1))
}

function findZone(linking: Linking, { locationId, lon, lat }: PaymentPlace): string {
  const sameId = zoneWithId(linking, locationId)
  if (sameId !== undefined) return sameId
  if (lon === null || lat === null) return ''
  return zonesNear(linking, [lon, lat], maxMeters)[0]?.zone.id ?? ''
}

/** The curb zone of each location, '' if unknown. Stored links and coordinates precede those of a file. */
export async function linkPlaces(
  store: Store,
  regionId: string,
  places: readonly PaymentPlace[],
  at: Date,
): Promise<Map<string, string>> {
  if (!places.length) return new Map()
  const [linking, stored] = await Promise.all([
    readLinking(store, regionId, at),
    listLocations(store, regionId),
  ])
  const storedById = new Map(stored.map((location) => [location.location_id, location]))
  return new Map(
    places.map((place) => {
      const location = storedById.get(place.locationId)
      const storedZone =
        location?.is_linked_by_hand || location?.curb_zone_id ? (location.curb_zone_id ?? '') : null
      const { lon, lat } = location ?? place
      return [
        place.locationId,
        storedZone ?? findZone(linking, { ...place, lon: place.lon ?? lon, lat: place.lat ?? lat }),
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

/** All locations of a region, sorted by id. */
export async function listLocations(store: Store, regionId: string): Promise<PaymentLocation[]> {
  const rows = await store
    .selectFrom('curb_location')
    .selectAll()
    .where('region_id', '=', regionId)
    .orderBy('location_id')
    .execute()
  return rows.map(toLocation)
}

/** All locations of a region and the zones to which they are linked, for a map. */
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
      name: zoneLabel({ id: curb_zone_id, streetName: street_name, side: street_side, record }),
      geometry: geometry as never,
    })),
  }
}

/**
 * Stores locations with their zones, and returns the zone of each, '' if unknown. Values of a known location
 * that a file does not contain are retained.
 */
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
