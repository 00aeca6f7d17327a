import { useMemo } from 'react'
import { listLayers } from '#contract/geography.ts'
import type { PolicyFields } from '#contract/policy.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useShapes } from '#web/map-page/use-shapes.ts'
import { maxLoadedShapes, toPolicyScope } from '../policy-scope.ts'

/** Scope of a policy for a map: all layers, the policy's layer, and its shapes unless there are too many. */
export function usePolicyScope(
  regionId: string,
  {
    policy_type: type,
    shape_layer_uuid: layerId,
    shape_uuids: ids,
  }: Pick<PolicyFields, 'policy_type' | 'shape_layer_uuid' | 'shape_uuids'>,
) {
  const layers = useEndpointQuery(listLayers, { params: { region_id: regionId } }).data?.items ?? null
  const scope = useMemo(
    () =>
      toPolicyScope({ policy_type: type, shape_layer_uuid: layerId, shape_uuids: ids }, layers ?? [], false),
    [type, layerId, ids, layers],
  )
  const shapes =
    useShapes(scope.layer && scope.layer.shape_count <= maxLoadedShapes ? scope.layer : null).data ?? null
  return { layers, scope, shapes }
}
