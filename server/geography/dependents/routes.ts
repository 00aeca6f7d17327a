import * as contract from '#contract/geography-use.ts'
import { type Route, route } from '#server/http/route.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { findLayer } from '../layers/find-layer.ts'
import { findShape } from '../shapes/find-shapes.ts'
import type { Dependents, DependentPolicy } from './dependents.ts'

const toShapePolicy = ({
  product: _product,
  isPublished: _isPublished,
  ...policy
}: DependentPolicy): contract.ShapePolicy => policy

export function dependentRoutes(state: State, dependents: Dependents): Route[] {
  /** Finds the arguments with which the dependents of a shape are found. */
  const findShapeArgs = async (
    scope: Scope,
    { region_id: regionId, shape_uuid: id }: { region_id: string; shape_uuid: string },
  ) => {
    const shape = await findShape(state.as(scope), regionId, id)
    return [scope, await findLayer(state, scope, regionId, shape.shape_layer_uuid), [id]] as const
  }
  const listPolicies = async (
    scope: Scope,
    params: Parameters<typeof findShapeArgs>[1],
    isIncluded: (policy: DependentPolicy) => boolean = () => true,
  ) =>
    (await dependents.listPolicies(...(await findShapeArgs(scope, params))))
      .filter(isIncluded)
      .map(toShapePolicy)
  const requireLayer = (scope: Scope, params: { region_id: string; shape_layer_uuid: string }) =>
    findLayer(state, scope, params.region_id, params.shape_layer_uuid)
  return [
    route(contract.listLayerDependents, async ({ viewer, params }) => ({
      dependents: await dependents.list(viewer.scope, await requireLayer(viewer.scope, params), null),
    })),
    route(contract.listShapeDependents, async ({ viewer, params }) => ({
      dependents: await dependents.list(...(await findShapeArgs(viewer.scope, params))),
    })),
    route(contract.layerHasPolicies, async ({ viewer, params }) => ({
      has_policies:
        (await dependents.listPolicies(viewer.scope, await requireLayer(viewer.scope, params), null)).length >
        0,
    })),
    route(contract.shapeHasPolicies, async ({ viewer, params }) => ({
      has_policies:
        (await listPolicies(viewer.scope, params, ({ product }) => product === 'mobility')).length > 0,
    })),
    route(contract.shapeHasCurbPolicies, async ({ viewer, params }) => ({
      has_policies: (await listPolicies(viewer.scope, params)).length > 0,
    })),
    route(contract.listShapePolicies, async ({ viewer, params }) => ({
      items: await listPolicies(viewer.scope, params),
    })),
    route(contract.getShapeCalendar, async ({ viewer, params }) => ({
      items: await listPolicies(viewer.scope, params, ({ isPublished }) => isPublished),
    })),
    route(contract.listPotentialRules, async ({ viewer, params }) => ({
      items: await listPolicies(viewer.scope, params, ({ isPublished }) => !isPublished),
    })),
  ]
}
