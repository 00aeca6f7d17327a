import type { MapLibreMap } from './create-map.ts'
import type { MapLayer, ShapeState } from './map-layer.ts'

/** Applies the feature states of a scene to the map, setting only differences. */
export class FeatureStateSync {
  readonly #map: MapLibreMap
  #target: MapLayer['pointerTarget'] = null
  #applied: ReadonlyMap<string, ShapeState> = new Map()
  #selected: string | null = null
  #hovered: string | null = null

  constructor(map: MapLibreMap) {
    this.#map = map
  }

  show(layer: MapLayer | null, selected: string | null): void {
    const target = layer?.pointerTarget ?? null
    if (target?.source !== this.#target?.source) {
      // The states were removed together with the old source.
      this.#applied = new Map()
      this.#selected = null
      this.#hovered = null
    }
    this.#target = target
    if (!layer || !target) return
    if (layer.states !== this.#applied) {
      for (const [id, state] of layer.states)
        if (!isSameState(state, this.#applied.get(id))) this.#set(id, state)
      for (const [id, state] of this.#applied)
        if (!layer.states.has(id)) for (const key of Object.keys(state)) this.#remove(id, key)
      this.#applied = layer.states
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
    if (this.#target)
      this.#map.setFeatureState(
        { source: this.#target.source, sourceLayer: this.#target.sourceLayer, id },
        state,
      )
  }

  #remove(id: string, key: string): void {
    if (this.#target)
      this.#map.removeFeatureState(
        { source: this.#target.source, sourceLayer: this.#target.sourceLayer, id },
        key,
      )
  }
}

const isSameState = (a: ShapeState, b: ShapeState | undefined): boolean =>
  a === b || (b !== undefined && Object.keys({ ...a, ...b }).every((key) => a[key] === b[key]))
