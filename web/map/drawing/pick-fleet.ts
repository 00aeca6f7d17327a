import { clusterRadius } from '../layers/clusters-layer.ts'
import type { FleetPoints } from '../layers/fleet-points.ts'
import { stationReach } from '../layers/stations-layer.ts'
import { vehicleRadius } from '../layers/vehicles-layer.ts'

/** What of a fleet is at a place: by its index. */
export interface Picked {
  kind: 'vehicle' | 'cluster' | 'station'
  index: number
}

interface Pressed {
  lon: number
  lat: number
  zoom: number
  /** Pixels by which a finger or a mouse may miss. */
  slack: number
}

/** What is nearest to a place, within reach; marks that lie over others first. Counted here: asking the graphics card costs a frame. */
export function pickFleet(
  { clusters, stations, count, positions }: FleetPoints,
  { lon, lat, zoom, slack }: Pressed,
): Picked | null {
  const perLon = (512 * 2 ** zoom) / 360
  const perLat = perLon / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  const away = (lon2: number, lat2: number): number =>
    Math.hypot((lon2 - lon) * perLon, (lat2 - lat) * perLat)
  const nearest = <T extends { lon: number; lat: number }>(
    kind: Picked['kind'],
    marks: readonly T[],
    reach: (mark: T) => number,
  ): Picked | null => {
    let [index, best] = [-1, 1]
    for (const [at, mark] of marks.entries()) {
      const part = away(mark.lon, mark.lat) / (reach(mark) + slack)
      if (part < best) [index, best] = [at, part]
    }
    return index < 0 ? null : { kind, index }
  }
  const over =
    nearest('cluster', clusters, (cluster) => clusterRadius(cluster.count)) ??
    nearest('station', stations, () => stationReach)
  if (over) return over
  let [index, best] = [-1, (vehicleRadius + slack) ** 2]
  for (let at = 0; at < count; at++) {
    const x = (positions[2 * at]! - lon) * perLon
    const y = (positions[2 * at + 1]! - lat) * perLat
    const squared = x * x + y * y
    if (squared < best) [index, best] = [at, squared]
  }
  return index < 0 ? null : { kind: 'vehicle', index }
}
