import type { LiveStation } from '#contract/vehicles.ts'
import { stationMark, stationsMark } from '#web/map/fleet-marks.ts'
import type { StationMark } from '#web/map/layers/fleet-points.ts'
import { clusterGrid, clusterZoom } from './cluster-grid.ts'

const markOf = ({ lon, lat }: { lon: number; lat: number }, id: string, vehicles: number): StationMark => ({
  id,
  lon,
  lat,
  text: String(vehicles),
  isEmpty: vehicles === 0,
})

/** Stations as squares with their vehicles; below the zoom of clusters, those that would touch as one square with all of theirs. */
export function stationMarks(stations: readonly LiveStation[], zoom: number): StationMark[] {
  const single = (index: number): StationMark =>
    markOf(stations[index]!, stationMark(index), stations[index]!.vehicles_available)
  if (zoom >= clusterZoom) return stations.map((_, index) => single(index))
  const places = {
    lon: Float64Array.from(stations, ({ lon }) => lon),
    lat: Float64Array.from(stations, ({ lat }) => lat),
  }
  const { alone, clusters } = clusterGrid(
    places,
    Uint32Array.from(stations.keys()),
    Math.floor(zoom * 2) / 2,
    Float64Array.from(stations, (station) => station.vehicles_available),
  )
  return [
    ...Array.from(alone, single),
    ...clusters.map((cluster) =>
      markOf(cluster, stationsMark(cluster.count, cluster.weight), cluster.weight),
    ),
  ]
}
