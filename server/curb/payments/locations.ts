import type { Selectable } from 'kysely'
import type { PaymentLocation } from '#contract/curb-payments.ts'
import type { Geometry } from '#contract/place.ts'
import { metersToGeometry } from '#server/geography/geometry/distance.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { State } from '#server/stores/state.ts'
import type { PaymentPlace } from './payment.ts'

/** A location belongs to the nearest curb zone within so many meters, if no id says to which. */
const maxMeters = 25
const metersPerDegree = 111_320
const cellDegrees = 0.001
const rowsPerInsert = 500

interface Zone {
  id: string
  geometry: Geometry
}

/** What locations are linked to, by ids and by place. */
interface Linking {
  byId: ReadonlyMap<string, string>
  grid: ReadonlyMap<string, readonly Zone[]>
}

const cellOf = (degrees: number): number => Math.floor(degrees / cellDegrees)
const idKey = (id: string): string => id.trim().toLowerCase()

/** Zones in force with the ids by which vendors may name them or their spaces. */
async function readLinking(state: State, scope: Scope, regionId: string, at: Date): Promise<Linking> {
  const [zones, places] = await Promise.all([
    state
      .as(scope)
      .selectFrom('curb_zone')
      .select(['curb_zone_id', 'source_id', 'record', 'geometry', 'west', 'south', 'east', 'north'])
      .where('region_id', '=', regionId)
      .where('start_time', '<=', at)
      .where((of) => of.or([of('end_time', 'is', null), of('end_time', '>', at)]))
      .orderBy('curb_zone_id')
      .execute(),
    state
      .as(scope)
      .selectFrom('curb_place')
      .select(['place_id', 'curb_zone_id'])
      .where('region_id', '=', regionId)
      .where('kind', 'in', ['space', 'object'])
      .where('curb_zone_id', 'is not', null)
      .where((of) => of.or([of('end_time', 'is', null), of('end_time', '>', at)]))
      .orderBy('place_id')
      .execute(),
  ])
  const byId = new Map<string, string>()
  for (const { place_id, curb_zone_id } of places) byId.set(idKey(place_id), curb_zone_id ?? '')
  const grid = new Map<string, Zone[]>()
  for (const { curb_zone_id: id, source_id, record, geometry, west, south, east, north } of zones) {
    const own = (record as { user_zone_id?: unknown }).user_zone_id
    for (const each of [own, source_id, id])
      if (typeof each === 'string' && each !== '') byId.set(idKey(each), id)
    for (let x = cellOf(west); x <= cellOf(east); x++)
      for (let y = cellOf(south); y <= cellOf(north); y++) {
        const list = grid.get(`${x} ${y}`)
        const zone = { id, geometry: geometry as Geometry }
        if (list) list.push(zone)
        else grid.set(`${x} ${y}`, [zone])
      }
  }
  return { byId, grid }
}

const vendorIdOf = (locationId: string): string => locationId.slice(locationId.indexOf(':') + 1)

function linkOf({ byId, grid }: Linking, { locationId, lon, lat }: PaymentPlace): string {
  const byName = byId.get(idKey(vendorIdOf(locationId)))
  if (byName !== undefined) return byName
  if (lon === null || lat === null) return ''
  const reachLat = maxMeters / metersPerDegree
  const reachLon = reachLat / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  let [nearest, best] = ['', maxMeters]
  for (let x = cellOf(lon - reachLon); x <= cellOf(lon + reachLon); x++)
    for (let y = cellOf(lat - reachLat); y <= cellOf(lat + reachLat); y++)
      for (const { id, geometry } of grid.get(`${x} ${y}`) ?? []) {
        const meters = metersToGeometry([lon, lat], geometry)
        if (meters < best || (meters === best && id < nearest)) [nearest, best] = [id, meters]
      }
  return nearest
}

/** The curb zone of each place, '' where none is known. What is stored of a location counts before what a file suggests. */
export async function linkPlaces(
  state: State,
  scope: Scope,
  regionId: string,
  places: readonly PaymentPlace[],
  at: Date,
): Promise<Map<string, string>> {
  if (!places.length) return new Map()
  const [linking, stored] = await Promise.all([
    readLinking(state, scope, regionId, at),
    listLocations(state, scope, regionId),
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
export async function listLocations(
  state: State,
  scope: Scope,
  regionId: string,
): Promise<PaymentLocation[]> {
  const rows = await state
    .as(scope)
    .selectFrom('curb_location')
    .selectAll()
    .where('region_id', '=', regionId)
    .orderBy('location_id')
    .execute()
  return rows.map(toLocation)
}

/** Stores places with their zones; what a file does not say of a known location remains. */
export async function storeLocations(
  state: State,
  scope: Scope,
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
    await state
      .as(scope)
      .insertInto('curb_location')
      .values(rows)
      .onConflict((of) =>
        of.columns(['region_id', 'location_id']).doUpdateSet((set) => ({
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
