import type { Layer } from '#contract/geography.ts'
import { ScopedCache } from '#server/stores/invalidating-cache.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { findLayer } from './find-layer.ts'

/** Caches layers by Scope until one changes, because a map loads many tiles of a layer. */
export class LayerCache {
  readonly #state: State
  readonly #layers: ScopedCache<Layer>
  readonly #read: typeof findLayer
  constructor(state: State, nowMs: () => number, read = findLayer) {
    this.#state = state
    this.#read = read
    this.#layers = new ScopedCache({
      changes: state.changes,
      tables: ['layer', 'shape', 'user', 'region', 'organization'],
      ttlMs: 5000,
      maxEntries: 100,
      nowMs,
    })
  }

  /** Like `findLayer`, but cached. */
  find(scope: Scope, regionId: string, layerId: string): Promise<Layer> {
    return this.#layers.get(scope, `${regionId} ${layerId}`, () =>
      this.#read(this.#state, scope, regionId, layerId),
    )
  }
}
