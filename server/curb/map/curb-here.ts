import type { NearbyCurbZone } from '#contract/curb-map.ts'
import { appendTo } from '#contract/group-by.ts'
import { measureDistanceToGeometry } from '#server/geography/geometry/distance.ts'
import { describeSituation } from '../rules/decide-at-instant.ts'
import type { CurbEpoch, IndexedZone } from '../store/curb-index.ts'
import { type CurbView, getCalendar } from './curb-week.ts'

const metersPerDegree = 111_320
/** Size of a cell of the grid in degrees, about 200 m. */
const cellDegrees = 0.002
/** Zones in a response. */
const maxZones = 20

/** The zones of an epoch by the cells that their bounding boxes intersect. */
type Grid = ReadonlyMap<string, readonly IndexedZone[]>

const grids = new WeakMap<CurbEpoch, Grid>()

const toCell = (degrees: number): number => Math.floor(degrees / cellDegrees)

function getGrid(epoch: CurbEpoch): Grid {
  const cached = grids.get(epoch)
  if (cached) return cached
  const grid = new Map<string, IndexedZone[]>()
  for (const zone of epoch.zones) {
    const [west, south, east, north] = zone.box
    for (let x = toCell(west); x <= toCell(east); x++)
      for (let y = toCell(south); y <= toCell(north); y++) appendTo(grid, `${x} ${y}`, zone)
  }
  grids.set(epoch, grid)
  return grid
}

/** Returns zones within a radius (meters) of a place, nearest first, with what is allowed at an instant. */
export function listCurbHere(
  { index, at, user }: CurbView,
  { lon, lat, radius }: { lon: number; lat: number; radius: number },
): NearbyCurbZone[] {
  const epoch = index.at(at)
  const grid = getGrid(epoch)
  const reachLat = radius / metersPerDegree
  // At least 0.01, because the cosine is 0 at the poles.
  const reachLon = reachLat / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  const metersByZone = new Map<IndexedZone, number>()
  for (let x = toCell(lon - reachLon); x <= toCell(lon + reachLon); x++)
    for (let y = toCell(lat - reachLat); y <= toCell(lat + reachLat); y++)
      for (const zone of grid.get(`${x} ${y}`) ?? []) {
        if (metersByZone.has(zone)) continue
        const meters = measureDistanceToGeometry([lon, lat], zone.geometry)
        if (meters <= radius) metersByZone.set(zone, meters)
      }
  const question = { ...getCalendar(index), ...user, at }
  return [...metersByZone]
    .sort(([zoneA, metersA], [zoneB, metersB]) => metersA - metersB || (zoneA.id < zoneB.id ? -1 : 1))
    .slice(0, maxZones)
    .flatMap(([zone, meters]) => {
      const set = epoch.ruleSetByZone.get(zone.id)
      if (!set) return []
      return {
        curb_zone_id: zone.id,
        street_name: zone.streetName,
        street_side: zone.side,
        distance_m: Math.round(meters * 10) / 10,
        situation: describeSituation(set.rules, question),
        policies: [...set.policies],
      }
    })
}
