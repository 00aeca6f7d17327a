import { citywide, type PolicyFields } from '#contract/policy.ts'
import { policyTypeOf } from '#contract/policy-types/list.ts'
import type { WordGround } from './word-ground.ts'

type Where = Pick<PolicyFields, 'policy_type' | 'shape_layer_uuid' | 'shape_uuids'>

/** Whether a policy holds in the whole region, by its type or by choice. */
export const isWholeRegion = ({
  policy_type: type,
  shape_layer_uuid: layer,
}: Pick<Where, 'policy_type' | 'shape_layer_uuid'>): boolean =>
  policyTypeOf(type)?.place === 'region' || layer === citywide

/** Where a policy holds. */
export function placeText(policy: Where, { t, layerName }: WordGround): string {
  if (isWholeRegion(policy)) return t('policies:where.wholeRegion')
  const { shape_layer_uuid: layer, shape_uuids: shapes } = policy
  if (layer === null) return t('policies:where.none')
  const name = layerName(layer) ?? t('policies:where.unknownLayer')
  return shapes.length
    ? t('policies:where.someOf', { count: shapes.length, layer: name })
    : t('policies:where.allOf', { layer: name })
}
