import type { Selectable } from 'kysely'
import type { CdsPolicyContent } from '#contract/cds.ts'
import type { Regulation } from '#contract/curb-regulations.ts'
import { appendTo } from '#contract/group-by.ts'
import type { Region } from '#contract/regions.ts'
import { getPolicyContent } from '../store/policy-signature.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { toPolicyV2 } from './policy-view.ts'
import type { Store } from '#server/stores/state.ts'

export type PolicyRow = Selectable<StateTables['curb_policy']>

/** The versions of a regulation. */
export interface RegulationRows {
  id: string
  /** Oldest first. */
  rows: readonly PolicyRow[]
  draft: PolicyRow | null
  /** The published version that no later one replaces. */
  inForce: PolicyRow | null
  /** The version that the library shows; null if the regulation was deleted. */
  shownVersion: PolicyRow | null
}

/** Number and total length of the zones to which a policy applies now or later. */
export interface ZoneUse {
  zones: number
  lengthM: number
}
const noUse: ZoneUse = { zones: 0, lengthM: 0 }

export const isDraft = (row: PolicyRow): boolean => row.status === 'saved'
/** Whether a version is published and not replaced by another one. */
export const isCurrent = (row: PolicyRow): boolean =>
  row.status === 'published' && row.superseded_time === null
const isDeleted = (row: PolicyRow): boolean => row.status === 'unpublished' && row.deleted_time !== null

export const getRegulationId = (row: PolicyRow): string => row.regulation_id ?? row.curb_policy_id
const getVersionTime = (row: PolicyRow): number => (row.published_time ?? row.created_time).getTime()

/** Groups policies into regulations. A superseded version that an import restored gets its own. */
export function groupRegulations(
  rows: readonly PolicyRow[],
  isInUse: (policyId: string) => boolean = () => false,
): RegulationRows[] {
  const groups = new Map<string, PolicyRow[]>()
  for (const row of rows) {
    const isRestored = row.superseded_time !== null && isInUse(row.curb_policy_id)
    const id = isRestored ? row.curb_policy_id : getRegulationId(row)
    appendTo(groups, id, isRestored ? { ...row, superseded_time: null } : row)
  }
  return [...groups].map(([id, versions]) => {
    const sortedVersions = versions.toSorted((a, b) => getVersionTime(a) - getVersionTime(b))
    const draft = sortedVersions.findLast(isDraft) ?? null
    const inForce = sortedVersions.findLast(isCurrent) ?? null
    const endedVersion = sortedVersions.findLast(
      (row) => row.status === 'unpublished' && row.deleted_time === null && row.superseded_time === null,
    )
    return {
      id,
      rows: sortedVersions,
      draft,
      inForce,
      shownVersion: draft ?? inForce ?? endedVersion ?? null,
    }
  })
}

/** Selects rows that a viewer may see: none that are deleted, and no drafts for accounts of operators. */
export const selectVisibleRows = (rows: readonly PolicyRow[], scope: Scope): PolicyRow[] =>
  rows.filter((row) => !isDeleted(row) && (!scope.operators || !isDraft(row)))

/**
 * Returns number and length of the zones to which each published policy applies at an instant or later, by
 * policy id. `openEnded` is the number of zones to which it applies without an end.
 */
export async function readZoneUse(
  store: Store,
  regionId: string,
  at: Date,
  policyIds?: readonly string[],
): Promise<Map<string, ZoneUse & { openEnded: number }>> {
  const rows = await store
    .selectFrom('curb_zone_policy as link')
    .innerJoin('curb_zone as zone', (join) =>
      join
        .onRef('zone.region_id', '=', 'link.region_id')
        .onRef('zone.curb_zone_id', '=', 'link.curb_zone_id'),
    )
    .select(({ fn, eb }) => [
      'link.curb_policy_id',
      'link.curb_zone_id',
      fn.max('zone.length_cm').as('length_cm'),
      fn.max(eb.case().when('link.end_time', 'is', null).then(1).else(0).end()).as('is_open'),
    ])
    .where('link.region_id', '=', regionId)
    .where((where) => where.or([where('link.end_time', 'is', null), where('link.end_time', '>', at)]))
    .where((where) =>
      where.or([
        where('link.end_time', 'is', null),
        where('link.end_time', '>', where.ref('link.start_time')),
      ]),
    )
    .where((where) => where.or([where('zone.end_time', 'is', null), where('zone.end_time', '>', at)]))
    .$if(policyIds !== undefined, (query) => query.where('link.curb_policy_id', 'in', policyIds ?? []))
    .groupBy(['link.curb_policy_id', 'link.curb_zone_id'])
    .execute()
  const use = new Map<string, ZoneUse & { openEnded: number }>()
  for (const { curb_policy_id: id, length_cm: length, is_open: isOpen } of rows) {
    const sum = use.get(id) ?? { zones: 0, lengthM: 0, openEnded: 0 }
    sum.zones += 1
    sum.lengthM += Number(length) / 100
    sum.openEnded += Number(isOpen)
    use.set(id, sum)
  }
  return use
}

/** Returns number and total length of the zones in `lengths`, which are those in force. */
export const sumZones = (zoneIds: readonly string[], lengths: ReadonlyMap<string, number>): ZoneUse =>
  zoneIds.reduce((sum, id) => {
    const length = lengths.get(id)
    return length === undefined ? sum : { zones: sum.zones + 1, lengthM: sum.lengthM + length }
  }, noUse)

/** Zone ids in one statement. */
const chunkRows = 5000

/** Reads lengths, in meters, of the zones in force at an instant or later, by zone id. */
export async function readLengths(
  store: Store,
  regionId: string,
  at: Date,
  zoneIds?: readonly string[],
): Promise<Map<string, number>> {
  if (zoneIds?.length === 0) return new Map()
  const lengths = new Map<string, number>()
  for (let from = 0; from < (zoneIds?.length ?? 1); from += chunkRows) {
    const rows = await store
      .selectFrom('curb_zone')
      .select(['curb_zone_id', 'length_cm'])
      .where('region_id', '=', regionId)
      .where((where) => where.or([where('end_time', 'is', null), where('end_time', '>', at)]))
      .$if(zoneIds !== undefined, (query) =>
        query.where('curb_zone_id', 'in', zoneIds?.slice(from, from + chunkRows) ?? []),
      )
      .execute()
    for (const row of rows) lengths.set(row.curb_zone_id, row.length_cm / 100)
  }
  return lengths
}

/** Reads the id of the layer of the region's curb zones; null if there is none yet. */
export async function readZoneLayer(store: Store, regionId: string): Promise<string | null> {
  const row = await store
    .selectFrom('curb_settings')
    .select('layer_id')
    .where('region_id', '=', regionId)
    .executeTakeFirst()
  return row?.layer_id ?? null
}

/** Reads the content of a stored policy, without the id and time with which published policies are stored. */
export const readContent = (row: Pick<PolicyRow, 'policy'>): CdsPolicyContent =>
  getPolicyContent(row.policy as Parameters<typeof getPolicyContent>[0])

/** Returns the ids of the zones that are stored with a draft or an unpublished policy. */
export const selectDraftZones = (row: PolicyRow): string[] => (row.zone_ids as string[] | null) ?? []

/** Reads a regulation as the API returns it. */
export function readRegulation(
  { id, draft, inForce }: RegulationRows,
  row: PolicyRow,
  { use, layerId, region }: { use: ZoneUse; layerId: string | null; region: Region },
  at: Date,
): Regulation {
  const policy = readContent(row)
  const isPublished = row.status === 'published'
  return {
    ...toPolicyV2(
      policy,
      {
        id: row.curb_policy_id,
        isPublished,
        layerId,
        currency: region.currencyCode,
        timezone: region.timezone,
      },
      at,
    ),
    regulation_id: id,
    region_id: row.region_id,
    name: row.name,
    policy,
    published: isPublished,
    published_policy_id: inForce?.curb_policy_id ?? null,
    replaces: row.replaces,
    effective_time: (draft === row ? null : row.effective_time)?.toISOString() ?? null,
    zone_count: use.zones,
    length_m: Math.round(use.lengthM * 100) / 100,
    created_time: row.created_time.toISOString(),
    created_by_email: row.created_by || null,
    modified_time: row.modified_time.toISOString(),
    modified_by_email: (row.modified_by ?? row.created_by) || null,
    published_time: row.published_time?.toISOString() ?? null,
    published_by_email: row.published_by,
    is_imported: row.import_id !== null,
  }
}
