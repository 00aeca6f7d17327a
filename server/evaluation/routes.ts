import type { LayerMembership } from '#server/geography/layer-membership.ts'
import type { Route } from '#server/http/route.ts'
import type { ReadyLayers } from '#server/mobility/cubes/ready-layer.ts'
import { RouteIntersections } from '#server/mobility/trip-routes/intersections/route-intersections.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { ShapeQueries } from './shape-queries.ts'
import { CubedRows } from './cubed-rows.ts'
import { fleetFigureRoutes } from './fleet-figure-routes.ts'
import { layerFigureRoutes } from './layer-figure-routes.ts'
import { parkingRoutes } from './parking-routes.ts'
import { SpatialMaps } from './spatial-maps.ts'
import { spatialRoutes } from './spatial-routes.ts'
import { tripsRoutes } from './trips-routes.ts'

/** `layers`: as the cubes are kept by. */
export function evaluationRoutes(
  state: State,
  facts: Facts,
  membership: LayerMembership,
  layers: ReadyLayers,
): Route[] {
  const maps = new SpatialMaps(
    state,
    new ShapeQueries(state, facts, membership),
    new RouteIntersections(state, facts),
    new CubedRows(state, facts, layers),
  )
  return [
    ...spatialRoutes(state, facts, maps),
    ...layerFigureRoutes(state, maps),
    ...tripsRoutes(state, facts, maps),
    ...parkingRoutes(state, facts, maps),
    ...fleetFigureRoutes(state, facts),
  ]
}
