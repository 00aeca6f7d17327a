import type { CurbAnswerHere } from '#contract/curb-map.ts'
import { metersToGeometry } from '#server/geography/geometry/distance.ts'
import { situationAt } from '../rules/decide-at-instant.ts'
import type { CurbUser } from '../rules/rule-set.ts'
import type { CurbEpoch, CurbIndex, IndexedZone } from '../store/curb-index.ts'
import { calendarOf } from './curb-week.ts'

const metersPerDegree = 111_320
/** Side of a cell of the grid, degrees: about 200 m. */
const cellDegrees = 0.002
const maxAnswers = 20

/** The zones of an epoch by cell. */
type Grid = ReadonlyMap<string, readonly IndexedZone[]>

const grids = new WeakMap<CurbEpoch, Grid>()

const cellOf = (degrees: number): number => Math.floor(degrees / cellDegrees)

function gridOf(epoch: CurbEpoch): Grid {
  const known = grids.get(epoch)
  if (known) return known
  const grid = new Map<string, IndexedZone[]>()
  for (const zone of epoch.zones) {
    const [west, south, east, north] = zone.box
    for (let x = cellOf(west); x <= cellOf(east); x++)
      for (let y = cellOf(south); y <= cellOf(north); y++) {
        const list = grid.get(`${x} ${y}`)
        if (list) list.push(zone)
        else grid.set(`${x} ${y}`, [zone])
      }
  }
  grids.set(epoch, grid)
  return grid
}

/** The zones within a radius of a place, nearest first, with what applies at an instant. */
export function curbHere(
  index: CurbIndex,
  { lon, lat, radius, at }: { lon: number; lat: number; radius: number; at: number },
  user: CurbUser,
): CurbAnswerHere[] {
  const epoch = index.at(at)
  const grid = gridOf(epoch)
  const reachLat = radius / metersPerDegree
  const reachLon = reachLat / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  const near = new Map<IndexedZone, number>()
  for (let x = cellOf(lon - reachLon); x <= cellOf(lon + reachLon); x++)
    for (let y = cellOf(lat - reachLat); y <= cellOf(lat + reachLat); y++)
      for (const zone of grid.get(`${x} ${y}`) ?? []) {
        if (near.has(zone)) continue
        const meters = metersToGeometry([lon, lat], zone.geometry)
        if (meters <= radius) near.set(zone, meters)
      }
  const question = { ...calendarOf(index), ...user, at }
  return [...near]
    .sort(([a, nearer], [b, farther]) => nearer - farther || (a.id < b.id ? -1 : 1))
    .slice(0, maxAnswers)
    .flatMap(([zone, meters]) => {
      const set = epoch.ruleSetOf.get(zone.id)
      if (!set) return []
      return {
        curb_zone_id: zone.id,
        street_name: zone.streetName,
        street_side: zone.side,
        distance_m: Math.round(meters * 10) / 10,
        situation: situationAt(set.rules, question),
        policies: [...set.policies],
      }
    })
}
