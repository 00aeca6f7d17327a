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
import { type By, ensureRegulationId, lockRegulation } from './lock-regulation.ts'
import { recordAct } from './regulation-acts.ts'
import { isDraft, readContent, readLengths } from './regulation-rows.ts'

const nameLength = 500

/** A policy as it is stored: names without surrounding spaces, empty fields left out. */
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
  const known = await readLengths(store, regionId, at, zoneIds)
  const unknown = zoneIds.filter((id) => !known.has(id))
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

/** Adds a draft: the first version of a regulation, or the next one. Returns its id. */
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
  by: By,
  region: Region,
  id: string,
  at: Date,
): Promise<RegulationDetail> {
  const found = await findRegulationRows(store, by.scope, region.regionId, id, at)
  if (!found) throw new Error(`The regulation ${id} is gone`)
  return readDetail(store, region, found, found.shown, at)
}

/** Saves a regulation: a new one, a draft in place, or a draft beside a published version. Nothing is written if nothing changed. */
export async function saveRegulation(
  state: State,
  by: By,
  regionId: string,
  {
    curb_policy_id: known,
    policy: given,
    curb_zone_ids: givenZones,
    if_modified_time: seen,
  }: SavedRegulation,
  at: Date,
): Promise<RegulationDetail> {
  const region = await findRegion(state, by.scope, regionId)
  const { email } = by
  const policy = cleanPolicy(given)
  const zoneIds = [...new Set(givenZones)].toSorted()
  const write = async (store: Store): Promise<RegulationDetail> => {
    const common = { regionId, policy, zoneIds, email }
    if (known === null || known === undefined) {
      await checkZones(store, regionId, zoneIds, at)
      const regulationId = randomUUID()
      await addDraft(store, { ...common, regulationId, replaces: null, at })
      return readChanged(store, by, region, regulationId, at)
    }
    const found = await lockRegulation(store, by, region, known, seen, at)
    const row = found.shown
    const before = { policy: readContent(row), zoneIds: await readZoneIds(store, row, at) }
    const isSame =
      canonicalText([before.policy, before.zoneIds.toSorted()]) === canonicalText([policy, zoneIds])
    if (isSame) return readDetail(store, region, found, row, at)
    const had = new Set(before.zoneIds)
    // Zones that ended since stay in the draft; they are left out when it is published.
    await checkZones(
      store,
      regionId,
      zoneIds.filter((id) => !had.has(id)),
      at,
    )
    const regulationId = await ensureRegulationId(store, found, at)
    const changed = nextModifiedTime(row.modified_time, at)
    if (!isDraft(row)) {
      await addDraft(store, { ...common, regulationId, replaces: row.curb_policy_id, at: changed })
      return readChanged(store, by, region, regulationId, at)
    }
    await store
      .updateTable('curb_policy')
      .set({
        signature: policySignature(policy),
        name: policy.name ?? '',
        policy: JSON.stringify(policy),
        zone_ids: JSON.stringify(zoneIds),
        modified_by: email,
        modified_time: changed,
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
      at: changed,
      email,
    })
    return readChanged(store, by, region, regulationId, at)
  }
  return state.as(by.scope).transaction().execute(write)
}

const copyName = (name: string): string =>
  `${visibleName(name).slice(0, nameLength - ' (copy)'.length)} (copy)`

/** Saves a copy of a regulation as a draft; it applies to no zones yet. */
export async function duplicateRegulation(
  state: State,
  by: By,
  regionId: string,
  id: string,
  at: Date,
): Promise<RegulationDetail> {
  const { policy, name } = await findRegulation(state, by.scope, regionId, id, at)
  const copy = { policy: { ...policy, name: copyName(name) }, curb_zone_ids: [] }
  return saveRegulation(state, by, regionId, copy, at)
}
