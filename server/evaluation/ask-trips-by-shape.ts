import type { z } from 'zod'
import type { SpatialQuestion } from '#contract/evaluation.ts'
import { Problem } from '#server/http/problem.ts'
import { findLayer } from '#server/geography/find-layer.ts'
import type { LayerMembership } from '#server/geography/layer-membership.ts'
import { Recent } from '#server/geography/recent.ts'
import { factsVersion } from '#server/regions/facts-version.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { type ShapeRow, tripsByShape } from './queries/trips-by-shape.ts'

export type Question = z.output<typeof SpatialQuestion>

/** What the facts said, with the shape ids that the row numbers stand for. */
export interface Found {
  rows: ShapeRow[]
  shapeIds: string[]
  from: 'facts' | 'kept'
}

/** Swapped start and end dates are reordered (2-map-and-data, section 4). */
const inOrder = (question: Question): Question => (question.start_date <= question.end_date ? question : { ...question, start_date: question.end_date, end_date: question.start_date })

/** Asks the facts for trips by shape. Answers are kept by question, layer content and version of the region's facts: never stale. */
export class TripsByShape {
  readonly #state: State
  readonly #facts: Facts
  readonly #membership: LayerMembership
  readonly #kept = new Recent<Promise<ShapeRow[]>>(400)
  constructor(state: State, facts: Facts, membership: LayerMembership) {
    this.#state = state
    this.#facts = facts
    this.#membership = membership
  }

  async ask(scope: Scope, given: Question, byDay: boolean, signal: AbortSignal): Promise<Found> {
    const question = inOrder(given)
    const layer = await findLayer(this.#state, scope, question.region_id, question.shape_layer_uuid)
    const { indexes, shapeIds } = await this.#membership.of(scope, layer, question.buffer)
    const { agg: _agg, direction: _direction, shape_filter, ...filters } = question
    const at = shape_filter === null ? -1 : shapeIds.indexOf(shape_filter)
    if (shape_filter !== null && at < 0) throw new Problem('not_found', 'The selected shape is not in this layer.')
    const version = await factsVersion(this.#state, scope, question.region_id)
    const key = JSON.stringify([version, layer.content_hash, { ...filters, operators: [...filters.operators].sort(), days: [...filters.days].sort() }, at, byDay, scope.operators])
    const there = this.#kept.get(key)
    const asking = { limits: { seconds: 60 }, signal }
    const make = (): Promise<ShapeRow[]> => this.#facts.rows<ShapeRow>(scope, tripsByShape({ filters, indexes, selected: at < 0 ? null : at + 1, byDay }), asking)
    const rows = await this.#kept.getOrMake(key, make).catch((error: unknown) => {
      // Whoever asked first may have gone away, which stops the asking for all who wait with them.
      if (!there || signal.aborted) throw error
      return this.#kept.getOrMake(key, make)
    })
    return { rows, shapeIds, from: there ? 'kept' : 'facts' }
  }
}
