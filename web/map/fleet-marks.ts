import { loadFleetOverlay } from './fleet-engine.ts'
import type { FleetPoints, FleetSource } from './layers/fleet-points.ts'
import type { MapLibreMap } from './create-map.ts'
import { OverlaySlot } from './overlay-slot.ts'
import { clusterRadiusPx, stationRadiusPx, vehicleRadiusPx } from './layers/fleet-layers.ts'

/** The mark at a position, by its index among the marks of its kind. */
interface FleetHit {
  kind: 'vehicle' | 'cluster' | 'station'
  index: number
}

interface ClickPosition {
  lon: number
  lat: number
  zoom: number
  /** Distance from a mark at which a click still hits it; larger for fingers. */
  tolerancePx: number
}

/**
 * Finds the nearest mark within the tolerance; marks that are drawn above others come first. Computed on the
 * CPU, because picking on the GPU costs a frame.
 */
export function pickFleet(
  { clusters, stations, count, positions }: FleetPoints,
  { lon, lat, zoom, tolerancePx }: ClickPosition,
): FleetHit | null {
  const perLon = (512 * 2 ** zoom) / 360
  const perLat = perLon / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  const pixelDistance = (lon2: number, lat2: number): number =>
    Math.hypot((lon2 - lon) * perLon, (lat2 - lat) * perLat)
  const findNearest = <T extends { lon: number; lat: number }>(
    kind: FleetHit['kind'],
    marks: readonly T[],
    getRadiusPx: (mark: T) => number,
  ): FleetHit | null => {
    let [index, bestRatio] = [-1, 1]
    for (const [i, mark] of marks.entries()) {
      const ratio = pixelDistance(mark.lon, mark.lat) / (getRadiusPx(mark) + tolerancePx)
      if (ratio < bestRatio) [index, bestRatio] = [i, ratio]
    }
    return index < 0 ? null : { kind, index }
  }
  const markHit =
    findNearest('cluster', clusters, (cluster) => clusterRadiusPx(cluster.count)) ??
    findNearest('station', stations, () => stationRadiusPx)
  if (markHit) return markHit
  let [index, nearest] = [-1, (vehicleRadiusPx + tolerancePx) ** 2]
  for (let i = 0; i < count; i++) {
    const x = (positions[2 * i]! - lon) * perLon
    const y = (positions[2 * i + 1]! - lat) * perLat
    const squaredDistance = x * x + y * y
    if (squaredDistance < nearest) [index, nearest] = [i, squaredDistance]
  }
  return index < 0 ? null : { kind: 'vehicle', index }
}

/** Ids of marks other than single vehicles. The slash tells them apart: operator slugs contain none. */
export const clusterMark = (count: number): string => `cluster/${count}`
export const stationMark = (index: number): string => `station/${index}`
export const stationsMark = (count: number, vehicles: number): string => `stations/${count}/${vehicles}`

/** Tolerance of a click in pixels; larger for touch, because a finger hides its target. */
const clickTolerancePx = (isTouch: boolean): number => (isTouch ? 16 : 4)

/** Zoom levels to zoom in when a cluster is clicked. */
const clusterZoomSteps = 2

/** Draws a fleet on the map whenever its source changes, bypassing React. */
export class FleetMarks {
  readonly #map: MapLibreMap
  readonly #slot: OverlaySlot<FleetPoints>
  readonly #stop: () => void
  #isReady = false

  constructor(map: MapLibreMap, source: FleetSource) {
    this.#map = map
    this.#slot = new OverlaySlot(map, loadFleetOverlay)
    const showFleet = (): void => {
      if (this.#isReady) this.#slot.show(source.read())
    }
    this.#stop = source.watch(showFleet)
    map.once('style.load', () => {
      this.#isReady = true
      showFleet()
    })
  }

  /** Id of the mark at a position. */
  idAt(lon: number, lat: number): string | null {
    const fleet = this.#slot.current
    const hit =
      fleet &&
      pickFleet(fleet, {
        lon,
        lat,
        zoom: this.#map.getZoom(),
        tolerancePx: clickTolerancePx(window.matchMedia('(pointer: coarse)').matches),
      })
    if (!hit) return null
    if (hit.kind === 'vehicle') return fleet.getId(hit.index)
    return hit.kind === 'station'
      ? fleet.stations[hit.index]!.id
      : clusterMark(fleet.clusters[hit.index]!.count)
  }

  /** Handles a click on a cluster or station: clusters zoom in. Returns whether the click was handled. */
  handleClick(id: string | null, lon: number, lat: number): boolean {
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
