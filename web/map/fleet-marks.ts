import { loadFleetOverlay } from './fleet-engine.ts'
import type { FleetPoints, FleetSource } from './layers/fleet-points.ts'
import type { MapLibreMap } from './create-map.ts'
import { OverlaySlot } from './overlay-slot.ts'
import { clusterRadiusPx } from './layers/clusters-layer.ts'
import { stationRadiusPx } from './layers/stations-layer.ts'
import { vehicleRadiusPx } from './layers/vehicles-layer.ts'

/** What of a fleet is at a place: by its index. */
interface FleetHit {
  kind: 'vehicle' | 'cluster' | 'station'
  index: number
}

interface PressedPlace {
  lon: number
  lat: number
  zoom: number
  /** Pixels by which a finger or a mouse may miss. */
  tolerancePx: number
}

/** What is nearest to a place, within reach; marks that lie over others first. Counted here: asking the graphics card costs a frame. */
export function pickFleet(
  { clusters, stations, count, positions }: FleetPoints,
  { lon, lat, zoom, tolerancePx: slack }: PressedPlace,
): FleetHit | null {
  const perLon = (512 * 2 ** zoom) / 360
  const perLat = perLon / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  const pixelDistance = (lon2: number, lat2: number): number =>
    Math.hypot((lon2 - lon) * perLon, (lat2 - lat) * perLat)
  const nearest = <T extends { lon: number; lat: number }>(
    kind: FleetHit['kind'],
    marks: readonly T[],
    reach: (mark: T) => number,
  ): FleetHit | null => {
    let [index, best] = [-1, 1]
    for (const [at, mark] of marks.entries()) {
      const part = pixelDistance(mark.lon, mark.lat) / (reach(mark) + slack)
      if (part < best) [index, best] = [at, part]
    }
    return index < 0 ? null : { kind, index }
  }
  const markHit =
    nearest('cluster', clusters, (cluster) => clusterRadiusPx(cluster.count)) ??
    nearest('station', stations, () => stationRadiusPx)
  if (markHit) return markHit
  let [index, best] = [-1, (vehicleRadiusPx + slack) ** 2]
  for (let at = 0; at < count; at++) {
    const x = (positions[2 * at]! - lon) * perLon
    const y = (positions[2 * at + 1]! - lat) * perLat
    const squared = x * x + y * y
    if (squared < best) [index, best] = [at, squared]
  }
  return index < 0 ? null : { kind: 'vehicle', index }
}

/** Ids of marks that stand for no single vehicle; no operator's slug has a slash. */
export const clusterMark = (count: number): string => `cluster/${count}`
export const stationMark = (index: number): string => `station/${index}`
export const stationsMark = (count: number, vehicles: number): string => `stations/${count}/${vehicles}`

/** Pixels by which what is pressed may be missed: a finger hides what it touches. */
const pressTolerancePx = (isTouch: boolean): number => (isTouch ? 16 : 4)

/** Zoom steps into a cluster that is pressed. */
const clusterZoomSteps = 2

/** A fleet on the map: drawn whenever its source has a new one, without anybody in between. */
export class FleetMarks {
  readonly #map: MapLibreMap
  readonly #slot: OverlaySlot<FleetPoints>
  readonly #stop: () => void
  #isReady = false

  constructor(map: MapLibreMap, source: FleetSource) {
    this.#map = map
    this.#slot = new OverlaySlot(map, loadFleetOverlay)
    const show = (): void => {
      if (this.#isReady) this.#slot.show(source.read())
    }
    this.#stop = source.watch(show)
    map.once('style.load', () => {
      this.#isReady = true
      show()
    })
  }

  /** What is at a place of the map. */
  at(lon: number, lat: number): string | null {
    const fleet = this.#slot.current
    const found =
      fleet &&
      pickFleet(fleet, {
        lon,
        lat,
        zoom: this.#map.getZoom(),
        tolerancePx: pressTolerancePx(window.matchMedia('(pointer: coarse)').matches),
      })
    if (!found) return null
    if (found.kind === 'vehicle') return fleet.idOf(found.index)
    return found.kind === 'station'
      ? fleet.stations[found.index]!.id
      : clusterMark(fleet.clusters[found.index]!.count)
  }

  /** A press on what is no vehicle: into what stands together; nothing else. Answers whether that was all. */
  press(id: string | null, lon: number, lat: number): boolean {
    if (id === null || !id.includes('/')) return false
    if (!id.startsWith('station/'))
      this.#map.easeTo({ center: [lon, lat], zoom: this.#map.getZoom() + clusterZoomSteps })
    return true
  }

  remove(): void {
    this.#stop()
    this.#slot.remove()
  }
}
