import { randomUUID } from 'node:crypto'
import type { CdsPolicyContent } from '#contract/cds.ts'
import type { RegulationDetail, SavedRegulation } from '#contract/curb-regulations.ts'
import { visibleName } from '#contract/names.ts'
import type { Region } from '#contract/regions.ts'
import { policySignature } from '../store/policy-signature.ts'
import { nextModifiedTime } from '#server/geography/shapes/edit/shape-row.ts'
import { Problem } from '#server/http/problem.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { canonicalText } from '#server/stores/canonical-text.ts'
import type { State, Store } from '#server/stores/state.ts'
import { findRegulation, findRegulationRows, readDetail, readZoneIds } from './find-regulation.ts'
import { type Actor, ensureRegulationId, lockRegulation } from './lock-regulation.ts'
import { recordAct } from './regulation-acts.ts'
import { isDraft, readContent, readLengths } from './regulation-rows.ts'

const maxNameLength = 500

/** Trims names and removes empty fields before a policy is stored. */
function cleanPolicy(policy: CdsPolicyContent): CdsPolicyContent {
  const name = visibleName(policy.name ?? '').trim()
  if (!name) throw new Problem('validation_error', 'name: Please enter a value')
  const description = policy.description?.trim()
  const { description: _description, time_spans: spans, ...rest } = policy
  return {
    ...rest,
    name,
    ...(description ? { description } : {}),
    ...(spans?.length ? { time_spans: spans } : {}),
  }
}

/** Throws if a zone does not exist or has ended. */
async function checkZones(
  store: Store,
  regionId: string,
  zoneIds: readonly string[],
  at: Date,
): Promise<void> {
  const lengths = await readLengths(store, regionId, at, zoneIds)
  const unknown = zoneIds.filter((id) => !lengths.has(id))
  if (unknown.length)
    throw new Problem(
      'validation_error',
      `curb_zone_ids: ${unknown.length} of the zones do not exist or have ended: ${unknown.slice(0, 3).join(', ')}`,
    )
}

interface NewDraft {
  regionId: string
  regulationId: string
  policy: CdsPolicyContent
  zoneIds: readonly string[]
  replaces: string | null
  at: Date
  email: string
}

/** Adds a draft, the first or the next version of a regulation. Returns its policy id. */
async function addDraft(store: Store, draft: NewDraft): Promise<string> {
  const { regionId, regulationId, policy, zoneIds, replaces, at, email } = draft
  const id = randomUUID()
  await store
    .insertInto('curb_policy')
    .values({
      region_id: regionId,
      curb_policy_id: id,
      signature: policySignature(policy),
      status: 'saved',
      name: policy.name ?? '',
      policy: JSON.stringify(policy),
      zone_ids: JSON.stringify(zoneIds),
      replaces,
      regulation_id: regulationId,
      created_by: email,
      created_time: at,
      modified_by: email,
      modified_time: at,
    })
    .execute()
  await recordAct(store, {
    regionId,
    regulationId,
    act: 'saved',
    policyId: id,
    content: { policy, zoneIds },
    at,
    email,
  })
  return id
}

/** Reads a regulation that was just changed, in the same transaction. */
export async function readChanged(
  store: Store,
  actor: Actor,
  region: Region,
  id: string,
  at: Date,
): Promise<RegulationDetail> {
  const regulation = await findRegulationRows(store, actor.scope, region.regionId, id, at)
  if (!regulation) throw new Error(`The regulation ${id} was not found after its change`)
  return readDetail(store, region, regulation, regulation.shown, at)
}

/**
 * Saves a regulation: creates a new one, changes its draft, or adds a draft to a published regulation. Writes
 * nothing if the content is the same.
 */
export async function saveRegulation(
  state: State,
  actor: Actor,
  regionId: string,
  {
    curb_policy_id: requestedId,
    policy: requestedPolicy,
    curb_zone_ids: requestedZoneIds,
    if_modified_time: expectedTime,
  }: SavedRegulation,
  at: Date,
): Promise<RegulationDetail> {
  const region = await findRegion(state, actor.scope, regionId)
  const { email } = actor
  const policy = cleanPolicy(requestedPolicy)
  const zoneIds = [...new Set(requestedZoneIds)].toSorted()
  const write = async (store: Store): Promise<RegulationDetail> => {
    const common = { regionId, policy, zoneIds, email }
    if (requestedId === null || requestedId === undefined) {
      await checkZones(store, regionId, zoneIds, at)
      const regulationId = randomUUID()
      await addDraft(store, { ...common, regulationId, replaces: null, at })
      return readChanged(store, actor, region, regulationId, at)
    }
    const regulation = await lockRegulation(store, { actor, region, id: requestedId, expectedTime, at })
    const row = regulation.shown
    const before = { policy: readContent(row), zoneIds: await readZoneIds(store, row, at) }
    const isSame =
      canonicalText([before.policy, before.zoneIds.toSorted()]) === canonicalText([policy, zoneIds])
    if (isSame) return readDetail(store, region, regulation, row, at)
    const oldZones = new Set(before.zoneIds)
    // Zones that have ended since stay in the draft and are left out when it is published, so only new zones
    // are checked.
    await checkZones(
      store,
      regionId,
      zoneIds.filter((id) => !oldZones.has(id)),
      at,
    )
    const regulationId = await ensureRegulationId(store, regulation, at)
    const modifiedTime = nextModifiedTime(row.modified_time, at)
    if (!isDraft(row)) {
      await addDraft(store, { ...common, regulationId, replaces: row.curb_policy_id, at: modifiedTime })
      return readChanged(store, actor, region, regulationId, at)
    }
    await store
      .updateTable('curb_policy')
      .set({
        signature: policySignature(policy),
        name: policy.name ?? '',
        policy: JSON.stringify(policy),
        zone_ids: JSON.stringify(zoneIds),
        modified_by: email,
        modified_time: modifiedTime,
      })
      .where('region_id', '=', regionId)
      .where('curb_policy_id', '=', row.curb_policy_id)
      .execute()
    await recordAct(store, {
      regionId,
      regulationId,
      act: 'saved',
      policyId: row.curb_policy_id,
      content: { policy, zoneIds },
      at: modifiedTime,
      email,
    })
    return readChanged(store, actor, region, regulationId, at)
  }
  return state.as(actor.scope).transaction().execute(write)
}

const copyName = (name: string): string =>
  `${visibleName(name).slice(0, maxNameLength - ' (copy)'.length)} (copy)`

/** Saves a copy of a regulation as a draft without zones. */
export async function duplicateRegulation(
  state: State,
  actor: Actor,
  regionId: string,
  id: string,
  at: Date,
): Promise<RegulationDetail> {
  const { policy, name } = await findRegulation(state, actor.scope, regionId, id, at)
  const copy = { policy: { ...policy, name: copyName(name) }, curb_zone_ids: [] }
  return saveRegulation(state, actor, regionId, copy, at)
}
