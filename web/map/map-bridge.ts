import type { StyleSpecification } from 'maplibre-gl'
import type { Box } from '#contract/place.ts'
import { dataColors } from '#web/kit/theme.ts'
import { composeStyle, firstLabelId } from './rendering/compose-style.ts'
import { hatch, hatchName } from './layers/colors.ts'
import { FleetMarks } from './fleet-marks.ts'
import type { FleetSource } from './layers/fleet-points.ts'
import type { HeatPoints } from './layers/heat-points.ts'
import type { MapLayer } from './map-layer.ts'
import type { MapScene } from './map-scene.ts'
import { createMap, type MapOptions, type MapLibreMap } from './create-map.ts'
import { OverlaySlot } from './overlay-slot.ts'
import { Pointer, type Marks } from './pointer.ts'
import { watchAttribution } from './attribution/watch-attribution.ts'
import { FeatureStateSync } from './feature-state-sync.ts'
import type { Viewport } from './viewport.ts'
import type { DrawingBoard } from './drawing-tools/drawing-board.ts'

/** Half the size of the area around a corner handle in which a click belongs to it. */
const handleHitRadiusPx = 14
/** Maximum zoom at which a small box is shown, so that its surroundings remain visible. */
const smallBoxZoom = 14

/** Loads the drawing engine with the first board. While it draws, shapes under the pointer do not react. */
class DrawingSlot implements Marks {
  readonly #map: MapLibreMap
  readonly #slot: OverlaySlot<DrawingBoard>

  constructor(map: MapLibreMap) {
    this.#map = map
    this.#slot = new OverlaySlot(
      map,
      async () => (await import('./drawing-tools/drawing-overlay.ts')).createDrawingOverlay,
    )
  }
  show(board: DrawingBoard | null | undefined): void {
    // Pages with drawing tools pass a board or null. Clicks while an engine loads are lost: load it early.
    if (board !== undefined) this.#slot.preload()
    this.#slot.show(board ?? null)
  }
  remove(): void {
    this.#slot.remove()
  }
  isBusy(): boolean {
    const board = this.#slot.current
    return board !== null && board.tool !== 'corners'
  }
  idAt(): null {
    return null
  }
  handleClick(_id: string | null, lon: number, lat: number): boolean {
    if (this.#slot.current === null) return false
    if (this.isBusy()) return true
    if (!this.#map.getLayer('td-point')) return false
    const { x, y } = this.#map.project([lon, lat])
    return (
      this.#map.queryRenderedFeatures(
        [
          [x - handleHitRadiusPx, y - handleHitRadiusPx],
          [x + handleHitRadiusPx, y + handleHitRadiusPx],
        ],
        { layers: ['td-point'] },
      ).length > 0
    )
  }
}

const isDrawingId = (id: string): boolean => id.startsWith('td-')

/** Retains the sources and layers of the drawing engine, which our styles do not contain, in a new style. */
export function preserveDrawing(
  previous: StyleSpecification | undefined,
  next: StyleSpecification,
): StyleSpecification {
  const sources = Object.entries(previous?.sources ?? {}).filter(([id]) => isDrawingId(id))
  if (sources.length === 0) return next
  return {
    ...next,
    sources: { ...next.sources, ...Object.fromEntries(sources) },
    layers: [...next.layers, ...(previous?.layers ?? []).filter(({ id }) => isDrawingId(id))],
  }
}

/** What the user does on the map. */
export interface BridgeEvents {
  onViewChange: (view: Viewport) => void
  /** Called with the shape under the pointer, or null. */
  onHover: (id: string | null) => void
  onPointer: (x: number, y: number) => void
  onSelect: (id: string | null) => void
  /** Called with the position of a click that hit no feature. */
  onPress?: (lon: number, lat: number) => void
  /** Called with the attributions of the drawn sources, as HTML. */
  onAttribution?: (texts: readonly string[]) => void
  /** Called at every step of a movement. */
  onMove?: (view: Viewport) => void
}

interface BridgeInput {
  container: HTMLElement
  scene: MapScene
  options: MapOptions
  events: BridgeEvents
  /** Vehicles drawn as marks; null for maps without a fleet. */
  fleet?: FleetSource | null | undefined
}

/** Owns the one map object. Its only input is scenes; unchanged parts of a scene are not applied again. */
export class MapBridge {
  readonly #map: MapLibreMap
  readonly #states: FeatureStateSync
  readonly #pointer: Pointer
  readonly #heat: OverlaySlot<HeatPoints>
  readonly #fleet: FleetMarks | null
  readonly #drawing: DrawingSlot
  #scene: MapScene
  #stateOverride: MapLayer['states'] | null = null
  #isReady = false

  constructor({ container, scene, options, events, fleet = null }: BridgeInput) {
    this.#scene = scene
    this.#map = createMap(container, composeStyle(scene), options)
    this.#states = new FeatureStateSync(this.#map)
    this.#heat = new OverlaySlot(
      this.#map,
      async () => (await import('./rendering/heat-overlay.ts')).createHeatOverlay,
    )
    this.#fleet = fleet && new FleetMarks(this.#map, fleet)
    this.#drawing = new DrawingSlot(this.#map)
    this.#pointer = new Pointer(
      this.#map,
      events,
      (id) => this.#states.hover(id),
      this.#fleet ?? this.#drawing,
    )
    this.#map.once('style.load', () => this.#start())
    this.#map.on('moveend', () => events.onViewChange(this.view()))
    if (events.onAttribution) watchAttribution(this.#map, events.onAttribution)
    this.#map.on('move', () => events.onMove?.(this.view()))
  }
  show(scene: MapScene): void {
    const previous = this.#scene
    this.#scene = scene
    if (!this.#isReady) return
    if (
      scene.basemap !== previous.basemap ||
      scene.scheme !== previous.scheme ||
      !haveSameDrawings(previous.layers, scene.layers)
    ) {
      const style = composeStyle(scene)
      this.#map.setStyle(style, { diff: true, validate: false, transformStyle: preserveDrawing })
      this.#heat.setBeforeLayer(firstLabelId(style))
    }
    this.#apply()
  }

  /** Overrides the shape states of the lowest layer until called with null; at each step of a playback. */
  paint(states: MapLayer['states'] | null): void {
    this.#stateOverride = states
    if (this.#isReady) this.#showStates()
  }
  view(): Viewport {
    const { lng, lat } = this.#map.getCenter()
    return { lon: lng, lat, zoom: this.#map.getZoom() }
  }

  /** Flies to a box with at least `minZoom`; `padding` is the space covered by floating panels. */
  fly(
    box: Box,
    minZoom: number,
    padding: { top: number; right: number; bottom: number; left: number },
  ): void {
    // The camera must be computed for the final zoom, because the padding is in pixels.
    const camera = this.#map.cameraForBounds(box, { padding, maxZoom: Math.max(smallBoxZoom, minZoom) })
    if (camera?.center)
      this.#map.flyTo({
        center: camera.center,
        zoom: Math.max(minZoom, camera.zoom ?? minZoom),
        duration: 900,
      })
  }

  /** Jumps to a view without animation. */
  jumpTo({ lon, lat, zoom }: Viewport): void {
    this.#map.jumpTo({ center: [lon, lat], zoom })
  }

  /** Whether a box is completely visible. */
  shows([west, south, east, north]: Box): boolean {
    const bounds = this.#map.getBounds()
    return bounds.contains([west, south]) && bounds.contains([east, north])
  }
  focus(): void {
    this.#map.getCanvas().focus()
  }
  remove(): void {
    this.#pointer.remove()
    this.#heat.remove()
    this.#fleet?.remove()
    this.#drawing.remove()
    this.#map.remove()
  }

  #start(): void {
    this.#isReady = true
    for (const scheme of ['light', 'dark'] as const)
      this.#map.addImage(hatchName(scheme), hatch(dataColors[scheme].noData), { pixelRatio: 1 })
    const style = composeStyle(this.#scene)
    this.#map.setStyle(style, { diff: true, validate: false, transformStyle: preserveDrawing })
    this.#heat.setBeforeLayer(firstLabelId(style))
    this.#apply()
  }

  #apply(): void {
    const { layers, heat, board } = this.#scene
    this.#pointer.setTargets(layers.flatMap(({ pointerTarget }) => pointerTarget ?? []))
    this.#showStates()
    this.#heat.show(heat)
    this.#drawing.show(board)
  }

  #showStates(): void {
    const { layers, selected } = this.#scene
    const states = this.#stateOverride
    this.#states.show(
      states ? layers.map((layer, index) => (index === 0 ? { ...layer, states } : layer)) : layers,
      selected,
    )
  }
}

/** Whether layers differ at most in states, which need no new style. */
const haveSameDrawings = (previous: readonly MapLayer[], next: readonly MapLayer[]): boolean =>
  previous === next ||
  (previous.length === next.length &&
    previous.every((layer, index) => {
      const { sources, areas, drawings, labels } = next[index]!
      const hasSameLayers = layer.areas === areas && layer.drawings === drawings && layer.labels === labels
      return layer.sources === sources && hasSameLayers
    }))
