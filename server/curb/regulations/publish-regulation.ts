import type { CdsPolicy, CdsPolicyContent } from '#contract/cds.ts'
import type { publishCurbPolicy, RegulationDetail } from '#contract/curb-regulations.ts'
import { policyTexts } from '#contract/policy-texts.ts'
import { derivePolicyId, computeSignature } from '../store/policy-signature.ts'
import { getNextModifiedTime } from '#server/geography/shapes/edit/shape-row.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { findRegulationRows, type FoundRegulation, readDetail, readZoneIds } from './find-regulation.ts'
import { ensureRegulationId, lockRegulation } from './lock-regulation.ts'
import { hasExpired } from './policy-view.ts'
import { deleteActs, recordAct } from './regulation-acts.ts'
import { isCurrent, isDraft, type PolicyRow, readContent, readLengths } from './regulation-rows.ts'
import { deleteDraft, readChanged } from './save-regulation.ts'
import { beginLinks, endLinks, markZonesUpdated } from './zone-links.ts'

/**
 * Publishes a draft, or a regulation that was unpublished. At the effective time, the links of its zones to
 * the replaced version end and those to the new version begin.
 */
export async function publishRegulation(
  state: State,
  { viewer, params, body, at }: Call<typeof publishCurbPolicy>,
): Promise<RegulationDetail> {
  const { scope, email } = viewer
  const { region_id: regionId } = params
  const region = await findRegion(state, scope, regionId)
  const effective = getEffectiveTime(body.effective_time, at)
  const write = async (store: Store): Promise<RegulationDetail> => {
    const regulation = await lockRegulation(store, {
      scope,
      region,
      id: body.curb_policy_id,
      expectedTime: body.if_modified_time,
      at,
    })
    if (isCurrent(regulation.shownVersion)) return readDetail(store, region, regulation, at)
    const publication = { store, scope, regionId, email, at, effective }
    const policyId = await publishVersion(publication, regulation)
    return readChanged(store, { scope, region, id: policyId, at })
  }
  return state.as(scope).transaction().execute(write)
}

/** Effective times up to this far in the past count as now: they passed while the request was under way. */
const clockToleranceMs = 60_000

/** Returns the requested effective time, at the earliest now. */
function getEffectiveTime(requested: string | null | undefined, at: Date): Date {
  if (requested === null || requested === undefined) return at
  const time = new Date(requested)
  if (time.getTime() < at.getTime() - clockToleranceMs)
    throw new Problem('validation_error', 'effective_time: The time is in the past.')
  return time < at ? at : time
}

interface Publication {
  store: Store
  scope: Scope
  regionId: string
  email: string
  at: Date
  effective: Date
}

/** Publishes the shown version of a regulation for its zones. Returns the id of the published policy. */
async function publishVersion(publication: Publication, regulation: FoundRegulation): Promise<string> {
  const { store, regionId, email, at, effective } = publication
  const content = readContent(regulation.shownVersion)
  if (hasExpired(content, effective)) throw new Problem('conflict', policyTexts.expired)
  const zoneIds = await readZonesInForce(publication, regulation.shownVersion)
  if (!zoneIds.length)
    throw new Problem('conflict', 'This regulation has no zones. Choose the zones to which it applies.')
  const ownId = await ensureRegulationId(store, regulation, at)
  const { policyId, isMerged } = await storePublished(publication, regulation.shownVersion, ownId)
  await moveLinks(publication, regulation, { policyId, isMerged, zoneIds })
  const regulationId = isMerged ? await getOwnerId(publication, policyId) : ownId
  const wasPublished = regulation.rows.some((row) => !isDraft(row))
  if (isMerged && !wasPublished) await deleteActs(store, regionId, ownId)
  await recordAct(store, {
    regionId,
    regulationId,
    act: 'published',
    policyId,
    content: { policy: content, zoneIds: isMerged ? await readLinkedZones(publication, policyId) : zoneIds },
    effective,
    at,
    email,
  })
  return policyId
}

/** Reads the ids of the zones of a version that are in force at the effective time or later. */
async function readZonesInForce(
  { store, regionId, at, effective }: Publication,
  row: PolicyRow,
): Promise<string[]> {
  const lengths = await readLengths(store, regionId, effective, await readZoneIds(store, row, at))
  return [...lengths.keys()].toSorted()
}

/**
 * Stores a version as published and returns its policy id. If a policy with the same content is or was
 * published, that one is used, so that identical policies share an id. `isMerged` is true if it belongs to
 * another regulation.
 */
async function storePublished(
  publication: Publication,
  row: PolicyRow,
  regulationId: string,
): Promise<{ policyId: string; isMerged: boolean }> {
  const { store, regionId, email, at, effective } = publication
  const content = readContent(row)
  const signature = computeSignature(content)
  const samePolicy = await findSameContent(publication, signature)
  const target = samePolicy ?? row
  const isInForce = target.status === 'published' && target.superseded_time === null
  const isMerged = samePolicy !== undefined && isInForce && samePolicy.regulation_id !== regulationId
  const policyId = samePolicy?.curb_policy_id ?? derivePolicyId(regionId, signature)
  if (target !== row) await deleteDraft(store, row)
  const lastModifiedTime = new Date(Math.max(row.modified_time.getTime(), target.modified_time.getTime()))
  await store
    .updateTable('curb_policy')
    .set({
      modified_by: email,
      modified_time: getNextModifiedTime(lastModifiedTime, at),
      ...(isInForce
        ? {}
        : {
            curb_policy_id: policyId,
            signature,
            status: 'published',
            policy: makePublishedPolicyText(content, policyId, at),
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
  return { policyId, isMerged }
}

/** Finds the policy with this content that is or was published; one that is published takes precedence. */
export const findSameContent = (
  { store, regionId }: Pick<Publication, 'store' | 'regionId'>,
  signature: string,
): Promise<PolicyRow | undefined> =>
  store
    .selectFrom('curb_policy')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('signature', '=', signature)
    .where('status', '!=', 'saved')
    .orderBy((order) => order.case().when('status', '=', 'published').then(0).else(1).end())
    .limit(1)
    .executeTakeFirst()

/** Returns the JSON of a policy that is published at an instant. */
export function makePublishedPolicyText(content: CdsPolicyContent, policyId: string, at: Date): string {
  const policy: CdsPolicy = { ...content, curb_policy_id: policyId, published_date: at.getTime() }
  return JSON.stringify(policy)
}

/**
 * Ends the links of zones to the other versions of a regulation at the effective time, and begins those to
 * the published policy. A policy that belongs to another regulation also retains its other zones.
 */
async function moveLinks(
  publication: Publication,
  regulation: FoundRegulation,
  { policyId, isMerged, zoneIds }: { policyId: string; isMerged: boolean; zoneIds: readonly string[] },
): Promise<void> {
  const { store, regionId, at, effective } = publication
  const endedIds = await supersedeOthers(publication, regulation, policyId)
  const newZones = new Set(zoneIds)
  const droppedIds = isMerged
    ? []
    : (await readLinkedZones(publication, policyId)).filter((zone) => !newZones.has(zone))
  const removedIds = await endLinks(store, {
    regionId,
    policyIds: [policyId],
    end: effective,
    zoneIds: droppedIds,
  })
  const begunIds = await beginLinks(store, { regionId, policyId, zoneIds, begin: effective })
  await markZonesUpdated(store, regionId, [...new Set([...endedIds, ...removedIds, ...begunIds])], at)
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
  return endLinks(store, { regionId, policyIds: otherIds, end: effective })
}

/** Reads the ids of the zones to which a policy applies at the effective time or later. */
async function readLinkedZones(
  { store, regionId, effective }: Publication,
  policyId: string,
): Promise<string[]> {
  const rows = await store
    .selectFrom('curb_zone_policy')
    .select('curb_zone_id')
    .distinct()
    .where('region_id', '=', regionId)
    .where('curb_policy_id', '=', policyId)
    .where((where) => where.or([where('end_time', 'is', null), where('end_time', '>', effective)]))
    .orderBy('curb_zone_id')
    .execute()
  return rows.map(({ curb_zone_id: id }) => id)
}

/** Returns the id of the regulation to which a published policy belongs. */
async function getOwnerId({ store, scope, regionId, at }: Publication, policyId: string): Promise<string> {
  const owner = await findRegulationRows(store, { scope, regionId, id: policyId, at })
  if (!owner) throw new Error(`The policy ${policyId} has no regulation`)
  return ensureRegulationId(store, owner, at)
}
