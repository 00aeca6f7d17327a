import { curbActivities, type CurbActivity } from '#contract/cds.ts'
import type {
  CurbActivityStatistics,
  filterCurbPolicies,
  getCurbActivityStatistics,
  Regulation,
  RegulationFilter,
} from '#contract/curb-regulations.ts'
import type { Call } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { CurbIndexes } from '../store/curb-index.ts'
import type { State, Store } from '#server/stores/state.ts'
import { isPaid, listWords } from './policy-view.ts'
import {
  selectDraftZones,
  groupRegulations,
  isDraft,
  type PolicyRow,
  readLengths,
  readRegulation,
  readZoneLayer,
  type RegulationRows,
  sumZones,
  selectVisibleRows,
} from './regulation-rows.ts'

interface Sources {
  state: State
  indexes: CurbIndexes
}

type RegulationListFilter = Omit<RegulationFilter, 'sort' | 'page' | 'size'>

/** Whether one of the values was requested; an empty request matches all. */
const matchesAny = (requested: readonly string[], values: readonly string[]): boolean =>
  !requested.length || values.some((value) => requested.includes(value))

/** Whether a regulation matches the filters. One with draft and published version matches either status. */
export function matchesFilter(
  regulation: Regulation,
  filter: Omit<RegulationListFilter, 'curb_zone_ids'>,
): boolean {
  const { rules, description = '' } = regulation.policy
  const searchText = filter.text.trim().toLocaleLowerCase()
  const texts = [regulation.name, description, ...rules.flatMap((rule) => [rule.name, rule.description])]
  const isInForce = regulation.published_policy_id !== null && regulation.status !== 'expired'
  return (
    (!searchText || texts.some((text) => text?.toLocaleLowerCase().includes(searchText))) &&
    (!filter.statuses.length ||
      filter.statuses.includes(regulation.status) ||
      (isInForce && filter.statuses.includes('published'))) &&
    matchesAny(
      filter.activities,
      rules.map(({ activity }) => activity),
    ) &&
    matchesAny(filter.user_classes, listWords(rules, 'user_classes')) &&
    matchesAny(filter.purposes, listWords(rules, 'purposes')) &&
    (filter.is_paid === null || filter.is_paid === undefined || isPaid(regulation.policy) === filter.is_paid)
  )
}

/** Returns the value of a regulation by which it is sorted; null if it is missing. */
const sortValues: Record<string, (regulation: Regulation) => string | number | null> = {
  name: ({ name }) => name,
  priority: ({ policy }) => policy.priority,
  status: ({ status }) => status,
  zones: ({ zone_count: zones }) => zones,
  length: ({ length_m: length }) => length,
  effective_time: ({ effective_time: time }) => time,
  modified_time: ({ modified_time: time }) => time,
}

/** Compares by a field, then by name and id. Missing values come last in both directions. */
export function compareRegulations(sort: RegulationFilter['sort']): (a: Regulation, b: Regulation) => number {
  const isDescending = sort.startsWith('-')
  const getValue = sortValues[isDescending ? sort.slice(1) : sort] ?? (() => null)
  const compare = (a: string | number, b: string | number): number =>
    typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b))
  const compareNames = (a: Regulation, b: Regulation): number =>
    a.name.localeCompare(b.name) || a.regulation_id.localeCompare(b.regulation_id)
  return (a, b) => {
    const firstValue = getValue(a)
    const second = getValue(b)
    if (firstValue === null && second === null) return compareNames(a, b)
    if (firstValue === null || second === null) return firstValue === null ? 1 : -1
    return (isDescending ? -1 : 1) * compare(firstValue, second) || compareNames(a, b)
  }
}

/** A request for the regulations of a region that match a filter. */
interface RegulationQuery {
  viewer: Pick<Viewer, 'scope'>
  params: { region_id: string }
  filter: RegulationListFilter
  at: Date
}

/** Reads all regulations of a region that the viewer may see, with counts of their zones. */
async function readRegulations(
  { state, indexes }: Sources,
  { viewer: { scope }, params: { region_id: regionId }, at }: Omit<RegulationQuery, 'filter'>,
) {
  const region = await findRegion(state, scope, regionId)
  const store = state.as(scope)
  const [policies, index, layerId] = await Promise.all([
    store.selectFrom('curb_policy').selectAll().where('region_id', '=', regionId).execute(),
    indexes.get(scope, regionId),
    readZoneLayer(store, regionId),
  ])
  const zoneUse = index.computeZoneUse(at.getTime())
  const rows = selectVisibleRows(policies, scope)
  const drafts = rows.filter(isDraft)
  const lengths = await readLengths(store, regionId, at, [...new Set(drafts.flatMap(selectDraftZones))])
  const countZones = (row: PolicyRow) =>
    isDraft(row)
      ? sumZones(selectDraftZones(row), lengths)
      : (zoneUse.get(row.curb_policy_id) ?? { zones: 0, lengthM: 0 })
  const groups = groupRegulations(rows, (id) => (zoneUse.get(id)?.openEnded ?? 0) > 0).filter(
    (group): group is RegulationRows & { shownVersion: PolicyRow } => group.shownVersion !== null,
  )
  return groups.map((group) => ({
    group,
    regulation: readRegulation(
      group,
      group.shownVersion,
      { use: countZones(group.shownVersion), layerId, region },
      at,
    ),
  }))
}

/** Reads the ids of the policies that apply to one of the zones at an instant or later. */
async function readPolicyIds(
  store: Store,
  regionId: string,
  zoneIds: readonly string[],
  at: Date,
): Promise<ReadonlySet<string>> {
  const rows = await store
    .selectFrom('curb_zone_policy')
    .select('curb_policy_id')
    .distinct()
    .where('region_id', '=', regionId)
    .where('curb_zone_id', 'in', zoneIds)
    .where((where) => where.or([where('end_time', 'is', null), where('end_time', '>', at)]))
    .execute()
  return new Set(rows.map(({ curb_policy_id: id }) => id))
}

/** Finds the regulations that match a filter. */
async function findRegulations(sources: Sources, query: RegulationQuery) {
  const { viewer, params, at } = query
  const { curb_zone_ids: zoneIds, ...filter } = query.filter
  const regulations = await readRegulations(sources, query)
  const store = sources.state.as(viewer.scope)
  const policyIds = zoneIds.length ? await readPolicyIds(store, params.region_id, zoneIds, at) : null
  const appliesTo = ({ draft, inForce }: RegulationRows): boolean =>
    !policyIds ||
    (inForce !== null && policyIds.has(inForce.curb_policy_id)) ||
    (draft !== null && selectDraftZones(draft).some((id) => zoneIds.includes(id)))
  return regulations.filter(({ group, regulation }) => appliesTo(group) && matchesFilter(regulation, filter))
}

/** Lists one page of the library, with one entry per regulation. */
export async function listRegulations(
  sources: Sources,
  { viewer, params, body, at }: Call<typeof filterCurbPolicies>,
) {
  const { sort, page, size, ...filter } = body
  const matches = await findRegulations(sources, { viewer, params, filter, at })
  const sorted = matches.map(({ regulation }) => regulation).sort(compareRegulations(sort))
  return { items: sorted.slice((page - 1) * size, page * size), total: sorted.length, page, size }
}

/** Counts matching policies in force and their zones, and sums the zones' lengths, by activity. */
export async function countByActivity(
  sources: Sources,
  { viewer, params, body: filter, at }: Call<typeof getCurbActivityStatistics>,
): Promise<CurbActivityStatistics> {
  const { region_id: regionId } = params
  const matches = await findRegulations(sources, { viewer, params, filter, at })
  const activitiesByPolicy = new Map<string, Set<CurbActivity>>()
  for (const { group } of matches)
    if (group.inForce)
      activitiesByPolicy.set(
        group.inForce.curb_policy_id,
        new Set((group.inForce.policy as Regulation['policy']).rules.map(({ activity }) => activity)),
      )
  const store = sources.state.as(viewer.scope)
  const [links, lengths] = await Promise.all([
    store
      .selectFrom('curb_zone_policy')
      .select(['curb_zone_id', 'curb_policy_id'])
      .where('region_id', '=', regionId)
      .where('start_time', '<=', at)
      .where((where) => where.or([where('end_time', 'is', null), where('end_time', '>', at)]))
      .execute(),
    readLengths(store, regionId, at),
  ])
  const zonesByActivity = new Map<CurbActivity | 'all', Set<string>>()
  for (const { curb_zone_id: zone, curb_policy_id: policy } of links) {
    const activities = activitiesByPolicy.get(policy)
    if (!activities) continue
    for (const activity of [...activities, 'all' as const])
      zonesByActivity.set(activity, (zonesByActivity.get(activity) ?? new Set()).add(zone))
  }
  const roundMeters = (meters: number): number => Math.round(meters * 100) / 100
  const totalLengthM = [...lengths.values()].reduce((sum, length) => sum + length, 0)
  const countZones = (activity: CurbActivity | 'all') => {
    const use = sumZones([...(zonesByActivity.get(activity) ?? [])], lengths)
    return { zones: use.zones, length_m: roundMeters(use.lengthM) }
  }
  return {
    total: { policies: activitiesByPolicy.size, ...countZones('all') },
    items: curbActivities.flatMap((activity) => {
      const policies = [...activitiesByPolicy.values()].filter((activities) =>
        activities.has(activity),
      ).length
      if (!policies) return []
      const counts = countZones(activity)
      return [
        { activity, policies, ...counts, share: totalLengthM > 0 ? counts.length_m / totalLengthM : null },
      ]
    }),
  }
}
