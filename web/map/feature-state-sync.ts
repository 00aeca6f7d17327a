import type { MapLibreMap } from './create-map.ts'
import type { MapLayer, PointerTarget, ShapeState } from './map-layer.ts'

/** Applies the feature states of the layers of a scene to the map, setting only differences. */
export class FeatureStateSync {
  readonly #map: MapLibreMap
  #sources = new Map<string, SourceStates>()

  constructor(map: MapLibreMap) {
    this.#map = map
  }

  /** Shows the states of layers, and selects the shape with the id `selected` in any of them. */
  show(layers: readonly MapLayer[], selected: string | null): void {
    const previous = this.#sources
    // MapLibre removes the states of a source together with the source.
    this.#sources = new Map()
    for (const { pointerTarget: target, states } of layers) {
      if (!target) continue
      const source = previous.get(target.source) ?? new SourceStates(this.#map, target)
      this.#sources.set(target.source, source)
      source.show(states, selected)
    }
  }
  hover(id: string | null): void {
    for (const source of this.#sources.values()) source.hover(id)
  }
}

class SourceStates {
  readonly #map: MapLibreMap
  readonly #target: { source: string; sourceLayer?: string }
  #applied: ReadonlyMap<string, ShapeState> = new Map()
  #selected: string | null = null
  #hovered: string | null = null

  constructor(map: MapLibreMap, { source, sourceLayer }: PointerTarget) {
    this.#map = map
    this.#target = sourceLayer === null ? { source } : { source, sourceLayer }
  }
  show(states: MapLayer['states'], selected: string | null): void {
    if (states !== this.#applied) {
      for (const [id, state] of states) if (!isSameState(state, this.#applied.get(id))) this.#set(id, state)
      for (const [id, state] of this.#applied)
        if (!states.has(id)) for (const key of Object.keys(state)) this.#remove(id, key)
      this.#applied = states
    }
    this.#selected = this.#move('selected', this.#selected, selected)
  }
  hover(id: string | null): void {
    this.#hovered = this.#move('hover', this.#hovered, id)
  }

  #move(key: 'hover' | 'selected', from: string | null, to: string | null): string | null {
    if (from === to) return to
    if (from !== null) this.#remove(from, key)
    if (to !== null) this.#set(to, { [key]: true })
    return to
  }

  #set(id: string, state: ShapeState): void {
    this.#map.setFeatureState({ ...this.#target, id }, state)
  }

  #remove(id: string, key: string): void {
    this.#map.removeFeatureState({ ...this.#target, id }, key)
  }
}

const isSameState = (a: ShapeState, b: ShapeState | undefined): boolean =>
  a === b || (b !== undefined && Object.keys({ ...a, ...b }).every((key) => a[key] === b[key]))
