import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { listPolicies } from '#contract/policies.ts'
import type { Policy } from '#contract/policy.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatNumber } from '#web/kit/format.ts'
import type { ShownMap } from './shown-map.ts'

/** The bounds of a published policy for each operator in a shape. */
interface Target {
  policyName: string
  minimum: number | null
  maximum: number | null
  /** Whether the bounds are percent of the operator's fleet. */
  isShare: boolean
}

/** Targets of published policies by shape id. Policies without selected shapes apply to all of the layer. */
export function readTargets(
  policies: readonly Policy[],
  layerId: string,
  shapeIds: readonly string[],
): ReadonlyMap<string, readonly Target[]> {
  const targetsByShape = new Map<string, Target[]>()
  for (const policy of policies) {
    const { minimum, maximum, published, shape_uuids: policyShapeIds } = policy
    const hasBounds = minimum !== null || maximum !== null
    if (!published || policy.shape_layer_uuid !== layerId || !hasBounds) continue
    const target = {
      policyName: policy.policy_name,
      minimum,
      maximum,
      isShare: policy.allocation === 'percent_vehicles_per_operator_per_shape',
    }
    for (const id of policyShapeIds.length ? policyShapeIds : shapeIds)
      targetsByShape.set(id, [...(targetsByShape.get(id) ?? []), target])
  }
  return targetsByShape
}

/** Formats a target as "5 to 40 vehicles (Share)", where Share is the policy; `unitKey` does not apply to shares. */
function formatTarget(
  t: TFunction,
  { policyName, minimum, maximum, isShare }: Target,
  unitKey: 'vehicles' | 'dropOffs',
): string {
  const unit = t(`evaluation:target.${isShare ? 'share' : unitKey}`)
  const atMostKey = minimum === null ? 'atMost' : 'between'
  const bounds = t(`evaluation:target.${maximum === null ? 'atLeast' : atMostKey}`, {
    minimum: formatNumber(minimum),
    maximum: formatNumber(maximum),
    unit,
  })
  return t('evaluation:target.ofPolicy', { bounds, policy: policyName })
}

const noTargets: ReadonlyMap<string, readonly string[]> = new Map()

/** Targets of published policies as texts by shape id; empty if the map has none. */
export function useTargets({
  mode,
  layer,
  shapes,
}: Pick<ShownMap, 'mode' | 'layer' | 'shapes'>): ReadonlyMap<string, readonly string[]> {
  const { t } = useTranslation()
  const type = mode?.targetPolicyType
  const region_id = layer?.region_id ?? ''
  const policies = useEndpointQuery(
    listPolicies,
    { body: { region_id, types: type ? [type] : [], statuses: ['published'] } },
    { enabled: type !== undefined && layer !== null },
  ).data?.data
  return useMemo(() => {
    if (!type || !layer || !policies) return noTargets
    const shapeIds = (shapes ?? []).map((shape) => shape.shape_uuid)
    const targetsByShape = readTargets(policies, layer.shape_layer_uuid, shapeIds)
    return new Map(
      [...targetsByShape].map(([id, shapeTargets]) => [
        id,
        shapeTargets.map((target) =>
          formatTarget(t, target, type === 'distribution' ? 'vehicles' : 'dropOffs'),
        ),
      ]),
    )
  }, [t, type, layer, shapes, policies])
}
