import { randomUUID } from 'node:crypto'
import type { CdsPolicyContent } from '#contract/cds.ts'
import type { duplicateCurbPolicy, RegulationDetail, saveCurbPolicy } from '#contract/curb-regulations.ts'
import { removeInvisible } from '#contract/names.ts'
import type { Region } from '#contract/regions.ts'
import { computeSignature } from '../store/policy-signature.ts'
import { getNextModifiedTime } from '#server/geography/shapes/edit/shape-row.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { canonicalText } from '#server/stores/canonical-text.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import {
  findRegulation,
  findRegulationRows,
  type FoundRegulation,
  readDetail,
  readZoneIds,
} from './find-regulation.ts'
import { ensureRegulationId, lockRegulation } from './lock-regulation.ts'
import { recordAct } from './regulation-acts.ts'
import { isDraft, type PolicyRow, readContent, readLengths } from './regulation-rows.ts'

type SaveCall = Pick<Call<typeof saveCurbPolicy>, 'viewer' | 'params' | 'body' | 'at'>

/** Creates a regulation, or changes or adds its draft. Writes nothing if the content is the same. */
export async function saveRegulation(
  state: State,
  { viewer: { scope, email }, params, body, at }: SaveCall,
): Promise<RegulationDetail> {
  const region = await findRegion(state, scope, params.region_id)
  const content: DraftContent = {
    regionId: region.regionId,
    policy: cleanPolicy(body.policy),
    zoneIds: [...new Set(body.curb_zone_ids)].toSorted(),
    email,
  }
  const { curb_policy_id: id, if_modified_time: expectedTime } = body
  const write = async (store: Store): Promise<RegulationDetail> => {
    if (id === null || id === undefined) {
      const regulationId = await addRegulation(store, content, at)
      return readChanged(store, { scope, region, id: regulationId, at })
    }
    const regulation = await lockRegulation(store, { scope, region, id, expectedTime, at })
    const regulationId = await changeRegulation(store, regulation, content, at)
    return regulationId === null
      ? readDetail(store, region, regulation, at)
      : readChanged(store, { scope, region, id: regulationId, at })
  }
  return state.as(scope).transaction().execute(write)
}

/** Adds a regulation with a draft. Returns the id of the regulation. */
async function addRegulation(store: Store, content: DraftContent, at: Date): Promise<string> {
  await checkZones(store, content.regionId, content.zoneIds, at)
  const regulationId = randomUUID()
  await addDraft(store, { ...content, regulationId, replaces: null, at })
  return regulationId
}

/** Changes or adds a draft. Returns the id of the regulation; null if the content is the same. */
async function changeRegulation(
  store: Store,
  regulation: FoundRegulation,
  content: DraftContent,
  at: Date,
): Promise<string | null> {
  const { regionId, policy, zoneIds } = content
  const row = regulation.shownVersion
  const storedContent = { policy: readContent(row), zoneIds: await readZoneIds(store, row, at) }
  const isSame =
    canonicalText([storedContent.policy, storedContent.zoneIds.toSorted()]) ===
    canonicalText([policy, zoneIds])
  if (isSame) return null
  // Zones that have ended since are left out at publication, so only new zones are checked.
  const oldZones = new Set(storedContent.zoneIds)
  const newZoneIds = zoneIds.filter((id) => !oldZones.has(id))
  await checkZones(store, regionId, newZoneIds, at)
  const regulationId = await ensureRegulationId(store, regulation, at)
  const change = { ...content, regulationId, at: getNextModifiedTime(row.modified_time, at) }
  if (isDraft(row)) await changeDraft(store, row, change)
  else await addDraft(store, { ...change, replaces: row.curb_policy_id })
  return regulationId
}

/** Trims names and removes empty fields before a policy is stored. */
function cleanPolicy(policy: CdsPolicyContent): CdsPolicyContent {
  const name = removeInvisible(policy.name ?? '').trim()
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

/** Requires that the zones exist and have not ended. @throws Problem `validation_error`. */
async function checkZones(
  store: Store,
  regionId: string,
  zoneIds: readonly string[],
  at: Date,
): Promise<void> {
  const lengths = await readLengths(store, regionId, at, zoneIds)
  const unknownIds = zoneIds.filter((id) => !lengths.has(id))
  if (unknownIds.length)
    throw new Problem(
      'validation_error',
      `curb_zone_ids: ${unknownIds.length} of the zones do not exist or have ended: ${unknownIds.slice(0, 3).join(', ')}`,
    )
}

/** What a user saves, and who saves it. */
interface DraftContent {
  regionId: string
  policy: CdsPolicyContent
  zoneIds: readonly string[]
  email: string
}

interface DraftChange extends DraftContent {
  regulationId: string
  at: Date
}

/** Adds a draft, the first or the next version of a regulation. */
async function addDraft(store: Store, draft: DraftChange & { replaces: string | null }): Promise<void> {
  const { regionId, regulationId, policy, zoneIds, replaces, at, email } = draft
  const policyId = randomUUID()
  await store
    .insertInto('curb_policy')
    .values({
      region_id: regionId,
      curb_policy_id: policyId,
      signature: computeSignature(policy),
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
  await recordSave(store, policyId, draft)
}

async function changeDraft(store: Store, row: PolicyRow, change: DraftChange): Promise<void> {
  const { regionId, policy, zoneIds, at, email } = change
  await store
    .updateTable('curb_policy')
    .set({
      signature: computeSignature(policy),
      name: policy.name ?? '',
      policy: JSON.stringify(policy),
      zone_ids: JSON.stringify(zoneIds),
      modified_by: email,
      modified_time: at,
    })
    .where('region_id', '=', regionId)
    .where('curb_policy_id', '=', row.curb_policy_id)
    .execute()
  await recordSave(store, row.curb_policy_id, change)
}

const recordSave = (
  store: Store,
  policyId: string,
  { regionId, regulationId, policy, zoneIds, at, email }: DraftChange,
): Promise<void> =>
  recordAct(store, {
    regionId,
    regulationId,
    act: 'saved',
    policyId,
    content: { policy, zoneIds },
    at,
    email,
  })

/** Deletes a version of a regulation if it is a draft. */
export async function deleteDraft(store: Store, draft: PolicyRow): Promise<void> {
  await store
    .deleteFrom('curb_policy')
    .where('region_id', '=', draft.region_id)
    .where('curb_policy_id', '=', draft.curb_policy_id)
    .where('status', '=', 'saved')
    .execute()
}

/** Reads a regulation that was just changed, in the same transaction. */
export async function readChanged(
  store: Store,
  { scope, region, id, at }: { scope: Scope; region: Region; id: string; at: Date },
): Promise<RegulationDetail> {
  const regulation = await findRegulationRows(store, { scope, regionId: region.regionId, id, at })
  if (!regulation) throw new Error(`The regulation ${id} was not found after its change`)
  return readDetail(store, region, regulation, at)
}

const maxNameLength = 500

const makeCopyName = (name: string): string =>
  `${removeInvisible(name).slice(0, maxNameLength - ' (copy)'.length)} (copy)`

/** Saves a copy of a regulation as a draft without zones. */
export async function duplicateRegulation(
  state: State,
  { viewer, params, body: { curb_policy_id }, at }: Call<typeof duplicateCurbPolicy>,
): Promise<RegulationDetail> {
  const { policy, name } = await findRegulation(state, { viewer, params: { ...params, curb_policy_id }, at })
  const copy = { policy: { ...policy, name: makeCopyName(name) }, curb_zone_ids: [] }
  return saveRegulation(state, { viewer, params, body: copy, at })
}
