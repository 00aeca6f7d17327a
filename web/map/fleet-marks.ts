import { pickFleet } from './drawing/pick-fleet.ts'
import { fleetEngine } from './fleet-engine.ts'
import type { FleetPoints, FleetSource } from './layers/fleet-points.ts'
import type { MapLibreMap } from './new-map.ts'
import { OverlaySlot } from './overlay-slot.ts'

/** Ids of marks that stand for no single vehicle; no operator's slug has a slash. */
export const clusterMark = (count: number): string => `cluster/${count}`
export const stationMark = (index: number): string => `station/${index}`
export const stationsMark = (count: number, vehicles: number): string => `stations/${count}/${vehicles}`

/** Pixels by which what is pressed may be missed: a finger hides what it touches. */
const slackOf = (isTouched: boolean): number => (isTouched ? 16 : 4)

/** Zoom steps into a cluster that is pressed. */
const steps = 2

/** A fleet on the map: drawn whenever its source has a new one, without anybody in between. */
export class FleetMarks {
  readonly #map: MapLibreMap
  readonly #slot: OverlaySlot<FleetPoints>
  readonly #stop: () => void
  #isReady = false

  constructor(map: MapLibreMap, source: FleetSource) {
    this.#map = map
    this.#slot = new OverlaySlot(map, fleetEngine)
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
    const fleet = this.#slot.shown
    const found =
      fleet &&
      pickFleet(fleet, {
        lon,
        lat,
        zoom: this.#map.getZoom(),
        slack: slackOf(window.matchMedia('(pointer: coarse)').matches),
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
      this.#map.easeTo({ center: [lon, lat], zoom: this.#map.getZoom() + steps })
    return true
  }

  remove(): void {
    this.#stop()
    this.#slot.remove()
  }
}
