import type {
  getCurbPolicy,
  listCurbPolicyRevisions,
  RegulationDetail,
  RegulationRevision,
} from '#contract/curb-regulations.ts'
import { policyTexts } from '#contract/policy-texts.ts'
import type { Region } from '#contract/regions.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { readActs } from './regulation-acts.ts'
import {
  selectDraftZones,
  groupRegulations,
  isDraft,
  type PolicyRow,
  readLengths,
  readRegulation,
  readZoneUse,
  readZoneLayer,
  getRegulationId,
  type RegulationRows,
  sumZones,
  selectVisibleRows,
} from './regulation-rows.ts'

export const makeUnknownProblem = (): Problem => new Problem('not_found', policyTexts.unknown)

/** Returns the conflict when somebody deleted a regulation that the user had open. */
export const makeDeletedProblem = (): Problem =>
  new Problem(
    'conflict',
    'Somebody deleted this regulation, or discarded this draft, after you began.',
    undefined,
    null,
  )

/** A regulation with a version to show, so not a deleted one. */
export interface FoundRegulation extends RegulationRows {
  shownVersion: PolicyRow
}

/** Reads all versions, also deleted ones; empty if none. `id`: of the regulation or any version. */
async function readVersions(store: Store, regionId: string, id: string): Promise<PolicyRow[]> {
  const [match] = await store
    .selectFrom('curb_policy')
    .select(['curb_policy_id', 'regulation_id'])
    .where('region_id', '=', regionId)
    .where((where) => where.or([where('curb_policy_id', '=', id), where('regulation_id', '=', id)]))
    .orderBy((order) => order.case().when('regulation_id', '=', id).then(0).else(1).end())
    .limit(1)
    .execute()
  if (!match) return []
  return store
    .selectFrom('curb_policy')
    .selectAll()
    .where('region_id', '=', regionId)
    .where((where) =>
      match.regulation_id === null
        ? where('curb_policy_id', '=', match.curb_policy_id)
        : where('regulation_id', '=', match.regulation_id),
    )
    .execute()
}

/** Finds a regulation by its id or a version's id; null if it does not exist or the viewer may not see it. */
export async function findRegulationRows(
  store: Store,
  { scope, regionId, id, at }: { scope: Scope; regionId: string; id: string; at: Date },
): Promise<FoundRegulation | null> {
  const rows = selectVisibleRows(await readVersions(store, regionId, id), scope)
  if (!rows.length) return null
  const supersededIds = rows
    .filter(({ superseded_time: time }) => time !== null)
    .map((row) => row.curb_policy_id)
  const zoneUse = supersededIds.length ? await readZoneUse(store, regionId, at, supersededIds) : null
  const groups = groupRegulations(rows, (policyId) => (zoneUse?.get(policyId)?.openEnded ?? 0) > 0)
  const group =
    groups.find(({ id: regulationId }) => regulationId === id) ??
    groups.find(({ rows: versions }) => versions.some((row) => row.curb_policy_id === id)) ??
    groups[0]
  return group?.shownVersion ? { ...group, shownVersion: group.shownVersion } : null
}

/** Reads the zones of a version: stored ones, or if published those to which it applies now or later. */
export async function readZoneIds(store: Store, row: PolicyRow, at: Date): Promise<string[]> {
  if (isDraft(row) || row.status === 'unpublished') return selectDraftZones(row)
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

/** Reads a regulation as the API returns it, with its zones. */
export async function readDetail(
  store: Store,
  region: Region,
  regulation: FoundRegulation,
  at: Date,
): Promise<RegulationDetail> {
  const { shownVersion } = regulation
  const zoneIds = await readZoneIds(store, shownVersion, at)
  const [lengths, layerId] = await Promise.all([
    readLengths(store, region.regionId, at, zoneIds),
    readZoneLayer(store, region.regionId),
  ])
  return {
    ...readRegulation(regulation, shownVersion, { use: sumZones(zoneIds, lengths), layerId, region }, at),
    curb_zone_ids: zoneIds,
  }
}

/** Finds a regulation. @throws Problem `not_found` if the viewer may not see it or it does not exist. */
export async function findRegulation(
  state: State,
  { viewer: { scope }, params, at }: Pick<Call<typeof getCurbPolicy>, 'viewer' | 'params' | 'at'>,
): Promise<RegulationDetail> {
  const { region_id: regionId, curb_policy_id: id } = params
  const region = await findRegion(state, scope, regionId)
  const store = state.as(scope)
  const regulation = await findRegulationRows(store, { scope, regionId, id, at })
  if (!regulation) throw makeUnknownProblem()
  return readDetail(store, region, regulation, at)
}

/** Lists the history of a regulation, newest first; also works for deleted ones. */
export async function listRevisions(
  state: State,
  { viewer: { scope }, params }: Call<typeof listCurbPolicyRevisions>,
): Promise<RegulationRevision[]> {
  const { region_id: regionId, curb_policy_id: id } = params
  await findRegion(state, scope, regionId)
  const store = state.as(scope)
  const rows = await readVersions(store, regionId, id)
  const visibleRows = scope.operators ? rows.filter((row) => !isDraft(row)) : rows
  const [first] = visibleRows
  if (!first) throw makeUnknownProblem()
  return readActs(store, {
    regionId,
    regulationId: getRegulationId(first),
    rows: visibleRows,
    isPublicOnly: scope.operators !== null,
  })
}
