import type { Layer } from '#contract/geography.ts'
import * as contract from '#contract/geography-use.ts'
import { findLayer, listLayers } from '#server/geography/layers/find-layer.ts'
import { type Route, route } from '#server/http/route.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { findCubeStatus } from './cube-status.ts'
import { hasCubes } from './layer-shapes.ts'

/**
 * Returns the endpoints for the progress of layers' cubes. The number of hours depends on the first fact of
 * any operator, so it is hidden from viewers who may not see all operators.
 */
export function cubeRoutes(state: State): Route[] {
  const describeCubes = async (scope: Scope, layer: Layer): Promise<contract.LayerCubes> => {
    const base = {
      shape_layer_uuid: layer.shape_layer_uuid,
      problem: null,
      done_hours: 0,
      total_hours: 0,
      changed_time: null,
    }
    if (!hasCubes(layer) || (layer.geometry_type !== 'area' && layer.geometry_type !== 'mixed'))
      return { ...base, status: 'none' }
    const { status, problem, doneHours, totalHours, changedTime } = await findCubeStatus(
      state.as(scope),
      layer,
    )
    if (scope.operators) return { ...base, status: status === 'ready' ? 'ready' : 'waiting' }
    return {
      ...base,
      status,
      problem,
      done_hours: doneHours,
      total_hours: totalHours,
      changed_time: changedTime,
    }
  }
  return [
    route(contract.listLayerCubes, async ({ viewer, params }) => ({
      items: await Promise.all(
        (await listLayers(state, viewer.scope, params.region_id)).map((layer) =>
          describeCubes(viewer.scope, layer),
        ),
      ),
    })),
    route(contract.getLayerCubes, async ({ viewer, params }) =>
      describeCubes(
        viewer.scope,
        await findLayer(state, viewer.scope, params.region_id, params.shape_layer_uuid),
      ),
    ),
  ]
}
