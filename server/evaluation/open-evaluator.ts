import type { ReadyLayers } from '#server/fleet/cubes/ready-layer.ts'
import type { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import { RouteIntersections } from '#server/routes/intersections/route-intersections.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { CubedRows } from './cubed-rows.ts'
import { Evaluator } from './evaluate.ts'

/** `layers` must be the instance that the cubes are computed with. */
export const openEvaluator = (
  state: State,
  facts: Facts,
  membership: LayerMembership,
  layers: ReadyLayers,
): Evaluator =>
  new Evaluator({
    state,
    facts,
    membership,
    intersections: new RouteIntersections(state, facts),
    cubes: new CubedRows(state, facts, layers),
  })
