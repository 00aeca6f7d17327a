import type { PolicySource, DependentPolicy } from '#server/geography/dependents/dependents.ts'
import type { State } from '#server/stores/state.ts'
import { type PolicyRow, selectVisiblePolicies } from './policy-row.ts'
import { readFields } from './stored-fields.ts'

/** Whether a revision uses a layer or, if `shapeIds` is not null, any of these shapes. */
function usesLayer(
  { fields, currency }: PolicyRow,
  layerId: string,
  shapeIds: readonly string[] | null,
): boolean {
  const {
    shape_layer_uuid: layer,
    shape_uuids: shapes,
    fee_properties: { options },
  } = readFields(fields, currency)
  const isNamed = (ids: readonly string[]): boolean => !shapeIds || ids.some((id) => shapeIds.includes(id))
  return (
    (layer === layerId && (!shapes.length || isNamed(shapes))) ||
    (options.discount_layer_uuid === layerId && isNamed(options.discount_shape_uuids))
  )
}

/**
 * Finds the policies that use a layer or its shapes, each by its revision in the feed or, without one, by its
 * newest revision. Viewers who are limited to some operators see only those in the feed.
 */
export const policyDependents =
  (state: State): PolicySource =>
  async (scope, layer, shapeIds) => {
    const rows = await selectVisiblePolicies(state, scope)
      .where('region_id', '=', layer.region_id)
      .where('is_deleted', '=', false)
      .orderBy('revision', 'desc')
      .execute()
    const newestIds = new Set<string>()
    const dependents = new Map<string, PolicyRow>()
    for (const row of rows) {
      const isNewest = !newestIds.has(row.constant_policy_id)
      newestIds.add(row.constant_policy_id)
      if ((!isNewest && !row.published) || !usesLayer(row, layer.shape_layer_uuid, shapeIds)) continue
      if (row.published || !dependents.has(row.constant_policy_id))
        dependents.set(row.constant_policy_id, row)
    }
    return [...dependents.values()]
      .filter(({ published }) => published || !scope.operators)
      .map((row): DependentPolicy => {
        const {
          policy_name,
          policy_type,
          start_date,
          end_date,
          policy_category: category,
        } = readFields(row.fields, row.currency)
        return {
          policy_uuid: row.policy_id,
          policy_name,
          policy_type,
          start_date,
          end_date,
          product: category === 'mobility' ? 'mobility' : 'curb',
          isPublished: row.published,
        }
      })
  }
