import { citywide, type PolicyFields } from '#contract/policy.ts'
import { findPolicyType } from '#contract/policy-types/list.ts'
import type { PolicyTextContext } from './policy-text-context.ts'

type PolicyPlace = Pick<PolicyFields, 'policy_type' | 'shape_layer_uuid' | 'shape_uuids'>

/** Whether a policy applies to the entire region, because of its type or by choice. */
export const isRegionWide = ({
  policy_type: type,
  shape_layer_uuid: layer,
}: Pick<PolicyPlace, 'policy_type' | 'shape_layer_uuid'>): boolean =>
  findPolicyType(type)?.place === 'region' || layer === citywide

/** Maximum number of areas that are listed by name. */
const maxNamedAreas = 6

/** Formats the names of areas as a list; many as their count, none as the entire region. */
export function formatPlaces(
  names: readonly string[],
  { t, language }: Pick<PolicyTextContext, 't' | 'language'>,
): string {
  if (names.length === 0) return t('policies:where.wholeRegionIn')
  if (names.length > maxNamedAreas) return t('policies:public.places', { count: names.length })
  return new Intl.ListFormat(language, { style: 'narrow', type: 'conjunction' }).format(names)
}

/** Formats where a policy applies, within a sentence such as "No parking in 3 areas of Neighborhoods." */
export function formatPlaceInRule(policy: PolicyPlace, { t, layerName }: PolicyTextContext): string {
  if (isRegionWide(policy)) return t('policies:where.wholeRegionIn')
  const { shape_layer_uuid: layer, shape_uuids: shapes } = policy
  if (layer === null) return t('policies:where.none')
  const name = layerName(layer) ?? t('policies:where.unknownLayer')
  return shapes.length
    ? t('policies:where.someIn', { count: shapes.length, layer: name })
    : t('policies:where.allIn', { layer: name })
}

/** Formats where a policy applies, as a label. */
export function formatPlace(policy: PolicyPlace, { t, layerName }: PolicyTextContext): string {
  if (isRegionWide(policy)) return t('policies:where.wholeRegion')
  const { shape_layer_uuid: layer, shape_uuids: shapes } = policy
  if (layer === null) return t('policies:where.none')
  const name = layerName(layer) ?? t('policies:where.unknownLayer')
  return shapes.length
    ? t('policies:where.someOf', { count: shapes.length, layer: name })
    : t('policies:where.allOf', { layer: name })
}
