import type { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import type { Route } from '#server/http/route.ts'
import type { ReadyLayers } from '#server/fleet/cubes/ready-layer.ts'
import { RouteIntersections } from '#server/routes/intersections/route-intersections.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { CubedRows } from './cubed-rows.ts'
import { Evaluator } from './evaluate.ts'
import { fleetFigureRoutes } from './fleet-figure-routes.ts'
import { layerFigureRoutes } from './layer-figure-routes.ts'
import { parkingRoutes } from './parking-routes.ts'
import { spatialRoutes } from './spatial-routes.ts'
import { tripsRoutes } from './trips-routes.ts'

/** `layers` must be the instance that the cubes are computed with. */
export function evaluationRoutes(
  state: State,
  facts: Facts,
  membership: LayerMembership,
  layers: ReadyLayers,
): Route[] {
  const evaluator = new Evaluator({
    state,
    facts,
    membership,
    intersections: new RouteIntersections(state, facts),
    cubes: new CubedRows(state, facts, layers),
  })
  return [
    ...spatialRoutes(state, facts, evaluator),
    ...layerFigureRoutes(state, evaluator),
    ...tripsRoutes(state, facts, evaluator),
    ...parkingRoutes(state, facts, evaluator),
    ...fleetFigureRoutes(state, facts),
  ]
}
