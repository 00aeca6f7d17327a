import type { Route } from '#server/http/route.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import type { Evaluator } from './evaluate.ts'
import { fleetFigureRoutes } from './fleet-figure-routes.ts'
import { layerFigureRoutes } from './layer-figure-routes.ts'
import { parkingRoutes } from './parking-routes.ts'
import { spatialRoutes } from './spatial-routes.ts'
import { tripsRoutes } from './trips-routes.ts'

/** Routes of all maps by shape and of the figures of regions, layers and fleets. */
export function evaluationRoutes(state: State, facts: Facts, evaluator: Evaluator): Route[] {
  return [
    ...spatialRoutes(state, facts, evaluator),
    ...layerFigureRoutes(state, evaluator),
    ...tripsRoutes(state, facts, evaluator),
    ...parkingRoutes(state, facts, evaluator),
    ...fleetFigureRoutes(state, facts),
  ]
}
