import type { Box } from '#contract/place.ts'
import { dataColours } from '#web/kit/theme.ts'
import { composeStyle, firstLabelOf } from './drawing/compose-style.ts'
import { hatch, hatchName } from './drawing/hatch.ts'
import { HeatSlot } from './heat-slot.ts'
import type { MapScene } from './map-scene.ts'
import { setup, type MapOptions, type MapLibreMap } from './new-map.ts'
import { Pointer } from './pointer.ts'
import { StateKeeper } from './state-keeper.ts'
import type { Viewport } from './viewport.ts'

export interface BridgeEvents {
  onView: (view: Viewport) => void
  /** A shape under the pointer, and where it is; null when there is none any more. */
  onHover: (id: string | null) => void
  onPointer: (x: number, y: number) => void
  onSelect: (id: string | null) => void
}

/** The one map object. It is fed scenes and nothing else; what a scene has in common with the one before is not touched. */
export class MapBridge {
  readonly #map: MapLibreMap
  readonly #states: StateKeeper
  readonly #pointer: Pointer
  readonly #heat: HeatSlot
  #shown: MapScene
  #ready = false

  constructor(container: HTMLElement, scene: MapScene, options: MapOptions, events: BridgeEvents) {
    this.#shown = scene
    this.#map = setup(container, composeStyle(scene), options)
    this.#states = new StateKeeper(this.#map)
    this.#heat = new HeatSlot(this.#map)
    this.#pointer = new Pointer(this.#map, events, (id) => this.#states.hover(id))
    this.#map.once('style.load', () => this.#start())
    this.#map.on('moveend', () => events.onView(this.view()))
  }

  show(scene: MapScene): void {
    const before = this.#shown
    this.#shown = scene
    if (!this.#ready) return
    if (scene.basemap !== before.basemap || scene.scheme !== before.scheme || scene.layer !== before.layer) {
      const style = composeStyle(scene)
      this.#map.setStyle(style, { diff: true, validate: false })
      this.#heat.below(firstLabelOf(style))
    }
    this.#apply()
  }

  view(): Viewport {
    const { lng, lat } = this.#map.getCenter()
    return { lon: lng, lat, zoom: this.#map.getZoom() }
  }

  /** Goes to a box, from zoom `least` on; `padding` keeps it clear of what floats over the map. */
  fly(box: Box, least: number, padding: { top: number; right: number; bottom: number; left: number }): void {
    const camera = this.#map.cameraForBounds(box, { padding, maxZoom: 14 })
    if (camera?.center) this.#map.flyTo({ center: camera.center, zoom: Math.max(least, camera.zoom ?? least), duration: 900 })
  }

  focus(): void {
    this.#map.getCanvas().focus()
  }

  remove(): void {
    this.#pointer.remove()
    this.#heat.remove()
    this.#map.remove()
  }

  #start(): void {
    this.#ready = true
    for (const scheme of ['light', 'dark'] as const) this.#map.addImage(hatchName(scheme), hatch(dataColours[scheme].noData), { pixelRatio: 1 })
    const style = composeStyle(this.#shown)
    this.#map.setStyle(style, { diff: true, validate: false })
    this.#heat.below(firstLabelOf(style))
    this.#apply()
  }

  #apply(): void {
    const { layer, selected, heat } = this.#shown
    this.#pointer.touch(layer?.touch ?? null)
    this.#states.show(layer, selected)
    this.#heat.show(heat)
  }
}
