import type { CdsPolicy } from '#contract/cds.ts'
import type { RegulationDetail } from '#contract/curb-regulations.ts'
import { policyTexts } from '#contract/policy-texts.ts'
import { policyIdOf, policySignature } from '../store/policy-signature.ts'
import { nextModifiedTime } from '#server/geography/shapes/edit/shape-row.ts'
import { Problem } from '#server/http/problem.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { FoundRegulation } from './find-regulation.ts'
import { findRegulationRows, readDetail, readZoneIds } from './find-regulation.ts'
import { type By, ensureRegulationId, lockRegulation } from './lock-regulation.ts'
import { hasExpired } from './policy-view.ts'
import { recordAct } from './regulation-acts.ts'
import { isCurrent, isDraft, type PolicyRow, readContent, readLengths } from './regulation-rows.ts'
import { readChanged } from './save-regulation.ts'
import { beginLinks, endLinks, markZonesUpdated } from './zone-links.ts'

/** A time that passed while a request was under way is now. */
const clockToleranceMs = 60_000

function effectiveTime(given: string | null | undefined, at: Date): Date {
  if (given === null || given === undefined) return at
  const time = new Date(given)
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
 * Stores a version as published. A policy with the same content, published now or before, is used in its place,
 * so that identical policies have one id. `isMerged`: it belongs to another regulation.
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
  const id = same?.curb_policy_id ?? policyIdOf(regionId, signature)
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

/** Ends the versions that another one replaces. Returns the zones that they had. */
async function endOthers(
  { store, regionId, effective }: Publication,
  found: FoundRegulation,
  exceptId: string,
): Promise<string[]> {
  const others = found.rows
    .filter((row) => row.status === 'published' && row.curb_policy_id !== exceptId)
    .map((row) => row.curb_policy_id)
  if (!others.length) return []
  await store
    .updateTable('curb_policy')
    .set({ superseded_time: effective })
    .where('region_id', '=', regionId)
    .where('curb_policy_id', 'in', others)
    .where((where) =>
      where.or([where('superseded_time', 'is', null), where('superseded_time', '>', effective)]),
    )
    .execute()
  return endLinks(store, regionId, others, effective)
}

interface Wanted {
  id: string
  effective_time?: string | null | undefined
  seen: string | undefined
}

/**
 * Publishes a draft, or a regulation that was taken out of force. From the effective time on its zones have it
 * in place of the version that it replaces: links end and begin then.
 */
export async function publishRegulation(
  state: State,
  by: By,
  regionId: string,
  { id: named, effective_time: given, seen }: Wanted,
  at: Date,
): Promise<RegulationDetail> {
  const region = await findRegion(state, by.scope, regionId)
  const effective = effectiveTime(given, at)
  const write = async (store: Store): Promise<RegulationDetail> => {
    const found = await lockRegulation(store, by, region, named, seen, at)
    const row = found.shown
    if (isCurrent(row)) return readDetail(store, region, found, row, at)
    const content = readContent(row)
    if (hasExpired(content, effective)) throw new Problem('conflict', policyTexts.expired)
    const known = await readLengths(store, regionId, effective, await readZoneIds(store, row, at))
    const zoneIds = [...known.keys()].toSorted()
    if (!zoneIds.length)
      throw new Problem('conflict', 'This regulation has no zones. Choose the zones to which it applies.')
    const ownId = await ensureRegulationId(store, found, at)
    const publication = { store, regionId, email: by.email, at, effective }
    const { id, isMerged } = await storePublished(publication, row, ownId)
    const ended = await endOthers(publication, found, id)
    const wanted = new Set(zoneIds)
    const dropped = isMerged
      ? []
      : (await linkedZones(store, regionId, id, effective)).filter((zone) => !wanted.has(zone))
    const removed = await endLinks(store, regionId, [id], effective, dropped)
    const begun = await beginLinks(store, regionId, id, zoneIds, effective)
    await markZonesUpdated(store, regionId, [...new Set([...ended, ...removed, ...begun])], at)
    const regulationId = isMerged ? await ownerOf(store, by, regionId, id, at) : ownId
    if (isMerged && !found.rows.some((each) => !isDraft(each))) await deleteActs(store, regionId, ownId)
    await recordAct(store, {
      regionId,
      regulationId,
      act: 'published',
      policyId: id,
      content: {
        policy: content,
        zoneIds: isMerged ? await linkedZones(store, regionId, id, effective) : zoneIds,
      },
      effective,
      at,
      email: by.email,
    })
    return readChanged(store, by, region, id, at)
  }
  return state.as(by.scope).transaction().execute(write)
}

/** The regulation of a published policy. */
async function ownerOf(store: Store, by: By, regionId: string, policyId: string, at: Date): Promise<string> {
  const owner = await findRegulationRows(store, by.scope, regionId, policyId, at)
  if (!owner) throw new Error(`The policy ${policyId} has no regulation`)
  return ensureRegulationId(store, owner, at)
}

const deleteActs = (store: Store, regionId: string, regulationId: string) =>
  store
    .deleteFrom('curb_regulation_act')
    .where('region_id', '=', regionId)
    .where('regulation_id', '=', regulationId)
    .execute()

/** Zones to which a policy applies at a time or later. */
async function linkedZones(store: Store, regionId: string, policyId: string, from: Date): Promise<string[]> {
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

/** Ends all published versions of a regulation now. Its zones are stored, so that it can be published again. */
async function endRegulation(
  store: Store,
  by: By,
  found: FoundRegulation,
  at: Date,
  zoneIds: readonly string[],
): Promise<void> {
  const { region_id: regionId } = found.shown
  const { inForce } = found
  const published = found.rows.filter(({ status }) => status === 'published')
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
  const shown = found.shown
  await store
    .updateTable('curb_policy')
    .set({
      modified_by: by.email,
      modified_time: nextModifiedTime(shown.modified_time, at),
    })
    .where('region_id', '=', regionId)
    .where('curb_policy_id', '=', shown.curb_policy_id)
    .execute()
}

/** Takes a regulation out of force now. A draft beside it stays. */
export async function unpublishRegulation(
  state: State,
  by: By,
  regionId: string,
  { id, seen }: Wanted,
  at: Date,
): Promise<RegulationDetail> {
  const region = await findRegion(state, by.scope, regionId)
  const write = async (store: Store): Promise<RegulationDetail> => {
    const found = await lockRegulation(store, by, region, id, seen, at)
    const { inForce } = found
    if (!inForce) return readDetail(store, region, found, found.shown, at)
    const regulationId = await ensureRegulationId(store, found, at)
    const zoneIds = await readZoneIds(store, inForce, at)
    await endRegulation(store, by, found, at, zoneIds)
    await recordAct(store, {
      regionId,
      regulationId,
      act: 'unpublished',
      policyId: inForce.curb_policy_id,
      content: { policy: readContent(inForce), zoneIds },
      at,
      email: by.email,
    })
    return readChanged(store, by, region, regulationId, at)
  }
  return state.as(by.scope).transaction().execute(write)
}

/** Discards the draft beside a published version, which is then shown again. */
export async function discardDraft(
  state: State,
  by: By,
  regionId: string,
  { id, seen }: Wanted,
  at: Date,
): Promise<RegulationDetail> {
  const region = await findRegion(state, by.scope, regionId)
  const write = async (store: Store): Promise<RegulationDetail> => {
    const found = await lockRegulation(store, by, region, id, seen, at)
    const { draft, inForce } = found
    if (!draft || !inForce)
      throw new Problem(
        'conflict',
        'There is no draft beside the published regulation.',
        undefined,
        await readDetail(store, region, found, found.shown, at),
      )
    await deleteDraft(store, draft)
    await recordAct(store, {
      regionId,
      regulationId: found.id,
      act: 'discarded',
      policyId: inForce.curb_policy_id,
      content: { policy: readContent(inForce), zoneIds: await readZoneIds(store, inForce, at) },
      at,
      email: by.email,
    })
    return readChanged(store, by, region, inForce.curb_policy_id, at)
  }
  return state.as(by.scope).transaction().execute(write)
}

const deleteDraft = (store: Store, draft: PolicyRow) =>
  store
    .deleteFrom('curb_policy')
    .where('region_id', '=', draft.region_id)
    .where('curb_policy_id', '=', draft.curb_policy_id)
    .execute()

/** Deletes a regulation. What was never published is gone; published versions end now and stay in the history. */
export async function deleteRegulation(
  state: State,
  by: By,
  regionId: string,
  { id, seen }: Wanted,
  at: Date,
): Promise<void> {
  const region = await findRegion(state, by.scope, regionId)
  const write = async (store: Store): Promise<void> => {
    const found = await lockRegulation(store, by, region, id, seen, at)
    const { draft } = found
    const others = found.rows.filter((row) => !isDraft(row))
    const regulationId = others.length ? await ensureRegulationId(store, found, at) : found.id
    if (draft) await deleteDraft(store, draft)
    const last = found.inForce ?? others.at(-1)
    if (!last) {
      await deleteActs(store, regionId, regulationId)
      return
    }
    const zoneIds = found.inForce ? await readZoneIds(store, found.inForce, at) : []
    await endRegulation(store, by, { ...found, shown: last }, at, zoneIds)
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
      email: by.email,
    })
  }
  await state.as(by.scope).transaction().execute(write)
}
