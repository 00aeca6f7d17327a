import { randomUUID } from 'node:crypto'
import type { CdsPolicyContent } from '#contract/cds.ts'
import { groupBy } from '#contract/group-by.ts'
import { findSameContent, makePublishedPolicyText } from '../../regulations/publish-regulation.ts'
import { recordAct } from '../../regulations/regulation-acts.ts'
import { type PolicyRow, readContent } from '../../regulations/regulation-rows.ts'
import { beginLinks, endLinks, markZonesUpdated } from '../../regulations/zone-links.ts'
import { derivePolicyId, computeSignature } from '../../store/policy-signature.ts'
import type { PolicySplit } from './plan-publication.ts'
import type { Store } from '#server/stores/state.ts'

/** A publication of rates at `at`, which take effect at `effective`. */
interface Publication {
  store: Store
  regionId: string
  email: string
  at: Date
  effective: Date
}

/**
 * Publishes new versions of policies for zones, in a transaction that has locked the curb of the region. At
 * the effective time, the old policies end in these zones; a policy that then has no zones is superseded.
 * Published policies never change. A new version with the same content as a published policy takes its id.
 */
export async function publishSplits(publication: Publication, splits: readonly PolicySplit[]): Promise<void> {
  for (const [policyId, policySplits] of groupBy(splits, (split) => split.policyId))
    await replacePolicy(publication, policyId, policySplits)
  const changedZones = new Set(splits.flatMap((split) => split.zoneIds))
  const { store, regionId, at } = publication
  await markZonesUpdated(store, regionId, [...changedZones], at)
}

/** Ends a policy in the zones of its splits, and begins the new versions there. */
async function replacePolicy(
  publication: Publication,
  policyId: string,
  splits: readonly PolicySplit[],
): Promise<void> {
  const { store, regionId, effective } = publication
  const oldPolicy = await readPolicy(store, regionId, policyId)
  if (!oldPolicy) throw new Error(`The policy ${policyId} does not exist`)
  const regulationId = await ensureRegulation(publication, oldPolicy)
  const zoneIds = splits.flatMap((split) => split.zoneIds)
  await endLinks(store, { regionId, policyIds: [policyId], end: effective, zoneIds })
  const remainingZoneIds = await readOpenZones(store, regionId, policyId, effective)
  if (remainingZoneIds.length)
    await recordPublication(publication, {
      regulationId,
      policyId,
      policy: readContent(oldPolicy),
      zoneIds: remainingZoneIds,
    })
  else
    await store
      .updateTable('curb_policy')
      .set({ superseded_time: effective })
      .where('region_id', '=', regionId)
      .where('curb_policy_id', '=', policyId)
      .execute()
  // The first new version continues the regulation unless the old policy retains some zones.
  let successorId = remainingZoneIds.length ? null : regulationId
  for (const [signature, version] of groupBySignature(splits)) {
    const storedVersion = await storeVersion(publication, {
      content: version.content,
      signature,
      regulationId: successorId ?? randomUUID(),
      replaces: policyId,
    })
    if (storedVersion.regulationId === successorId) successorId = null
    await beginLinks(store, {
      regionId,
      policyId: storedVersion.policyId,
      zoneIds: version.zoneIds,
      begin: effective,
    })
    await recordPublication(publication, {
      ...storedVersion,
      policy: version.content,
      zoneIds: await readOpenZones(store, regionId, storedVersion.policyId, effective),
    })
  }
}

/** Returns the distinct contents of splits, by signature, with the zones that get them. */
function groupBySignature(
  splits: readonly PolicySplit[],
): Map<string, { content: CdsPolicyContent; zoneIds: string[] }> {
  const versions = new Map<string, { content: CdsPolicyContent; zoneIds: string[] }>()
  for (const { contents, zoneIds } of splits)
    for (const content of contents) {
      const signature = computeSignature(content)
      const version = versions.get(signature) ?? { content, zoneIds: [] }
      version.zoneIds.push(...zoneIds)
      versions.set(signature, version)
    }
  return versions
}

const readPolicy = (store: Store, regionId: string, policyId: string): Promise<PolicyRow | undefined> =>
  store
    .selectFrom('curb_policy')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('curb_policy_id', '=', policyId)
    .where('status', '!=', 'saved')
    .executeTakeFirst()

/** Returns the id of a policy's regulation. An imported policy gets one, with the import as first act. */
async function ensureRegulation({ store, regionId }: Publication, row: PolicyRow): Promise<string> {
  if (row.regulation_id !== null) return row.regulation_id
  const regulationId = randomUUID()
  await store
    .updateTable('curb_policy')
    .set({ regulation_id: regulationId })
    .where('region_id', '=', regionId)
    .where('curb_policy_id', '=', row.curb_policy_id)
    .execute()
  await recordAct(store, {
    regionId,
    regulationId,
    act: 'imported',
    policyId: row.curb_policy_id,
    content: {
      policy: readContent(row),
      zoneIds: await readOpenZones(store, regionId, row.curb_policy_id, row.created_time),
    },
    at: row.published_time ?? row.created_time,
    email: row.published_by ?? row.created_by,
  })
  return regulationId
}

/** Stores a policy as published, or returns the published one with the same content. */
async function storeVersion(
  publication: Publication,
  version: { content: CdsPolicyContent; signature: string; regulationId: string; replaces: string },
): Promise<{ policyId: string; regulationId: string }> {
  const { store, regionId, email, at, effective } = publication
  const { content, signature, regulationId, replaces } = version
  const samePolicy = await findSameContent(publication, signature)
  if (samePolicy?.status === 'published' && samePolicy.superseded_time === null)
    return {
      policyId: samePolicy.curb_policy_id,
      regulationId: await ensureRegulation(publication, samePolicy),
    }
  const policyId = samePolicy?.curb_policy_id ?? derivePolicyId(regionId, signature)
  const fields = {
    status: 'published',
    policy: makePublishedPolicyText(content, policyId, at),
    zone_ids: null,
    regulation_id: regulationId,
    modified_by: email,
    modified_time: at,
    published_by: email,
    published_time: at,
    effective_time: effective,
    superseded_time: null,
    unpublished_time: null,
    deleted_time: null,
  }
  if (samePolicy)
    await store
      .updateTable('curb_policy')
      .set(fields)
      .where('region_id', '=', regionId)
      .where('curb_policy_id', '=', policyId)
      .execute()
  else
    await store
      .insertInto('curb_policy')
      .values({
        region_id: regionId,
        curb_policy_id: policyId,
        signature,
        name: content.name ?? '',
        replaces,
        created_by: email,
        created_time: at,
        ...fields,
      })
      .execute()
  return { policyId, regulationId }
}

/** Reads the ids of the zones to which a policy applies at an instant or later. */
async function readOpenZones(
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
    .where((where) =>
      where.or([
        where('end_time', 'is', null),
        where.and([where('end_time', '>', from), where('end_time', '>', where.ref('start_time'))]),
      ]),
    )
    .orderBy('curb_zone_id')
    .execute()
  return rows.map(({ curb_zone_id: id }) => id)
}

interface PublishedVersion {
  regulationId: string
  policyId: string
  policy: CdsPolicyContent
  zoneIds: readonly string[]
}

/** Adds the publication of a version to the history of its regulation. */
const recordPublication = (
  { store, regionId, email, at, effective }: Publication,
  { regulationId, policyId, policy, zoneIds }: PublishedVersion,
): Promise<void> =>
  recordAct(store, {
    regionId,
    regulationId,
    act: 'published',
    policyId,
    content: { policy, zoneIds },
    effective,
    at,
    email,
  })
