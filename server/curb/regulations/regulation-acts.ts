import { randomUUID } from 'node:crypto'
import type { CdsPolicyContent } from '#contract/cds.ts'
import type { RegulationChange, RegulationRevision, regulationActs } from '#contract/curb-regulations.ts'
import { canonicalText } from '#server/stores/canonical-text.ts'
import { type PolicyRow, readContent } from './regulation-rows.ts'
import type { Store } from '#server/stores/state.ts'

type Act = (typeof regulationActs)[number]

interface ActContent {
  policy: CdsPolicyContent
  zoneIds: readonly string[]
}

/** Fields that are compared first, in this order. */
const knownFields = ['name', 'description', 'priority', 'rules', 'time_spans'] as const

/** Lists the fields in which two versions differ; for zones, the ids that were removed and added. */
export function listChanges(before: ActContent, after: ActContent): RegulationChange[] {
  const oldPolicy: Record<string, unknown> = before.policy
  const newPolicy: Record<string, unknown> = after.policy
  const fields = [...new Set([...knownFields, ...Object.keys(oldPolicy), ...Object.keys(newPolicy)])]
  const changes = fields
    .filter((field) => canonicalText(oldPolicy[field] ?? null) !== canonicalText(newPolicy[field] ?? null))
    .map((field) => ({ field, before: oldPolicy[field] ?? null, after: newPolicy[field] ?? null }))
  const oldZones = new Set(before.zoneIds)
  const newZones = new Set(after.zoneIds)
  const removed = before.zoneIds.filter((id) => !newZones.has(id))
  const added = after.zoneIds.filter((id) => !oldZones.has(id))
  return removed.length || added.length
    ? [...changes, { field: 'curb_zone_ids', before: removed, after: added }]
    : changes
}

interface NewAct {
  regionId: string
  regulationId: string
  act: Act
  policyId: string
  content: ActContent
  effective?: Date
  at: Date
  email: string | null
}

/** Adds an act to the history of a regulation, as its next revision. */
export async function recordAct(
  store: Store,
  { regionId, regulationId, act, policyId, content, effective, at, email }: NewAct,
): Promise<void> {
  const newest = await store
    .selectFrom('curb_regulation_act')
    .select(({ fn }) => fn.max('revision').as('revision'))
    .where('region_id', '=', regionId)
    .where('regulation_id', '=', regulationId)
    .executeTakeFirst()
  await store
    .insertInto('curb_regulation_act')
    .values({
      region_id: regionId,
      regulation_id: regulationId,
      act_id: randomUUID(),
      revision: Number(newest?.revision ?? 0) + 1,
      act,
      curb_policy_id: policyId,
      policy: JSON.stringify(content.policy),
      zone_ids: JSON.stringify(content.zoneIds),
      effective_time: effective ?? null,
      act_time: at,
      act_by: email,
    })
    .execute()
}

export async function deleteActs(store: Store, regionId: string, regulationId: string): Promise<void> {
  await store
    .deleteFrom('curb_regulation_act')
    .where('region_id', '=', regionId)
    .where('regulation_id', '=', regulationId)
    .execute()
}

/**
 * Reads the history of a regulation, newest first. A regulation that was imported and never edited has no
 * stored acts; its history consists of the import. `isPublicOnly` leaves out acts that concern drafts.
 */
export async function readActs(
  store: Store,
  {
    regionId,
    regulationId,
    rows,
    isPublicOnly,
  }: { regionId: string; regulationId: string; rows: readonly PolicyRow[]; isPublicOnly: boolean },
): Promise<RegulationRevision[]> {
  const acts = await store
    .selectFrom('curb_regulation_act')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('regulation_id', '=', regulationId)
    .orderBy('revision')
    .execute()
  if (!acts.length)
    return rows.map((row): RegulationRevision => ({
      revision: 1,
      act: row.import_id === null && row.status === 'saved' ? 'saved' : 'imported',
      curb_policy_id: row.curb_policy_id,
      name: row.name,
      time: (row.published_time ?? row.created_time).toISOString(),
      by_email: (row.published_by ?? row.created_by) || null,
      effective_time: row.effective_time?.toISOString() ?? null,
      changes: [],
    }))
  const visibleActs = isPublicOnly ? acts.filter(({ act }) => act !== 'saved' && act !== 'discarded') : acts
  const contents = visibleActs.map((act): ActContent => ({
    policy: readContent(act),
    zoneIds: act.zone_ids as string[],
  }))
  return visibleActs
    .map((act, index): RegulationRevision => {
      const before = contents[index - 1]
      const after = contents[index]
      return {
        revision: act.revision,
        act: act.act as Act,
        curb_policy_id: act.curb_policy_id,
        name: after?.policy.name ?? '',
        time: act.act_time.toISOString(),
        by_email: act.act_by,
        effective_time: act.effective_time?.toISOString() ?? null,
        changes: before && after ? listChanges(before, after) : [],
      }
    })
    .reverse()
}
