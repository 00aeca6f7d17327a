import type { Policy } from '#contract/policy.ts'

/** What a published policy asks of each operator in a shape. */
export interface Target {
  policyName: string
  minimum: number | null
  maximum: number | null
  /** Whether the bounds are per cent of the operator's fleet. */
  isShare: boolean
}

/** The targets of a layer's shapes by their ids, of policies that are published. A policy without shapes of its own stands on all of the layer's. */
export function readTargets(
  policies: readonly Policy[],
  layerId: string,
  shapeIds: readonly string[],
): ReadonlyMap<string, readonly Target[]> {
  const found = new Map<string, Target[]>()
  for (const {
    shape_layer_uuid: layer,
    shape_uuids: own,
    policy_name: policyName,
    minimum,
    maximum,
    allocation,
    published,
  } of policies) {
    if (!published || layer !== layerId || (minimum === null && maximum === null)) continue
    const target = {
      policyName,
      minimum,
      maximum,
      isShare: allocation === 'percent_vehicles_per_operator_per_shape',
    }
    for (const id of own.length ? own : shapeIds) found.set(id, [...(found.get(id) ?? []), target])
  }
  return found
}
