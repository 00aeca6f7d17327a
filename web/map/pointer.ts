import type { MapMouseEvent } from 'maplibre-gl'
import type { MapLayer } from './map-layer.ts'
import type { MapLibreMap } from './new-map.ts'

interface PointerEvents {
  onHover: (id: string | null) => void
  onPointer: (x: number, y: number) => void
  onSelect: (id: string | null) => void
}

/** What the pointer touches: told when it changes, not with every move. */
export class Pointer {
  readonly #map: MapLibreMap
  readonly #events: PointerEvents
  readonly #mark: (id: string | null) => void
  #touch: MapLayer['touch'] = null
  #over: string | null = null
  #next: MapMouseEvent | null = null
  #frame = 0

  constructor(map: MapLibreMap, events: PointerEvents, mark: (id: string | null) => void) {
    this.#map = map
    this.#events = events
    this.#mark = mark
    map.on('mousemove', (event) => this.#wait(event))
    map.on('mouseout', () => this.#enter(null))
    map.on('dragstart', () => this.#enter(null))
    map.on('click', (event) => events.onSelect(this.#idAt(event)))
  }

  touch(touch: MapLayer['touch']): void {
    if (touch?.source !== this.#touch?.source) this.#enter(null)
    this.#touch = touch
  }

  remove(): void {
    cancelAnimationFrame(this.#frame)
  }

  /** A mouse can move many times a frame; the map is asked once. */
  #wait(event: MapMouseEvent): void {
    if (this.#next === null) this.#frame = requestAnimationFrame(() => this.#look())
    this.#next = event
  }

  #look(): void {
    const event = this.#next
    this.#next = null
    if (!event || this.#map.isMoving()) return
    this.#events.onPointer(event.point.x, event.point.y)
    this.#enter(this.#idAt(event))
  }

  #enter(id: string | null): void {
    if (id === this.#over) return
    this.#over = id
    this.#mark(id)
    this.#map.getCanvas().style.cursor = id === null ? '' : 'pointer'
    this.#events.onHover(id)
  }

  #idAt(event: MapMouseEvent): string | null {
    const layers = (this.#touch?.drawings ?? []).filter((id) => this.#map.getLayer(id))
    if (layers.length === 0) return null
    const found = this.#map.queryRenderedFeatures(event.point, { layers })[0]?.properties['shape_uuid']
    return typeof found === 'string' ? found : null
  }
}
