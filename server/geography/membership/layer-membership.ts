import type { Layer } from '#contract/geography.ts'
import type { Geometry } from '#contract/place.ts'
import { runInWorker } from '#server/jobs/run-in-worker.ts'
import type { Facts } from '#server/stores/facts.ts'
import { ComputedCache } from '#server/stores/computed-cache.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { StoredIndex } from './face-sql.ts'
import { readLayerShapes, countPositions } from './read-layer-shapes.ts'
import { type IndexWork, type MadeIndexes, makeIndexLines } from './make-index-lines.ts'
import { listPackedBuffers, packGeometries } from './packed-geometries.ts'
import { dropIndexes, findStoredIndexes, storeIndexLines } from './store-index.ts'

/** The indexes of a layer, in which shape number n is `shapeIds[n - 1]`. */
export interface Membership {
  indexes: StoredIndex[]
  shapeIds: string[]
}

/** Indexes of more positions are built on a worker thread, because they take tens of milliseconds. */
const maxInlinePositions = 1000
/** Cost of buffering a position, relative to indexing it. */
const bufferCost = 20
const worker = new URL('./make-index-worker.ts', import.meta.url)

/** Whether indexing shapes with a buffer (meters) would block the server for too long. */
export const isHeavyWork = (geometries: readonly Geometry[], buffer: number): boolean =>
  geometries.reduce((sum, geometry) => sum + countPositions(geometry), 0) * (buffer > 0 ? bufferCost : 1) >
  maxInlinePositions

/** Makes the indexes of a layer, on a worker thread if it takes long. */
function makeIndexes(work: IndexWork): Promise<MadeIndexes> | MadeIndexes {
  if (!isHeavyWork(work.geometries, work.buffer)) return makeIndexLines(work)
  const geometries = packGeometries(work.geometries)
  return runInWorker<MadeIndexes>(worker, { ...work, geometries }, listPackedBuffers(geometries))
}

/**
 * Provides the indexes with which shapes of points are found. They are built per layer content and buffer,
 * and stored in the fact store.
 */
export class LayerMembership {
  readonly #state: State
  readonly #facts: Facts
  readonly #layers = this.#createCache<Membership>()
  readonly #areas = this.#createCache<StoredIndex[]>()
  constructor(state: State, facts: Facts) {
    this.#state = state
    this.#facts = facts
  }

  /** Evicted indexes are also dropped from the fact store. */
  #createCache<Value extends NonNullable<unknown>>(): ComputedCache<Value> {
    return new ComputedCache<Value>(
      { max: 64 },
      (content) => void dropIndexes(this.#facts, content).catch(() => undefined),
    )
  }

  async #build(scope: Scope, layer: Layer, buffer: number, content: string): Promise<Membership> {
    const shapes = await readLayerShapes(this.#state, scope, layer.shape_layer_uuid, layer.content_hash)
    const shapeIds = shapes.map(({ shapeId }) => shapeId)
    const stored = await findStoredIndexes(this.#facts, scope, content)
    if (stored) return { indexes: stored, shapeIds }
    const { lines, overlaps } = await makeIndexes({
      content,
      geometries: shapes.map(({ geometry }) => geometry),
      buffer,
    })
    if (buffer === 0)
      await this.#state
        .as(scope)
        .updateTable('layer')
        .set({ has_overlaps: overlaps })
        .where('layer_id', '=', layer.shape_layer_uuid)
        .execute()
    return { indexes: await storeIndexLines(this.#facts, content, lines), shapeIds }
  }

  /**
   * Returns the indexes of areas that are not in a layer, such as the geographies of a policy. `content` is
   * their key; shape number n is the nth area.
   */
  forAreas(scope: Scope, content: string, geometries: readonly Geometry[]): Promise<StoredIndex[]> {
    return this.#areas.get(
      content,
      async () =>
        (await findStoredIndexes(this.#facts, scope, content)) ??
        storeIndexLines(this.#facts, content, (await makeIndexes({ content, geometries, buffer: 0 })).lines),
    )
  }

  /** Returns the membership of a layer with a buffer in meters. */
  forLayer(scope: Scope, layer: Layer, buffer: number): Promise<Membership> {
    const content = `${layer.content_hash} ${buffer}`
    return this.#layers.get(content, () => this.#build(scope, layer, buffer, content))
  }
}
