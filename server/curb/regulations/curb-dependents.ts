import type { Region } from '#contract/regions.ts'
import type { DependentPolicy, PolicySource } from '#server/geography/dependents/dependents.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { State, Store } from '#server/stores/state.ts'
import { toPolicyV2 } from './policy-view.ts'
import { selectDraftZones, isDraft, type PolicyRow, readContent } from './regulation-rows.ts'

/** Creates a source of curb policies that apply to zones of a layer now or later, and of drafts for them. */
export const createCurbPolicySource =
  (state: State, now: () => Date): PolicySource =>
  async (scope, layer, shapeIds) => {
    if (shapeIds?.length === 0) return []
    const at = now()
    const { region_id: regionId, shape_layer_uuid: layerId } = layer
    const store = state.as(scope)
    const zoneIds = await readZoneIds(store, { regionId, layerId, shapeIds, at })
    if (!zoneIds.size) return []
    const region = await findRegion(state, scope, regionId)
    const [policies, policyIds] = await Promise.all([
      store
        .selectFrom('curb_policy')
        .selectAll()
        .where('region_id', '=', regionId)
        .where('status', '!=', 'unpublished')
        .execute(),
      readPolicyIds(store, regionId, zoneIds, at),
    ])
    const applies = (row: PolicyRow): boolean =>
      isDraft(row)
        ? !scope.operators && selectDraftZones(row).some((id) => zoneIds.has(id))
        : policyIds.has(row.curb_policy_id)
    return policies.filter(applies).map((row) => toDependentPolicy(row, region, layerId, at))
  }

interface ZoneQuery {
  regionId: string
  layerId: string
  /** Null for all shapes of the layer. */
  shapeIds: readonly string[] | null
  at: Date
}

/** Reads the ids of the zones of shapes of a layer that are in force now or later. */
async function readZoneIds(
  store: Store,
  { regionId, layerId, shapeIds, at }: ZoneQuery,
): Promise<Set<string>> {
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
  return new Set(zones.map(({ curb_zone_id: id }) => id))
}

/** Reads the ids of the policies that apply to one of the zones now or later. */
async function readPolicyIds(
  store: Store,
  regionId: string,
  zoneIds: ReadonlySet<string>,
  at: Date,
): Promise<Set<string>> {
  const links = await store
    .selectFrom('curb_zone_policy')
    .select(['curb_zone_id', 'curb_policy_id'])
    .where('region_id', '=', regionId)
    .where((where) => where.or([where('end_time', 'is', null), where('end_time', '>', at)]))
    .execute()
  const linksOfZones = links.filter(({ curb_zone_id: id }) => zoneIds.has(id))
  return new Set(linksOfZones.map(({ curb_policy_id: id }) => id))
}

function toDependentPolicy(row: PolicyRow, region: Region, layerId: string, at: Date): DependentPolicy {
  const isPublished = !isDraft(row)
  const context = {
    id: row.curb_policy_id,
    isPublished,
    layerId,
    currency: region.currencyCode,
    timezone: region.timezone,
  }
  const policyView = toPolicyV2(readContent(row), context, at)
  return {
    policy_uuid: row.curb_policy_id,
    policy_name: row.name,
    policy_type: policyView.type,
    start_date: policyView.start_date,
    end_date: policyView.end_date,
    rules: policyView.rules,
    schedules: policyView.schedules,
    product: 'curb',
    isPublished,
  }
}
