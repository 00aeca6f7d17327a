import type { Layer } from '#contract/geography.ts'
import { InvalidatingCache } from '#server/stores/invalidating-cache.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { findLayer } from './find-layer.ts'

/** Caches layers by Scope until one changes, because a map loads many tiles of a layer. */
export class LayerCache {
  readonly #state: State
  readonly #now: () => number
  readonly #scopes = new WeakMap<Scope, InvalidatingCache<Layer>>()
  readonly #read: typeof findLayer
  constructor(state: State, now: () => number, read = findLayer) {
    this.#state = state
    this.#now = now
    this.#read = read
  }

  /** Like `findLayer`, but cached. */
  find(scope: Scope, regionId: string, layerId: string): Promise<Layer> {
    let layers = this.#scopes.get(scope)
    if (!layers) {
      layers = new InvalidatingCache({
        changes: this.#state.changes,
        tables: ['layer', 'shape', 'user', 'region', 'organization'],
        ttlMs: 5000,
        maxEntries: 100,
        now: this.#now,
      })
      this.#scopes.set(scope, layers)
    }
    return layers.get(`${regionId} ${layerId}`, () => this.#read(this.#state, scope, regionId, layerId))
  }
}
