import { randomUUID } from 'node:crypto'
import type { CdsPolicy, CdsPolicyContent } from '#contract/cds.ts'
import { recordAct } from '../../regulations/regulation-acts.ts'
import { type PolicyRow, readContent } from '../../regulations/regulation-rows.ts'
import { beginLinks, endLinks, markZonesUpdated } from '../../regulations/zone-links.ts'
import { derivePolicyId, policySignature } from '../../store/policy-signature.ts'
import type { PolicySplit } from './plan-publication.ts'
import type { Store } from '#server/stores/state.ts'

interface Publication {
  store: Store
  regionId: string
  email: string
  at: Date
  effective: Date
}

/**
 * Publishes new versions of policies for zones, in a transaction that has locked the curb of the region. The zones
 * leave the old policy at the effective time; a policy without zones is superseded then. Published policies do not
 * change. A policy with the same content as a published one takes its id.
 */
export async function publishSplits(publication: Publication, splits: readonly PolicySplit[]): Promise<void> {
  const { store, regionId, at, effective } = publication
  const byPolicy = new Map<string, PolicySplit[]>()
  for (const split of splits) byPolicy.set(split.policyId, [...(byPolicy.get(split.policyId) ?? []), split])
  const changed = new Set<string>()
  for (const [policyId, own] of byPolicy) {
    const old = await readPolicy(store, regionId, policyId)
    if (!old) throw new Error(`The policy ${policyId} does not exist`)
    const regulationId = await regulationOf(publication, old)
    const zoneIds = own.flatMap((split) => split.zoneIds)
    await endLinks(store, regionId, [policyId], effective, zoneIds)
    const remaining = await openZones(store, regionId, policyId, effective)
    for (const zoneId of zoneIds) changed.add(zoneId)
    if (remaining.length) await record(publication, regulationId, policyId, readContent(old), remaining)
    else
      await store
        .updateTable('curb_policy')
        .set({ superseded_time: effective })
        .where('region_id', '=', regionId)
        .where('curb_policy_id', '=', policyId)
        .execute()
    // Equal contents of several splits are one policy.
    const byContent = new Map<string, { content: CdsPolicyContent; zoneIds: string[] }>()
    for (const { contents, zoneIds: zones } of own)
      for (const content of contents) {
        const signature = policySignature(content)
        const known = byContent.get(signature) ?? { content, zoneIds: [] }
        known.zoneIds.push(...zones)
        byContent.set(signature, known)
      }
    let successor = remaining.length ? null : regulationId
    for (const [signature, { content, zoneIds: zones }] of byContent) {
      const owner = await storeVersion(publication, {
        content,
        signature,
        regulationId: successor ?? randomUUID(),
        replaces: policyId,
      })
      if (owner.regulationId === successor) successor = null
      await beginLinks(store, regionId, owner.policyId, zones, effective)
      const all = await openZones(store, regionId, owner.policyId, effective)
      await record(publication, owner.regulationId, owner.policyId, content, all)
    }
  }
  await markZonesUpdated(store, regionId, [...changed], at)
}

const readPolicy = (store: Store, regionId: string, policyId: string): Promise<PolicyRow | undefined> =>
  store
    .selectFrom('curb_policy')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('curb_policy_id', '=', policyId)
    .where('status', '!=', 'saved')
    .executeTakeFirst()

/** The regulation of a policy; one that was imported gets one, with its import as the first act. */
async function regulationOf({ store, regionId }: Publication, row: PolicyRow): Promise<string> {
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
      zoneIds: await openZones(store, regionId, row.curb_policy_id, row.created_time),
    },
    at: row.published_time ?? row.created_time,
    email: row.published_by ?? row.created_by,
  })
  return regulationId
}

/** Stores a policy as published, or finds the published one with the same content. */
async function storeVersion(
  { store, regionId, email, at, effective }: Publication,
  version: { content: CdsPolicyContent; signature: string; regulationId: string; replaces: string },
): Promise<{ policyId: string; regulationId: string }> {
  const { content, signature, regulationId, replaces } = version
  const same = await store
    .selectFrom('curb_policy')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('signature', '=', signature)
    .where('status', '!=', 'saved')
    .orderBy((order) => order.case().when('status', '=', 'published').then(0).else(1).end())
    .limit(1)
    .executeTakeFirst()
  if (same?.status === 'published' && same.superseded_time === null)
    return {
      policyId: same.curb_policy_id,
      regulationId: await regulationOf({ store, regionId, email, at, effective }, same),
    }
  const policyId = same?.curb_policy_id ?? derivePolicyId(regionId, signature)
  const policy: CdsPolicy = { ...content, curb_policy_id: policyId, published_date: at.getTime() }
  const fields = {
    status: 'published',
    policy: JSON.stringify(policy),
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
  if (same)
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

async function openZones(store: Store, regionId: string, policyId: string, from: Date): Promise<string[]> {
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

const record = (
  { store, regionId, email, at, effective }: Publication,
  regulationId: string,
  policyId: string,
  policy: CdsPolicyContent,
  zoneIds: readonly string[],
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
