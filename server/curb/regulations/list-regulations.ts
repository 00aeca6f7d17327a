import { curbActivities, type CurbActivity } from '#contract/cds.ts'
import type { CurbActivityStatistics, Regulation, RegulationFilter } from '#contract/curb-regulations.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { CurbIndexes } from '../store/curb-index.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { isPaid, wordsOf } from './policy-view.ts'
import {
  draftZones,
  groupRegulations,
  isDraft,
  type PolicyRow,
  readLengths,
  readRegulation,
  readZoneLayer,
  type RegulationRows,
  sumZones,
  visibleRows,
} from './regulation-rows.ts'

interface Sources {
  state: State
  indexes: CurbIndexes
}

type Filter = Omit<RegulationFilter, 'sort' | 'page' | 'size'>

const shares = (requested: readonly string[], values: readonly string[]): boolean =>
  !requested.length || values.some((each) => requested.includes(each))

/** Whether the filters of the library include a regulation. One with a draft beside its published version is found as both. */
export function matchesFilter(regulation: Regulation, filter: Omit<Filter, 'curb_zone_ids'>): boolean {
  const { rules, description = '' } = regulation.policy
  const text = filter.text.trim().toLocaleLowerCase()
  const texts = [regulation.name, description, ...rules.flatMap((rule) => [rule.name, rule.description])]
  const isInForce = regulation.published_policy_id !== null && regulation.status !== 'expired'
  return (
    (!text || texts.some((each) => each?.toLocaleLowerCase().includes(text))) &&
    (!filter.statuses.length ||
      filter.statuses.includes(regulation.status) ||
      (isInForce && filter.statuses.includes('published'))) &&
    shares(
      filter.activities,
      rules.map(({ activity }) => activity),
    ) &&
    shares(filter.user_classes, wordsOf(rules, 'user_classes')) &&
    shares(filter.purposes, wordsOf(rules, 'purposes')) &&
    (filter.is_paid === null || filter.is_paid === undefined || isPaid(regulation.policy) === filter.is_paid)
  )
}

const sortValue: Record<string, (regulation: Regulation) => string | number | null> = {
  name: ({ name }) => name,
  priority: ({ policy }) => policy.priority,
  status: ({ status }) => status,
  zones: ({ zone_count: zones }) => zones,
  length: ({ length_m: length }) => length,
  effective_time: ({ effective_time: time }) => time,
  modified_time: ({ modified_time: time }) => time,
}

/** Compares by a field; missing values are last either way, equal ones follow name and id. */
export function compareRegulations(sort: RegulationFilter['sort']): (a: Regulation, b: Regulation) => number {
  const isDescending = sort.startsWith('-')
  const value = sortValue[isDescending ? sort.slice(1) : sort] ?? (() => null)
  const compare = (a: string | number, b: string | number): number =>
    typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b))
  const byName = (a: Regulation, b: Regulation): number =>
    a.name.localeCompare(b.name) || a.regulation_id.localeCompare(b.regulation_id)
  return (a, b) => {
    const [one, other] = [value(a), value(b)]
    if (one === null || other === null) return one === other ? byName(a, b) : one === null ? 1 : -1
    return (isDescending ? -1 : 1) * compare(one, other) || byName(a, b)
  }
}

/** All regulations of a region that a viewer sees, with their zones counted. */
async function readRegulations({ state, indexes }: Sources, scope: Scope, regionId: string, at: Date) {
  const region = await findRegion(state, scope, regionId)
  const store = state.as(scope)
  const [all, index, layerId] = await Promise.all([
    store.selectFrom('curb_policy').selectAll().where('region_id', '=', regionId).execute(),
    indexes.get(scope, regionId),
    readZoneLayer(store, regionId),
  ])
  const use = index.zoneUse(at.getTime())
  const rows = visibleRows(all, scope)
  const drafts = rows.filter(isDraft)
  const lengths = await readLengths(store, regionId, at, [...new Set(drafts.flatMap(draftZones))])
  const countZones = (row: PolicyRow) =>
    isDraft(row)
      ? sumZones(draftZones(row), lengths)
      : (use.get(row.curb_policy_id) ?? { zones: 0, lengthM: 0 })
  const groups = groupRegulations(rows, (id) => (use.get(id)?.openEnded ?? 0) > 0).filter(
    (group): group is RegulationRows & { shown: PolicyRow } => group.shown !== null,
  )
  const regulations = groups.map((group) => ({
    group,
    regulation: readRegulation(group, group.shown, { use: countZones(group.shown), layerId, region }, at),
  }))
  return { store, region, regulations }
}

/** Policies that apply to one of these zones at an instant or later. */
async function policiesOfZones(
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

async function findRegulations(
  sources: Sources,
  scope: Scope,
  regionId: string,
  { curb_zone_ids: zoneIds, ...filter }: Filter,
  at: Date,
) {
  const { store, region, regulations } = await readRegulations(sources, scope, regionId, at)
  const ofZones = zoneIds.length ? await policiesOfZones(store, regionId, zoneIds, at) : null
  const appliesTo = ({ draft, inForce }: RegulationRows): boolean =>
    !ofZones ||
    (inForce !== null && ofZones.has(inForce.curb_policy_id)) ||
    (draft !== null && draftZones(draft).some((id) => zoneIds.includes(id)))
  const found = regulations.filter(
    ({ group, regulation }) => appliesTo(group) && matchesFilter(regulation, filter),
  )
  return { store, region, found }
}

/** The library: one entry per regulation, one page. */
export async function listRegulations(
  sources: Sources,
  scope: Scope,
  regionId: string,
  { sort, page, size, ...filter }: RegulationFilter,
  at: Date,
) {
  const { found } = await findRegulations(sources, scope, regionId, filter, at)
  const sorted = found.map(({ regulation }) => regulation).sort(compareRegulations(sort))
  return { items: sorted.slice((page - 1) * size, page * size), total: sorted.length, page, size }
}

/** Policies, zones and length by activity, of the policies in force that a filter finds. */
export async function countByActivity(
  sources: Sources,
  scope: Scope,
  regionId: string,
  filter: Filter,
  at: Date,
): Promise<CurbActivityStatistics> {
  const { store, found } = await findRegulations(sources, scope, regionId, filter, at)
  const activitiesOf = new Map<string, Set<CurbActivity>>()
  for (const { group } of found)
    if (group.inForce)
      activitiesOf.set(
        group.inForce.curb_policy_id,
        new Set((group.inForce.policy as Regulation['policy']).rules.map(({ activity }) => activity)),
      )
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
  const zonesOf = new Map<CurbActivity | 'all', Set<string>>()
  for (const { curb_zone_id: zone, curb_policy_id: policy } of links)
    for (const activity of [
      ...(activitiesOf.get(policy) ?? []),
      ...(activitiesOf.has(policy) ? ['all' as const] : []),
    ])
      zonesOf.set(activity, (zonesOf.get(activity) ?? new Set()).add(zone))
  const round = (meters: number): number => Math.round(meters * 100) / 100
  const whole = [...lengths.values()].reduce((sum, length) => sum + length, 0)
  const countOf = (activity: CurbActivity | 'all') => {
    const use = sumZones([...(zonesOf.get(activity) ?? [])], lengths)
    return { zones: use.zones, length_m: round(use.lengthM) }
  }
  return {
    total: { policies: activitiesOf.size, ...countOf('all') },
    items: curbActivities.flatMap((activity) => {
      const policies = [...activitiesOf.values()].filter((activities) => activities.has(activity)).length
      if (!policies) return []
      const counts = countOf(activity)
      return [{ activity, policies, ...counts, share: whole > 0 ? counts.length_m / whole : null }]
    }),
  }
}
