import type { Selectable } from 'kysely'
import type { PaymentLocation } from '#contract/curb-payments.ts'
import type { Geometry, Position } from '#contract/place.ts'
import { metersToGeometry } from '#server/geography/geometry/distance.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { Store } from '#server/stores/state.ts'
import { zoneLabel } from '../store/zone-label.ts'
import type { PaymentPlace } from './payment.ts'

/** A location belongs to the nearest curb zone within so many meters, if no id says to which. */
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

/** What locations are linked to, by ids and by place. */
export interface Linking {
  byId: ReadonlyMap<string, string>
  zones: ReadonlyMap<string, LinkedZone>
  grid: ReadonlyMap<string, readonly LinkedZone[]>
}

const cellOf = (degrees: number): number => Math.floor(degrees / cellDegrees)
const idKey = (id: string): string => id.trim().toLowerCase()

/** Zones in force with the ids by which vendors may name them or their spaces. */
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
  const [grid, known] = [new Map<string, LinkedZone[]>(), new Map<string, LinkedZone>()]
  for (const row of zones) {
    const { curb_zone_id: id, source_id, record, west, south, east, north } = row
    const zone: LinkedZone = {
      id,
      label: zoneLabel({ id, streetName: row.street_name, side: row.street_side, record }),
      side: row.street_side,
      geometry: row.geometry as Geometry,
    }
    known.set(id, zone)
    const own = (record as { user_zone_id?: unknown }).user_zone_id
    for (const each of [own, source_id, id])
      if (typeof each === 'string' && each !== '') byId.set(idKey(each), id)
    for (let x = cellOf(west); x <= cellOf(east); x++)
      for (let y = cellOf(south); y <= cellOf(north); y++) {
        const list = grid.get(`${x} ${y}`)
        if (list) list.push(zone)
        else grid.set(`${x} ${y}`, [zone])
      }
  }
  return { byId, zones: known, grid }
}

const vendorIdOf = (locationId: string): string => locationId.slice(locationId.indexOf(':') + 1)

/** The zone that the id of a location names. */
export const zoneNamedBy = ({ byId }: Linking, locationId: string): string | undefined =>
  byId.get(idKey(vendorIdOf(locationId)))

/** Zones around a place, the nearest first. */
export function zonesNear(
  { grid }: Linking,
  [lon, lat]: Position,
  maxAway: number,
): { zone: LinkedZone; meters: number }[] {
  const reachLat = maxAway / metersPerDegree
  const reachLon = reachLat / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  const found = new Map<string, { zone: LinkedZone; meters: number }>()
  for (let x = cellOf(lon - reachLon); x <= cellOf(lon + reachLon); x++)
    for (let y = cellOf(lat - reachLat); y <= cellOf(lat + reachLat); y++)
      for (const zone of grid.get(`${x} ${y}`) ?? []) {
        if (found.has(zone.id)) continue
        const meters = metersToGeometry([lon, lat], zone.geometry)
        if (meters <= maxAway) found.set(zone.id, { zone, meters })
      }
  return [...found.values()].sort((a, b) => a.meters - b.meters || (a.zone.id < b.zone.id ? -1 : 1))
}

function linkOf(linking: Linking, { locationId, lon, lat }: PaymentPlace): string {
  const byName = zoneNamedBy(linking, locationId)
  if (byName !== undefined) return byName
  if (lon === null || lat === null) return ''
  return zonesNear(linking, [lon, lat], maxMeters)[0]?.zone.id ?? ''
}

/** The curb zone of each place, '' where none is known. What is stored of a location counts before what a file suggests. */
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
  const known = new Map(stored.map((each) => [each.location_id, each]))
  return new Map(
    places.map((place) => {
      const before = known.get(place.locationId)
      const kept = before?.is_linked_by_hand || before?.curb_zone_id ? (before.curb_zone_id ?? '') : null
      const { lon, lat } = before ?? place
      return [
        place.locationId,
        kept ?? linkOf(linking, { ...place, lon: place.lon ?? lon, lat: place.lat ?? lat }),
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

/** All locations of a region, by id. */
export async function listLocations(store: Store, regionId: string): Promise<PaymentLocation[]> {
  const rows = await store
    .selectFrom('curb_location')
    .selectAll()
    .where('region_id', '=', regionId)
    .orderBy('location_id')
    .execute()
  return rows.map(toLocation)
}

/** Stores places with their zones; what a file does not say of a known location remains. */
export async function storeLocations(
  store: Store,
  regionId: string,
  places: readonly PaymentPlace[],
  links: ReadonlyMap<string, string>,
  at: Date,
): Promise<void> {
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
}
