import type { DependentPolicy, PolicySource } from '#server/geography/dependents/dependents.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { State } from '#server/stores/state.ts'
import { policyV2 } from './policy-view.ts'
import { draftZones, isDraft, type PolicyRow, readContent } from './regulation-rows.ts'

/**
 * Lists the curb policies that apply to zones of a layer now or later, and the drafts that name such zones.
 */
export const curbDependents =
  (state: State, now: () => Date): PolicySource =>
  async (scope, layer, shapeIds) => {
    if (shapeIds?.length === 0) return []
    const at = now()
    const { region_id: regionId, shape_layer_uuid: layerId } = layer
    const store = state.as(scope)
    const zones = await store
      .selectFrom('curb_zone')
      .select('curb_zone_id')
      .where('region_id', '=', regionId)
      .where((where) => where.or([where('end_time', 'is', null), where('end_time', '>', at)]))
      .$if(shapeIds !== null, (query) => query.where('shape_uuid', 'in', shapeIds ?? []))
      .where('shape_uuid', 'in', (select) =>
        select.selectFrom('shape').select('shape_uuid').where('layer_id', '=', layerId),
      )
      .execute()
    if (!zones.length) return []
    const zoneIds = new Set(zones.map(({ curb_zone_id: id }) => id))
    const region = await findRegion(state, scope, regionId)
    const [policies, links] = await Promise.all([
      store
        .selectFrom('curb_policy')
        .selectAll()
        .where('region_id', '=', regionId)
        .where('status', '!=', 'unpublished')
        .execute(),
      store
        .selectFrom('curb_zone_policy')
        .select(['curb_zone_id', 'curb_policy_id'])
        .where('region_id', '=', regionId)
        .where((where) => where.or([where('end_time', 'is', null), where('end_time', '>', at)]))
        .execute(),
    ])
    const linked = new Set(
      links.filter(({ curb_zone_id: id }) => zoneIds.has(id)).map(({ curb_policy_id: id }) => id),
    )
    const applies = (row: PolicyRow): boolean =>
      isDraft(row)
        ? !scope.operators && draftZones(row).some((id) => zoneIds.has(id))
        : linked.has(row.curb_policy_id)
    return policies.filter(applies).map((row): DependentPolicy => {
      const isPublished = !isDraft(row)
      const place = {
        id: row.curb_policy_id,
        isPublished,
        layerId,
        currency: region.currencyCode,
        timezone: region.timezone,
      }
      const view = policyV2(readContent(row), place, at)
      return {
        policy_uuid: row.curb_policy_id,
        policy_name: row.name,
        policy_type: view.type,
        start_date: view.start_date,
        end_date: view.end_date,
        rules: view.rules,
        schedules: view.schedules,
        product: 'curb',
        isPublished,
      }
    })
  }
