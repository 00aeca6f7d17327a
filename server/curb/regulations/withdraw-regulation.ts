import type {
  deleteCurbPolicy,
  discardCurbDraft,
  publishCurbPolicy,
  RegulationDetail,
} from '#contract/curb-regulations.ts'
import { getNextModifiedTime } from '#server/geography/shapes/edit/shape-row.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import type { State, Store } from '#server/stores/state.ts'
import { type FoundRegulation, readDetail, readZoneIds } from './find-regulation.ts'
import { withLockedRegulation, ensureRegulationId } from './lock-regulation.ts'
import { deleteActs, recordAct } from './regulation-acts.ts'
import { isDraft, readContent } from './regulation-rows.ts'
import { deleteDraft, readChanged } from './save-regulation.ts'
import { endLinks, markZonesUpdated } from './zone-links.ts'

/** Takes a regulation out of force now. Its draft, if any, remains. */
export async function unpublishRegulation(
  state: State,
  call: Call<typeof publishCurbPolicy>,
): Promise<RegulationDetail> {
  const { viewer, at } = call
  return withLockedRegulation(state, call, async ({ store, region, regulation }) => {
    const { inForce } = regulation
    if (!inForce) return readDetail(store, region, regulation, at)
    const regulationId = await ensureRegulationId(store, regulation, at)
    const zoneIds = await readZoneIds(store, inForce, at)
    await endRegulation(store, { email: viewer.email, regulation, zoneIds, at })
    await recordAct(store, {
      regionId: region.regionId,
      regulationId,
      act: 'unpublished',
      policyId: inForce.curb_policy_id,
      content: { policy: readContent(inForce), zoneIds },
      at,
      email: viewer.email,
    })
    return readChanged(store, { scope: viewer.scope, region, id: regulationId, at })
  })
}

/** Discards the draft of a published regulation, so that the published version is shown. */
export async function discardDraft(
  state: State,
  call: Call<typeof discardCurbDraft>,
): Promise<RegulationDetail> {
  const { viewer, at } = call
  return withLockedRegulation(state, call, async ({ store, region, regulation }) => {
    const { draft, inForce } = regulation
    if (!draft || !inForce)
      throw new Problem(
        'conflict',
        'There is no draft beside the published regulation.',
        undefined,
        await readDetail(store, region, regulation, at),
      )
    await deleteDraft(store, draft)
    await recordAct(store, {
      regionId: region.regionId,
      regulationId: regulation.id,
      act: 'discarded',
      policyId: inForce.curb_policy_id,
      content: { policy: readContent(inForce), zoneIds: await readZoneIds(store, inForce, at) },
      at,
      email: viewer.email,
    })
    return readChanged(store, { scope: viewer.scope, region, id: inForce.curb_policy_id, at })
  })
}

/** Deletes a regulation: removes its draft. Published versions end now and remain in the history. */
export async function deleteRegulation(state: State, call: Call<typeof deleteCurbPolicy>): Promise<void> {
  const { viewer, at } = call
  await withLockedRegulation(state, call, async ({ store, region: { regionId }, regulation }) => {
    const { draft, inForce } = regulation
    const publishedRows = regulation.rows.filter((row) => !isDraft(row))
    const regulationId = publishedRows.length
      ? await ensureRegulationId(store, regulation, at)
      : regulation.id
    if (draft) await deleteDraft(store, draft)
    const lastVersion = inForce ?? publishedRows.at(-1)
    if (!lastVersion) {
      await deleteActs(store, regionId, regulationId)
      return
    }
    const zoneIds = inForce ? await readZoneIds(store, inForce, at) : []
    await endRegulation(store, {
      email: viewer.email,
      regulation: { ...regulation, shownVersion: lastVersion },
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
      policyId: lastVersion.curb_policy_id,
      content: { policy: readContent(lastVersion), zoneIds: [] },
      at,
      email: viewer.email,
    })
  })
}

interface RegulationEnd {
  email: string
  regulation: FoundRegulation
  /** The zones to which the version in force applied. */
  zoneIds: readonly string[]
  at: Date
}

/** Ends all published versions of a regulation now. Stores its zones, so that it can be published again. */
async function endRegulation(store: Store, { email, regulation, zoneIds, at }: RegulationEnd): Promise<void> {
  const { shownVersion, inForce } = regulation
  const { region_id: regionId } = shownVersion
  const publishedRows = regulation.rows.filter(({ status }) => status === 'published')
  const policyIds = publishedRows.map((row) => row.curb_policy_id)
  const endedZoneIds = await endLinks(store, { regionId, policyIds, end: at })
  await markZonesUpdated(store, regionId, endedZoneIds, at)
  for (const row of publishedRows)
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
  await store
    .updateTable('curb_policy')
    .set({ modified_by: email, modified_time: getNextModifiedTime(shownVersion.modified_time, at) })
    .where('region_id', '=', regionId)
    .where('curb_policy_id', '=', shownVersion.curb_policy_id)
    .execute()
}
