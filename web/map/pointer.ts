import type { MapMouseEvent } from 'maplibre-gl'
import type { MapLayer } from './map-layer.ts'
import type { MapLibreMap } from './new-map.ts'

/** Marks that lie over the shapes. */
export interface Marks {
  at: (lon: number, lat: number) => string | null
  /** Whether the marks answer a press themselves. */
  press: (id: string | null, lon: number, lat: number) => boolean
  /** Whether the pointer is at other work: then nothing under it answers. */
  isBusy?: () => boolean
}

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
  readonly #marks: Marks | null
  #touch: MapLayer['touch'] = null
  #over: string | null = null
  #next: MapMouseEvent | null = null
  #frame = 0

  constructor(
    map: MapLibreMap,
    events: PointerEvents,
    mark: (id: string | null) => void,
    marks: Marks | null = null,
  ) {
    this.#map = map
    this.#events = events
    this.#mark = mark
    this.#marks = marks
    map.on('mousemove', (event) => this.#wait(event))
    map.on('mouseout', () => this.#enter(null))
    map.on('dragstart', () => this.#enter(null))
    map.on('click', (event) => {
      const id = this.#idAt(event)
      if (!marks?.press(id, event.lngLat.lng, event.lngLat.lat)) events.onSelect(id)
    })
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
    this.#enter(this.#marks?.isBusy?.() ? null : this.#idAt(event))
  }

  #enter(id: string | null): void {
    if (id === this.#over) return
    this.#over = id
    this.#mark(id)
    this.#map.getCanvas().style.cursor = id === null ? '' : 'pointer'
    this.#events.onHover(id)
  }

  #idAt(event: MapMouseEvent): string | null {
    const marked = this.#marks?.at(event.lngLat.lng, event.lngLat.lat) ?? null
    if (marked !== null) return marked
    const layers = (this.#touch?.drawings ?? []).filter((id) => this.#map.getLayer(id))
    if (layers.length === 0) return null
    const found = this.#map.queryRenderedFeatures(event.point, { layers })[0]?.properties['shape_uuid']
    return typeof found === 'string' ? found : null
  }
}
