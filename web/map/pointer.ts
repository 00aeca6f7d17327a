import type { MapMouseEvent } from 'maplibre-gl'
import type { PointerTarget } from './map-layer.ts'
import type { MapLibreMap } from './create-map.ts'

/** Marks that are drawn above the shapes. */
export interface Marks {
  /** Id of the mark at a position; null if there is none. */
  idAt: (lon: number, lat: number) => string | null
  /** Handles a click; returns whether it was handled. */
  handleClick: (id: string | null, lon: number, lat: number) => boolean
  /** Whether the pointer is in use, so that nothing below it reacts. */
  isBusy?: () => boolean
}

interface PointerEvents {
  onHover: (id: string | null) => void
  onPointer: (x: number, y: number) => void
  onSelect: (id: string | null) => void
  /** Called with the position of a click that hit no feature. */
  onPress?: (lon: number, lat: number) => void
}

/** Reports what is under the pointer, on changes only. */
export class Pointer {
  readonly #map: MapLibreMap
  readonly #events: PointerEvents
  readonly #onHighlight: (id: string | null) => void
  readonly #marks: Marks | null
  #targets: readonly PointerTarget[] = []
  #hoveredId: string | null = null
  #pendingEvent: MapMouseEvent | null = null
  #frame = 0

  constructor(
    map: MapLibreMap,
    events: PointerEvents,
    onHighlight: (id: string | null) => void,
    marks: Marks | null = null,
  ) {
    this.#map = map
    this.#events = events
    this.#onHighlight = onHighlight
    this.#marks = marks
    map.on('mousemove', (event) => this.#scheduleHover(event))
    map.on('mouseout', () => this.#setHovered(null))
    map.on('dragstart', () => this.#setHovered(null))
    map.on('click', (event) => {
      const id = this.#idAt(event)
      const { lng, lat } = event.lngLat
      if (marks?.handleClick(id, lng, lat)) return
      events.onSelect(id)
      if (id === null) events.onPress?.(lng, lat)
    })
  }

  /** Shapes that react, from bottom to top. */
  setTargets(targets: readonly PointerTarget[]): void {
    if (joinSources(targets) !== joinSources(this.#targets)) this.#setHovered(null)
    this.#targets = targets
  }
  remove(): void {
    cancelAnimationFrame(this.#frame)
  }

  /** Updates the hovered shape at most once per frame, because mouse events are more frequent. */
  #scheduleHover(event: MapMouseEvent): void {
    if (this.#pendingEvent === null) this.#frame = requestAnimationFrame(() => this.#updateHover())
    this.#pendingEvent = event
  }

  #updateHover(): void {
    const event = this.#pendingEvent
    this.#pendingEvent = null
    if (!event || this.#map.isMoving()) return
    this.#events.onPointer(event.point.x, event.point.y)
    this.#setHovered(this.#marks?.isBusy?.() ? null : this.#idAt(event))
  }

  #setHovered(id: string | null): void {
    if (id === this.#hoveredId) return
    this.#hoveredId = id
    this.#onHighlight(id)
    this.#map.getCanvas().style.cursor = id === null ? '' : 'pointer'
    this.#events.onHover(id)
  }

  #idAt(event: MapMouseEvent): string | null {
    const markId = this.#marks?.idAt(event.lngLat.lng, event.lngLat.lat) ?? null
    if (markId !== null) return markId
    const layers = this.#targets.flatMap(({ drawings }) => drawings).filter((id) => this.#map.getLayer(id))
    if (layers.length === 0) return null
    // The first feature is the topmost one across all layers.
    const feature = this.#map.queryRenderedFeatures(event.point, { layers })[0]
    const target = this.#targets.find(({ source }) => source === feature?.source)
    const id: unknown = target && feature?.properties[target.idProperty]
    return typeof id === 'string' || typeof id === 'number' ? String(id) : null
  }
}

const joinSources = (targets: readonly PointerTarget[]): string =>
  targets.map(({ source }) => source).join('\n')
