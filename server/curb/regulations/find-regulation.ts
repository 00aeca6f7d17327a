import type { RegulationDetail, RegulationRevision } from '#contract/curb-regulations.ts'
import { policyTexts } from '#contract/policy-texts.ts'
import type { Region } from '#contract/regions.ts'
import { Problem } from '#server/http/problem.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { readActs } from './regulation-acts.ts'
import {
  draftZones,
  groupRegulations,
  isDraft,
  type PolicyRow,
  readLengths,
  readRegulation,
  readZoneUse,
  readZoneLayer,
  regulationIdOf,
  type RegulationRows,
  sumZones,
  visibleRows,
} from './regulation-rows.ts'

export const unknownRegulation = (): Problem => new Problem('not_found', policyTexts.unknown)

/** Of a regulation that a user had open. */
export const deletedRegulation = (): Problem =>
  new Problem(
    'conflict',
    'Somebody deleted this regulation, or discarded this draft, after you began.',
    undefined,
    null,
  )

/** A regulation that was not deleted, by its own id or that of any of its versions. */
export interface FoundRegulation extends RegulationRows {
  shown: PolicyRow
}

/** All versions of a regulation, also those that were deleted; none if there is no such regulation. */
async function readVersions(store: Store, regionId: string, id: string): Promise<PolicyRow[]> {
  const [one] = await store
    .selectFrom('curb_policy')
    .select(['curb_policy_id', 'regulation_id'])
    .where('region_id', '=', regionId)
    .where((where) => where.or([where('curb_policy_id', '=', id), where('regulation_id', '=', id)]))
    .orderBy((order) => order.case().when('regulation_id', '=', id).then(0).else(1).end())
    .limit(1)
    .execute()
  if (!one) return []
  return store
    .selectFrom('curb_policy')
    .selectAll()
    .where('region_id', '=', regionId)
    .where((where) =>
      one.regulation_id === null
        ? where('curb_policy_id', '=', one.curb_policy_id)
        : where('regulation_id', '=', one.regulation_id),
    )
    .execute()
}

/** The regulation of an id among those that a viewer sees; null if there is none. */
export async function findRegulationRows(
  store: Store,
  scope: Scope,
  regionId: string,
  id: string,
  at: Date,
): Promise<FoundRegulation | null> {
  const rows = visibleRows(await readVersions(store, regionId, id), scope)
  if (!rows.length) return null
  const replaced = rows.filter(({ superseded_time: time }) => time !== null).map((row) => row.curb_policy_id)
  const use = replaced.length ? await readZoneUse(store, regionId, at, replaced) : null
  const groups = groupRegulations(rows, (policyId) => (use?.get(policyId)?.openEnded ?? 0) > 0)
  const group =
    groups.find((each) => each.id === id) ??
    groups.find(({ rows: all }) => all.some((row) => row.curb_policy_id === id)) ??
    groups[0]
  return group?.shown ? { ...group, shown: group.shown } : null
}

/** Zones of a version: of a draft those to which it will apply, of others those of now or later. */
export async function readZoneIds(store: Store, row: PolicyRow, at: Date): Promise<string[]> {
  if (isDraft(row) || row.status === 'unpublished') return draftZones(row)
  const links = await store
    .selectFrom('curb_zone_policy as link')
    .innerJoin('curb_zone as zone', (join) =>
      join
        .onRef('zone.region_id', '=', 'link.region_id')
        .onRef('zone.curb_zone_id', '=', 'link.curb_zone_id'),
    )
    .select('link.curb_zone_id')
    .distinct()
    .where('link.region_id', '=', row.region_id)
    .where('link.curb_policy_id', '=', row.curb_policy_id)
    .where((where) =>
      where.or([
        where('link.end_time', 'is', null),
        where.and([
          where('link.end_time', '>', at),
          where('link.end_time', '>', where.ref('link.start_time')),
        ]),
      ]),
    )
    .where((where) => where.or([where('zone.end_time', 'is', null), where('zone.end_time', '>', at)]))
    .orderBy('link.curb_zone_id')
    .execute()
  return links.map(({ curb_zone_id: id }) => id)
}

/** A regulation as the API returns it, with its zones. */
export async function readDetail(
  store: Store,
  region: Region,
  group: RegulationRows,
  row: PolicyRow,
  at: Date,
): Promise<RegulationDetail> {
  const zoneIds = await readZoneIds(store, row, at)
  const [lengths, layerId] = await Promise.all([
    readLengths(store, region.regionId, at, zoneIds),
    readZoneLayer(store, region.regionId),
  ])
  return {
    ...readRegulation(group, row, { use: sumZones(zoneIds, lengths), layerId, region }, at),
    curb_zone_ids: zoneIds,
  }
}

export async function findRegulation(
  state: State,
  scope: Scope,
  regionId: string,
  id: string,
  at: Date,
): Promise<RegulationDetail> {
  const region = await findRegion(state, scope, regionId)
  const store = state.as(scope)
  const found = await findRegulationRows(store, scope, regionId, id, at)
  if (!found) throw unknownRegulation()
  return readDetail(store, region, found, found.shown, at)
}

/** The history of a regulation, newest first; also of a deleted one. */
export async function listRevisions(
  state: State,
  scope: Scope,
  regionId: string,
  id: string,
): Promise<RegulationRevision[]> {
  await findRegion(state, scope, regionId)
  const store = state.as(scope)
  const rows = await readVersions(store, regionId, id)
  const visible = scope.operators ? rows.filter((row) => !isDraft(row)) : rows
  const [first] = visible
  if (!first) throw unknownRegulation()
  return readActs(store, regionId, regulationIdOf(first), visible, scope.operators !== null)
}
