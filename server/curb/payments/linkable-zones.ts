import { appendTo } from '#contract/group-by.ts'
import type { Geometry, Position } from '#contract/place.ts'
import { measureDistanceToGeometry } from '#server/geography/geometry/distance.ts'
import type { Store } from '#server/stores/state.ts'
import { makeZoneLabel } from '../store/zone-label.ts'
import type { PaymentPlace } from './payment.ts'

/** A location with an id other than that of a zone belongs to the nearest zone within this distance. */
const maxMeters = 25
const metersPerDegree = 111_320
/** Size of a cell of the grid, about 100 m. */
const cellDegrees = 0.001

/** A zone to which locations can be linked. */
export interface LinkableZone {
  id: string
  label: string
  side: string | null
  geometry: Geometry
}

/** The zones of a region to which locations can be linked. */
export interface LinkableZones {
  /** Zone ids by the ids that vendors may use for a zone or one of its spaces. */
  byId: ReadonlyMap<string, string>
  zones: ReadonlyMap<string, LinkableZone>
  /** Zones by the cells of a grid that their bounding box intersects. */
  grid: ReadonlyMap<string, readonly LinkableZone[]>
}

/** Returns the cell of the grid that contains a longitude or latitude. */
const toCell = (degrees: number): number => Math.floor(degrees / cellDegrees)
const normalizeId = (id: string): string => id.trim().toLowerCase()

/** Reads the zones in force at an instant. */
export async function readLinkableZones(store: Store, regionId: string, at: Date): Promise<LinkableZones> {
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
  for (const { place_id, curb_zone_id } of places) byId.set(normalizeId(place_id), curb_zone_id ?? '')
  const grid = new Map<string, LinkableZone[]>()
  const zonesById = new Map<string, LinkableZone>()
  for (const row of zones) {
    const { curb_zone_id: id, source_id, record, west, south, east, north } = row
    const zone: LinkableZone = {
      id,
      label: makeZoneLabel({ id, streetName: row.street_name, side: row.street_side, record }),
      side: row.street_side,
      geometry: row.geometry as Geometry,
    }
    zonesById.set(id, zone)
    const userZoneId = (record as { user_zone_id?: unknown }).user_zone_id
    for (const zoneId of [userZoneId, source_id, id])
      if (typeof zoneId === 'string' && zoneId !== '') byId.set(normalizeId(zoneId), id)
    for (let x = toCell(west); x <= toCell(east); x++)
      for (let y = toCell(south); y <= toCell(north); y++) appendTo(grid, `${x} ${y}`, zone)
  }
  return { byId, zones: zonesById, grid }
}

/** Returns the id that the vendor gave a location, without its kind. */
const getVendorId = (locationId: string): string => locationId.slice(locationId.indexOf(':') + 1)

/** Finds the zone with the same id as a location of a vendor. */
export const findZoneWithId = ({ byId }: LinkableZones, locationId: string): string | undefined =>
  byId.get(normalizeId(getVendorId(locationId)))

/** Returns zones within `maxDistance` meters of a place, nearest first. */
export function findZonesNear(
  { grid }: LinkableZones,
  [lon, lat]: Position,
  maxDistance: number,
): { zone: LinkableZone; meters: number }[] {
  const reachLat = maxDistance / metersPerDegree
  const reachLon = reachLat / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  const nearbyZones = new Map<string, { zone: LinkableZone; meters: number }>()
  for (let x = toCell(lon - reachLon); x <= toCell(lon + reachLon); x++)
    for (let y = toCell(lat - reachLat); y <= toCell(lat + reachLat); y++)
      for (const zone of grid.get(`${x} ${y}`) ?? []) {
        if (nearbyZones.has(zone.id)) continue
        const meters = measureDistanceToGeometry([lon, lat], zone.geometry)
        if (meters <= maxDistance) nearbyZones.set(zone.id, { zone, meters })
      }
  return [...nearbyZones.values()].sort((a, b) => a.meters - b.meters || (a.zone.id < b.zone.id ? -1 : 1))
}

/** Finds the zone with the same id as a location, or else the nearest one; '' if there is none. */
export function findZone(zones: LinkableZones, { locationId, lon, lat }: PaymentPlace): string {
  const sameId = findZoneWithId(zones, locationId)
  if (sameId !== undefined) return sameId
  if (lon === null || lat === null) return ''
  return findZonesNear(zones, [lon, lat], maxMeters)[0]?.zone.id ?? ''
}
