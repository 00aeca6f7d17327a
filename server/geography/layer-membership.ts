import type { Layer } from '#contract/geography.ts'
import { type Area, type Geometry, isArea, polygonsOf } from '#contract/place.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { layerGeometries } from './find-shapes.ts'
import { growShape } from './grow-shape.ts'
import { buildIndexes } from './membership/build-index.ts'
import type { StoredIndex } from './face-sql.ts'
import { blockCode, type LayerIndex } from './membership/layer-index.ts'
import { dropIndexes, keptIndexes, storeIndexes } from './membership/store-index.ts'
import { Recent } from './recent.ts'

/** A layer ready to be asked: shape `number` n is `shapeIds[n - 1]`. */
export interface Membership {
  indexes: StoredIndex[]
  shapeIds: string[]
}

const grown = (geometry: Geometry, buffer: number): Geometry | null => (buffer > 0 ? (growShape(geometry, buffer) as Area | null) : geometry)

/** Whether shapes overlap by more than a sliver: some whole cell is in two of them. Where they had to be split over several indexes they do. */
const overlap = (indexes: readonly LayerIndex[]): boolean => indexes.length > 1 || indexes.some(({ codes, faces }) => codes.some((code) => code < blockCode && (faces[code]?.length ?? 0) > 1))

/** Gives points to the shapes of layers: an index by layer content and buffer, built once and kept in the fact store. */
export class LayerMembership {
  readonly #state: State
  readonly #facts: Facts
  /** The least recently asked for are dropped from the fact store too. */
  readonly #ready = new Recent<Promise<Membership>>(64, (content) => void dropIndexes(this.#facts, content).catch(() => undefined))
  constructor(state: State, facts: Facts) {
    this.#state = state
    this.#facts = facts
  }

  async #make(scope: Scope, layer: Layer, buffer: number, content: string): Promise<Membership> {
    const shapes = await layerGeometries(this.#state, scope, layer.shape_layer_uuid)
    const shapeIds = shapes.map(({ shapeId }) => shapeId)
    const kept = await keptIndexes(this.#facts, scope, content)
    if (kept) return { indexes: kept, shapeIds }
    const numbered = shapes.flatMap(({ geometry }, at) => {
      const area = grown(geometry, buffer)
      return area && isArea(area) ? [{ number: at + 1, rings: polygonsOf(area).flat() }] : []
    })
    const built = buildIndexes(numbered)
    if (buffer === 0) await this.#state.as(scope).updateTable('layer').set({ has_overlaps: overlap(built) }).where('layer_id', '=', layer.shape_layer_uuid).execute()
    return { indexes: await storeIndexes(this.#facts, content, built), shapeIds }
  }

  /** The membership of a layer whose shapes are grown by `buffer` metres. */
  of(scope: Scope, layer: Layer, buffer: number): Promise<Membership> {
    const content = `${layer.content_hash} ${buffer}`
    return this.#ready.getOrMake(content, () => this.#make(scope, layer, buffer, content))
  }
}
