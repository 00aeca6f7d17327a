import { isBasemapLevel, type Layer } from '#contract/geography.ts'
import type { PolicyFields } from '#contract/policy.ts'
import { isRegionWide } from './place-text.ts'

/** Layers with at most this many shapes are loaded completely, so that each shape can be named and filled. */
export const maxLoadedShapes = 1500

/** Where a policy applies, for its map. */
export interface PolicyScope {
  layer: Layer | null
  /** Ids of the covered shapes; null for all shapes of the layer. */
  covered: readonly string[] | null
  /** Whether the policy applies to the entire region, which `layer` represents. */
  isRegionWide: boolean
}

/** Layers that a policy can use, the primary one first. */
export const policyLayers = (layers: readonly Layer[]): Layer[] =>
  layers
    .filter(({ level }) => !isBasemapLevel(level))
    .toSorted(
      (a, b) =>
        Number(b.level === 'l1') - Number(a.level === 'l1') || a.layer_name.localeCompare(b.layer_name),
    )

/** Returns the layer that represents the entire region: the first one with areas, as in the public feed. */
export const boundaryLayer = (layers: readonly Layer[]): Layer | null =>
  layers.find(({ level, geometry_type: type }) => type === 'area' && !isBasemapLevel(level)) ?? null

/** Returns the scope of a policy. With `picksShapes`, an empty selection means no shape instead of all. */
export function toPolicyScope(
  policy: Pick<PolicyFields, 'policy_type' | 'shape_layer_uuid' | 'shape_uuids'>,
  layers: readonly Layer[],
  picksShapes: boolean,
): PolicyScope {
  if (isRegionWide(policy)) return { layer: boundaryLayer(layers), covered: null, isRegionWide: true }
  const layer = layers.find(({ shape_layer_uuid: id }) => id === policy.shape_layer_uuid) ?? null
  return {
    layer,
    covered: picksShapes || policy.shape_uuids.length ? policy.shape_uuids : null,
    isRegionWide: false,
  }
}
