import type { Layer } from '#contract/geography.ts'
import type { StoredIndex } from '#server/geography/membership/face-sql.ts'
import { findLayer } from '#server/geography/layers/find-layer.ts'
import type { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import type { State } from '#server/stores/state.ts'
import type { CubeRegion } from './cube-region.ts'
import { type KeyedShape, readKeyedShapes } from './layer-shapes.ts'

/** A layer's shapes at one content hash, as used to compute its cubes. */
export interface ReadyLayer {
  layerId: string
  contentHash: string
  /** All shapes in order, including lines and points. */
  shapeIds: string[]
  shapes: KeyedShape[]
  /** Reads the indexes of the layer, or builds them on first use. @throws Error if it has changed since. */
  indexes: () => Promise<StoredIndex[]>
}

/** Caches the last read content of each layer. */
export class ReadyLayers {
  readonly #state: State
  readonly #membership: LayerMembership
  readonly #cache = new Map<string, ReadyLayer>()

  constructor(state: State, membership: LayerMembership) {
    this.#state = state
    this.#membership = membership
  }

  /** Reads a layer; null if it changes during the read, so that the caller must retry. */
  async load({ regionId, scope }: CubeRegion, layer: Layer): Promise<ReadyLayer | null> {
    const { shape_layer_uuid: layerId, content_hash: contentHash } = layer
    const cached = this.#cache.get(layerId)
    if (cached?.contentHash === contentHash) return cached
    const { shapeIds, shapes } = await readKeyedShapes(this.#state, scope, layerId)
    if ((await findLayer(this.#state, scope, regionId, layerId)).content_hash !== contentHash) return null
    const indexes = async (): Promise<StoredIndex[]> => {
      const membership = await this.#membership.forLayer(scope, layer, 0)
      if (membership.shapeIds.join() !== shapeIds.join())
        throw new Error('The layer has changed in the meantime')
      return membership.indexes
    }
    const readyLayer = { layerId, contentHash, shapeIds, shapes, indexes }
    this.#cache.set(layerId, readyLayer)
    return readyLayer
  }

  /** Removes a deleted layer from the cache. */
  evict(layerId: string): void {
    this.#cache.delete(layerId)
  }
}
