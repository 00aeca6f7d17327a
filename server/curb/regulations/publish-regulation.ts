import type { CdsPolicy } from '#contract/cds.ts'
import type { RegulationDetail } from '#contract/curb-regulations.ts'
import { policyTexts } from '#contract/policy-texts.ts'
import { derivePolicyId, policySignature } from '../store/policy-signature.ts'
import { nextModifiedTime } from '#server/geography/shapes/edit/shape-row.ts'
import { Problem } from '#server/http/problem.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { FoundRegulation } from './find-regulation.ts'
import { findRegulationRows, readDetail, readZoneIds } from './find-regulation.ts'
import { type Actor, ensureRegulationId, lockRegulation } from './lock-regulation.ts'
import { hasExpired } from './policy-view.ts'
import { recordAct } from './regulation-acts.ts'
import { isCurrent, isDraft, type PolicyRow, readContent, readLengths } from './regulation-rows.ts'
import { readChanged } from './save-regulation.ts'
import { beginLinks, endLinks, markZonesUpdated } from './zone-links.ts'

/** Effective times up to this far in the past count as now: they passed while the request was under way. */
const clockToleranceMs = 60_000

/** The requested effective time, at the earliest now. */
function effectiveTime(requested: string | null | undefined, at: Date): Date {
  if (requested === null || requested === undefined) return at
  const time = new Date(requested)
  if (time.getTime() < at.getTime() - clockToleranceMs)
    throw new Problem('validation_error', 'effective_time: The time is in the past.')
  return time < at ? at : time
}

interface Publication {
  store: Store
  regionId: string
  email: string
  at: Date
  effective: Date
}

/**
 * Stores a version as published and returns its policy id. If a policy with the same content is or was
 * published, that one is used, so that identical policies share an id. `isMerged` is true if it belongs to
 * another regulation.
 */
async function storePublished(
  { store, regionId, email, at, effective }: Publication,
  row: PolicyRow,
  regulationId: string,
): Promise<{ id: string; isMerged: boolean }> {
  const content = readContent(row)
  const signature = policySignature(content)
  const same = await store
    .selectFrom('curb_policy')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('signature', '=', signature)
    .where('status', '!=', 'saved')
    .orderBy((order) => order.case().when('status', '=', 'published').then(0).else(1).end())
    .limit(1)
    .executeTakeFirst()
  const target = same ?? row
  const isInForce = target.status === 'published' && target.superseded_time === null
  const isMerged = same !== undefined && isInForce && same.regulation_id !== regulationId
  const id = same?.curb_policy_id ?? derivePolicyId(regionId, signature)
  const policy: CdsPolicy = { ...content, curb_policy_id: id, published_date: at.getTime() }
  if (target !== row)
    await store
      .deleteFrom('curb_policy')
      .where('region_id', '=', regionId)
      .where('curb_policy_id', '=', row.curb_policy_id)
      .where('status', '=', 'saved')
      .execute()
  await store
    .updateTable('curb_policy')
    .set({
      modified_by: email,
      modified_time: nextModifiedTime(
        new Date(Math.max(row.modified_time.getTime(), target.modified_time.getTime())),
        at,
      ),
      ...(isInForce
        ? {}
        : {
            curb_policy_id: id,
            signature,
            status: 'published',
            policy: JSON.stringify(policy),
            zone_ids: null,
            replaces: target === row ? row.replaces : target.replaces,
            regulation_id: regulationId,
            published_by: email,
            published_time: at,
            effective_time: effective,
            superseded_time: null,
            unpublished_time: null,
            deleted_time: null,
          }),
    })
    .where('region_id', '=', regionId)
    .where('curb_policy_id', '=', target.curb_policy_id)
    .execute()
  return { id, isMerged }
}

/** Supersedes the other published versions of a regulation. Returns the zones to which they applied. */
async function supersedeOthers(
  { store, regionId, effective }: Publication,
  regulation: FoundRegulation,
  exceptId: string,
): Promise<string[]> {
  const otherIds = regulation.rows
    .filter((row) => row.status === 'published' && row.curb_policy_id !== exceptId)
    .map((row) => row.curb_policy_id)
  if (!otherIds.length) return []
  await store
    .updateTable('curb_policy')
    .set({ superseded_time: effective })
    .where('region_id', '=', regionId)
    .where('curb_policy_id', 'in', otherIds)
    .where((where) =>
      where.or([where('superseded_time', 'is', null), where('superseded_time', '>', effective)]),
    )
    .execute()
  return endLinks(store, regionId, otherIds, effective)
}

interface RegulationRequest {
  /** Id of the regulation or of one of its versions. */
  id: string
  effectiveTime?: string | null | undefined
  /** The modified time that the user read. */
  expectedTime: string | undefined
}

/**
 * Publishes a draft, or a regulation that was unpublished. At the effective time, the links of its zones to
 * the replaced version end and those to the new version begin.
 */
export async function publishRegulation(
  state: State,
  actor: Actor,
  regionId: string,
  { id: requestedId, effectiveTime: requestedTime, expectedTime }: RegulationRequest,
  at: Date,
): Promise<RegulationDetail> {
  const region = await findRegion(state, actor.scope, regionId)
  const effective = effectiveTime(requestedTime, at)
  const write = async (store: Store): Promise<RegulationDetail> => {
    const regulation = await lockRegulation(store, { actor, region, id: requestedId, expectedTime, at })
    const row = regulation.shown
    if (isCurrent(row)) return readDetail(store, region, regulation, row, at)
    const content = readContent(row)
    if (hasExpired(content, effective)) throw new Problem('conflict', policyTexts.expired)
    const lengths = await readLengths(store, regionId, effective, await readZoneIds(store, row, at))
    const zoneIds = [...lengths.keys()].toSorted()
    if (!zoneIds.length)
      throw new Problem('conflict', 'This regulation has no zones. Choose the zones to which it applies.')
    const ownId = await ensureRegulationId(store, regulation, at)
    const publication = { store, regionId, email: actor.email, at, effective }
    const { id, isMerged } = await storePublished(publication, row, ownId)
    const ended = await supersedeOthers(publication, regulation, id)
    const newZones = new Set(zoneIds)
    const dropped = isMerged
      ? []
      : (await readLinkedZones(store, regionId, id, effective)).filter((zone) => !newZones.has(zone))
    const removed = await endLinks(store, regionId, [id], effective, dropped)
    const begun = await beginLinks(store, regionId, id, zoneIds, effective)
    await markZonesUpdated(store, regionId, [...new Set([...ended, ...removed, ...begun])], at)
    const regulationId = isMerged ? await getOwnerId(store, actor, regionId, id, at) : ownId
    if (isMerged && !regulation.rows.some((each) => !isDraft(each))) await deleteActs(store, regionId, ownId)
    await recordAct(store, {
      regionId,
      regulationId,
      act: 'published',
      policyId: id,
      content: {
        policy: content,
        zoneIds: isMerged ? await readLinkedZones(store, regionId, id, effective) : zoneIds,
      },
      effective,
      at,
      email: actor.email,
    })
    return readChanged(store, actor, region, id, at)
  }
  return state.as(actor.scope).transaction().execute(write)
}

/** Id of the regulation to which a published policy belongs. */
async function getOwnerId(
  store: Store,
  actor: Actor,
  regionId: string,
  policyId: string,
  at: Date,
): Promise<string> {
  const owner = await findRegulationRows(store, actor.scope, regionId, policyId, at)
  if (!owner) throw new Error(`The policy ${policyId} has no regulation`)
  return ensureRegulationId(store, owner, at)
}

const deleteActs = (store: Store, regionId: string, regulationId: string) =>
  store
    .deleteFrom('curb_regulation_act')
    .where('region_id', '=', regionId)
    .where('regulation_id', '=', regulationId)
    .execute()

/** Ids of the zones to which a policy applies at a time or later. */
async function readLinkedZones(
  store: Store,
  regionId: string,
  policyId: string,
  from: Date,
): Promise<string[]> {
  const rows = await store
    .selectFrom('curb_zone_policy')
    .select('curb_zone_id')
    .distinct()
    .where('region_id', '=', regionId)
    .where('curb_policy_id', '=', policyId)
    .where((where) => where.or([where('end_time', 'is', null), where('end_time', '>', from)]))
    .orderBy('curb_zone_id')
    .execute()
  return rows.map(({ curb_zone_id: id }) => id)
}

/**
 * Ends all published versions of a regulation now, and stores its zones so that it can be published again.
 */
async function endRegulation(
  store: Store,
  {
    email,
    regulation,
    zoneIds,
    at,
  }: { email: string; regulation: FoundRegulation; zoneIds: readonly string[]; at: Date },
): Promise<void> {
  const { region_id: regionId } = regulation.shown
  const { inForce } = regulation
  const published = regulation.rows.filter(({ status }) => status === 'published')
  const ids = published.map((row) => row.curb_policy_id)
  await markZonesUpdated(store, regionId, await endLinks(store, regionId, ids, at), at)
  for (const row of published)
    await store
      .updateTable('curb_policy')
      .set({
        status: row === inForce ? 'unpublished' : row.status,
        superseded_time: row.superseded_time && row.superseded_time > at ? at : row.superseded_time,
        ...(row === inForce ? { unpublished_time: at, zone_ids: JSON.stringify(zoneIds) } : {}),
      })
      .where('region_id', '=', regionId)
      .where('curb_policy_id', '=', row.curb_policy_id)
      .execute()
  const shown = regulation.shown
  await store
    .updateTable('curb_policy')
    .set({
      modified_by: email,
      modified_time: nextModifiedTime(shown.modified_time, at),
    })
    .where('region_id', '=', regionId)
    .where('curb_policy_id', '=', shown.curb_policy_id)
    .execute()
}

/** Takes a regulation out of force now. Its draft, if any, remains. */
export async function unpublishRegulation(
  state: State,
  actor: Actor,
  regionId: string,
  { id, expectedTime }: RegulationRequest,
  at: Date,
): Promise<RegulationDetail> {
  const region = await findRegion(state, actor.scope, regionId)
  const write = async (store: Store): Promise<RegulationDetail> => {
    const regulation = await lockRegulation(store, { actor, region, id, expectedTime, at })
    const { inForce } = regulation
    if (!inForce) return readDetail(store, region, regulation, regulation.shown, at)
    const regulationId = await ensureRegulationId(store, regulation, at)
    const zoneIds = await readZoneIds(store, inForce, at)
    await endRegulation(store, { email: actor.email, regulation, zoneIds, at })
    await recordAct(store, {
      regionId,
      regulationId,
      act: 'unpublished',
      policyId: inForce.curb_policy_id,
      content: { policy: readContent(inForce), zoneIds },
      at,
      email: actor.email,
    })
    return readChanged(store, actor, region, regulationId, at)
  }
  return state.as(actor.scope).transaction().execute(write)
}

/** Discards the draft of a published regulation, so that the published version is shown. */
export async function discardDraft(
  state: State,
  actor: Actor,
  regionId: string,
  { id, expectedTime }: RegulationRequest,
  at: Date,
): Promise<RegulationDetail> {
  const region = await findRegion(state, actor.scope, regionId)
  const write = async (store: Store): Promise<RegulationDetail> => {
    const regulation = await lockRegulation(store, { actor, region, id, expectedTime, at })
    const { draft, inForce } = regulation
    if (!draft || !inForce)
      throw new Problem(
        'conflict',
        'There is no draft beside the published regulation.',
        undefined,
        await readDetail(store, region, regulation, regulation.shown, at),
      )
    await deleteDraft(store, draft)
    await recordAct(store, {
      regionId,
      regulationId: regulation.id,
      act: 'discarded',
      policyId: inForce.curb_policy_id,
      content: { policy: readContent(inForce), zoneIds: await readZoneIds(store, inForce, at) },
      at,
      email: actor.email,
    })
    return readChanged(store, actor, region, inForce.curb_policy_id, at)
  }
  return state.as(actor.scope).transaction().execute(write)
}

const deleteDraft = (store: Store, draft: PolicyRow) =>
  store
    .deleteFrom('curb_policy')
    .where('region_id', '=', draft.region_id)
    .where('curb_policy_id', '=', draft.curb_policy_id)
    .execute()

/**
 * Deletes a regulation. One that was never published is removed; published versions end now and stay in the
 * history.
 */
export async function deleteRegulation(
  state: State,
  actor: Actor,
  regionId: string,
  { id, expectedTime }: RegulationRequest,
  at: Date,
): Promise<void> {
  const region = await findRegion(state, actor.scope, regionId)
  const write = async (store: Store): Promise<void> => {
    const regulation = await lockRegulation(store, { actor, region, id, expectedTime, at })
    const { draft } = regulation
    const others = regulation.rows.filter((row) => !isDraft(row))
    const regulationId = others.length ? await ensureRegulationId(store, regulation, at) : regulation.id
    if (draft) await deleteDraft(store, draft)
    const last = regulation.inForce ?? others.at(-1)
    if (!last) {
      await deleteActs(store, regionId, regulationId)
      return
    }
    const zoneIds = regulation.inForce ? await readZoneIds(store, regulation.inForce, at) : []
    await endRegulation(store, {
      email: actor.email,
      regulation: { ...regulation, shown: last },
      zoneIds,
      at,
    })
    await store
      .updateTable('curb_policy')
      .set({ deleted_time: at })
      .where('region_id', '=', regionId)
      .where('regulation_id', '=', regulationId)
      .where('status', '=', 'unpublished')
      .execute()
    await recordAct(store, {
      regionId,
      regulationId,
      act: 'deleted',
      policyId: last.curb_policy_id,
      content: { policy: readContent(last), zoneIds: [] },
      at,
      email: actor.email,
    })
  }
  await state.as(actor.scope).transaction().execute(write)
}
