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

/** Finds the nearest mark within the tolerance, upper ones first. On the CPU: the GPU costs a frame. */
export function pickFleet(
  { clusters, stations, count, positions }: FleetPoints,
  { lon, lat, zoom, tolerancePx }: ClickPosition,
): FleetHit | null {
  // The map is 512 pixels wide at zoom 0. At the poles, the cosine is 0.
  const pxPerLon = (512 * 2 ** zoom) / 360
  const pxPerLat = pxPerLon / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  const pixelDistance = (markLon: number, markLat: number): number =>
    Math.hypot((markLon - lon) * pxPerLon, (markLat - lat) * pxPerLat)
  const findNearest = <T extends { lon: number; lat: number }>(
    kind: FleetHit['kind'],
    marks: readonly T[],
    getRadiusPx: (mark: T) => number,
  ): FleetHit | null => {
    let nearestIndex = -1
    // Distance relative to the radius; above 1, the position is outside of the mark.
    let minRatio = 1
    for (const [index, mark] of marks.entries()) {
      const ratio = pixelDistance(mark.lon, mark.lat) / (getRadiusPx(mark) + tolerancePx)
      if (ratio < minRatio) {
        nearestIndex = index
        minRatio = ratio
      }
    }
    return nearestIndex < 0 ? null : { kind, index: nearestIndex }
  }
  const markHit =
    findNearest('cluster', clusters, (cluster) => clusterRadiusPx(cluster.count)) ??
    findNearest('station', stations, () => stationRadiusPx)
  if (markHit) return markHit
  let nearestIndex = -1
  let minSquaredDistance = (vehicleRadiusPx + tolerancePx) ** 2
  for (let index = 0; index < count; index++) {
    const x = (positions[2 * index]! - lon) * pxPerLon
    const y = (positions[2 * index + 1]! - lat) * pxPerLat
    const squaredDistance = x * x + y * y
    // Without a position, the distance is NaN.
    if (squaredDistance < minSquaredDistance) {
      nearestIndex = index
      minSquaredDistance = squaredDistance
    }
  }
  return nearestIndex < 0 ? null : { kind: 'vehicle', index: nearestIndex }
}

// Ids of marks other than single vehicles contain a slash, those of vehicles do not, because slugs have none.
/** Returns the id of a cluster of vehicles. */
export const clusterMark = (count: number): string => `cluster/${count}`
/** Returns the id of a station by its index. */
export const stationMark = (index: number): string => `station/${index}`
/** Returns the id of merged stations, with the number of stations and of their vehicles. */
export const stationsMark = (count: number, vehicles: number): string => `stations/${count}/${vehicles}`

type ParsedMark =
  | { kind: 'vehicle' }
  | { kind: 'cluster'; count: number }
  | { kind: 'station'; index: number }
  | { kind: 'stations'; count: number; vehicles: number }

/** Parses the id of a mark; all other ids are vehicles. */
export function parseMarkId(id: string): ParsedMark {
  const [kind, count, vehicles] = id.split('/')
  if (count === undefined) return { kind: 'vehicle' }
  if (kind === 'cluster') return { kind, count: Number(count) }
  if (kind === 'stations') return { kind, count: Number(count), vehicles: Number(vehicles) }
  return { kind: 'station', index: Number(count) }
}

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
