import type { Layer } from '#contract/geography.ts'
import { findLayer } from '#server/geography/find-layer.ts'
import type { StoredIndex } from '#server/geography/face-sql.ts'
import type { LayerMembership } from '#server/geography/layer-membership.ts'
import { Problem } from '#server/http/problem.ts'
import { factsVersion } from '#server/regions/facts-version.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { Sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'

/** What an answer weighs beside its rows. */
const baseWeight = 100

interface CacheEntry<Row> {
  rows: Promise<Row[]>
  /** 0 while it is made. */
  weight: number
}

/** Rows of the answers that were asked for last, at most so many rows together. */
export class RowCache<Row> {
  readonly #entries = new Map<string, CacheEntry<Row>>()
  readonly #maxWeight: number
  #weight = 0
  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight
  }

  get(key: string): Promise<Row[]> | undefined {
    const found = this.#entries.get(key)
    if (!found) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, found)
    return found.rows
  }

  /** Two askers at once share one making; a failed one is forgotten. */
  getOrMake(key: string, make: () => Promise<Row[]>): Promise<Row[]> {
    const there = this.get(key)
    if (there) return there
    const made: CacheEntry<Row> = { rows: make(), weight: 0 }
    this.#entries.set(key, made)
    made.rows.then(
      (rows) => this.#weigh(key, made, rows.length + baseWeight),
      () => this.#drop(key, made),
    )
    return made.rows
  }

  #weigh(key: string, made: CacheEntry<Row>, weight: number): void {
    if (this.#entries.get(key) !== made) return
    made.weight = weight
    this.#weight += weight
    for (const [oldest, old] of this.#entries) {
      if (this.#weight <= this.#maxWeight) break
      if (old.weight) this.#drop(oldest, old)
    }
  }

  #drop(key: string, made: CacheEntry<Row>): void {
    if (this.#entries.get(key) !== made) return
    this.#entries.delete(key)
    this.#weight -= made.weight
  }
}

/** A row of sums by shape: 64-bit integers are text. */
export type StoredRow = Readonly<Record<string, string | number>>

/** The shapes of a question: those of a layer, grown, and the one that is selected. */
export interface ShapeSelection {
  region_id: string
  shape_layer_uuid: string
  buffer: number
  shape_filter: string | null
}

/** Where a question's points are looked up, and the number of the selected shape there. */
export interface ShapeLookup {
  indexes: readonly StoredIndex[]
  selected: number | null
  /** The list in `way_shapes` that knows the ways of the asked days, where the mode asks for them. */
  listId?: string
}

/** How a question is put: what tells it from others on the same facts and shapes, and its SQL; what it needs first is done once it is asked for. */
export interface QueryPlan {
  key: unknown
  query: (placing: ShapeLookup, shapeIds: readonly string[]) => Sql | Promise<Sql>
  /** The rows from elsewhere than one question to the facts; null: ask it. */
  rows?: (placing: ShapeLookup, shapeIds: readonly string[]) => Promise<StoredRow[] | null>
}

/** What the facts said, with the shape ids that the row numbers stand for. */
export interface FoundRows {
  rows: StoredRow[]
  shapeIds: string[]
  layer: Layer
  /** Of the region's facts, which the rows are not older than. */
  version: string
  from: 'facts' | 'cubes' | 'kept'
}

/** Rows of all kept answers together. */
const maxCachedRows = 250_000
const limits = { seconds: 60 }

/** Asks the facts by shape. Answers are kept by question, layer content and version of the region's facts: never stale. */
export class ShapeQueries {
  readonly #state: State
  readonly #facts: Facts
  readonly #membership: LayerMembership
  readonly #cache = new RowCache<StoredRow>(maxCachedRows)
  constructor(state: State, facts: Facts, membership: LayerMembership) {
    this.#state = state
    this.#facts = facts
    this.#membership = membership
  }

  /** `put` may refuse the question for a layer, by a Problem. */
  async run(
    scope: Scope,
    { region_id, shape_layer_uuid, buffer, shape_filter }: ShapeSelection,
    plan: (layer: Layer) => QueryPlan,
    signal: AbortSignal,
  ): Promise<FoundRows> {
    const layer = await findLayer(this.#state, scope, region_id, shape_layer_uuid)
    const { key: question, query, rows: rowsOf } = plan(layer)
    const { indexes, shapeIds } = await this.#membership.of(scope, layer, buffer)
    const at = shape_filter === null ? -1 : shapeIds.indexOf(shape_filter)
    if (shape_filter !== null && at < 0)
      throw new Problem('not_found', 'The selected shape is not in this layer.')
    const version = await factsVersion(this.#state, scope, region_id)
    const key = JSON.stringify([
      version,
      region_id,
      layer.content_hash,
      shape_layer_uuid,
      buffer,
      at,
      scope.operators,
      question,
    ])
    const cached = this.#cache.get(key)
    const lookup = { indexes, selected: at < 0 ? null : at + 1 }
    let made: FoundRows['from'] = 'facts'
    const make = async (): Promise<StoredRow[]> => {
      const rows = await rowsOf?.(lookup, shapeIds)
      if (rows) made = 'cubes'
      return rows ?? this.#facts.rows<StoredRow>(scope, await query(lookup, shapeIds), { limits, signal })
    }
    const rows = await this.#cache.getOrMake(key, make).catch((error: unknown) => {
      // Whoever asked first may have gone away, which stops the asking for all who wait with them.
      if (!cached || signal.aborted) throw error
      return this.#cache.getOrMake(key, make)
    })
    return { rows, shapeIds, layer, version, from: cached ? 'kept' : made }
  }
}
