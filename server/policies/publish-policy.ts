import type { Policy } from '#contract/policy.ts'
import { policyTexts } from '#contract/policy-texts.ts'
import type { Region } from '#contract/regions.ts'
import { getNextModifiedTime } from '#server/geography/shapes/edit/shape-row.ts'
import { Problem } from '#server/http/problem.ts'
import { publishEvent } from '#server/notifications/events/publish-event.ts'
import { checkPolicy } from './check-policy.ts'
import { findPolicyShapes, type PolicyShape } from './find-policy-shapes.ts'
import { findPolicyRegion } from './find-policy.ts'
import { freezeGeographies, type PublishedGeography } from './freeze-geographies.ts'
import { filterInFeed, policyColumns, type PolicyRow, readPolicy } from './policy-row.ts'
import { findKnownOperators } from './known-operators.ts'
import { type LockedPolicy, lockPolicy } from './lock-policy.ts'
import { addRevision, type PolicyChange, type PolicyStores } from './save-policy.ts'
import { readFields } from './stored-fields.ts'
import { getEffectivePeriod, makePlaceholderProviderId, toMdsPolicy } from './to-mds-policy.ts'
import { getToday } from './today-in.ts'
import type { Store } from '#server/stores/state.ts'

/** Maximum number of ids in one event, which keeps messages small. */
const maxEventIds = 300

/** A revision to publish, in a transaction that has locked its policy. */
interface Publication {
  store: Store
  region: Region
  email: string
  at: Date
  locked: LockedPolicy
  row: PolicyRow
  shapes: readonly PolicyShape[]
  providerIds: readonly string[]
}

/** Writes a revision into the feed, for good. It supersedes others when it comes into force. */
async function writeToFeed(publication: Publication): Promise<PolicyRow> {
  const { store, region, email, at, locked, row, shapes, providerIds } = publication
  await lockPublications(store, region.regionId)
  const policy = readPolicy(row, getToday(region, at))
  const geographies = await freezeGeographies(store, region.regionId, shapes, at)
  const { start, end } = getEffectivePeriod(policy, at, region.timezone)
  const previousIds = await supersedeRevisions(store, locked, row.policy_id, start)
  const mds = toMdsPolicy(policy, {
    geographies,
    providerIds,
    currency: policy.imported_mds?.currency ?? row.currency,
    published: at.getTime(),
    start,
    end,
    previous: previousIds,
  })
  await publishGeographies(publication, geographies)
  const data = {
    policy_id: row.policy_id,
    constant_policy_id: policy.constant_policy_uuid,
    name: mds.name,
    start_date: start,
    end_date: end,
  }
  await publishEvent(store, { type: 'policy.published', regionId: region.regionId, data }, at)
  return store
    .updateTable('policy')
    .set({
      published: true,
      published_time: at,
      published_by_email: email,
      effective_time: new Date(start),
      prev_policy_id: previousIds.at(-1) ?? null,
      mds: JSON.stringify(mds),
      grounds: JSON.stringify(
        geographies.map(({ geography_id, shape_uuid, name }) => ({ geography_id, shape_uuid, name })),
      ),
      modified_time: getNextModifiedTime(locked.newest.modified_time, at),
      modified_by_email: email,
    })
    .where('policy_id', '=', row.policy_id)
    .returning(policyColumns)
    .executeTakeFirstOrThrow()
}

/** Makes publications in a region wait for each other, so that a shape of two policies is frozen once. */
async function lockPublications(store: Store, regionId: string): Promise<void> {
  await store.selectFrom('region').select('region_id').where('region_id', '=', regionId).forUpdate().execute()
}

/** Supersedes revisions in the feed from `start` (ms). Returns ids of the published one's predecessors. */
async function supersedeRevisions(
  store: Store,
  { revisions }: LockedPolicy,
  publishedId: string,
  start: number,
): Promise<string[]> {
  const supersededRows = filterInFeed(revisions, start)
  if (!supersededRows.length)
    // A policy that was unpublished and is published again refers to its last published revision.
    return revisions
      .filter(({ published_time: time, policy_id: id }) => time !== null && id !== publishedId)
      .slice(-1)
      .map(({ policy_id: id }) => id)
  const ids = supersededRows.map(({ policy_id: id }) => id)
  await store
    .updateTable('policy')
    .set({ published: false, superseded_time: new Date(start) })
    .where('policy_id', 'in', ids)
    .execute()
  return ids
}

/** Notifies webhooks of the geographies that are published for the first time. */
async function publishGeographies(
  { store, region: { regionId }, row, at }: Publication,
  geographies: readonly PublishedGeography[],
): Promise<void> {
  const newIds = geographies.filter(({ isNew }) => isNew).map(({ geography_id: id }) => id)
  if (!newIds.length) return
  const data = { geography_ids: newIds.slice(0, maxEventIds), policy_id: row.policy_id }
  await publishEvent(store, { type: 'geography.published', regionId, data }, at)
}

/**
 * Publishes a revision to the public feed. The current revision in the feed is superseded when this one comes
 * into force. A revision that was in the feed before is published as a new revision, because published
 * revisions never change.
 */
export async function publishPolicy(
  stores: PolicyStores,
  { viewer: { scope, email }, body: { policy_uuid: policyId, if_modified_time: seenTime }, at }: PolicyChange,
): Promise<Policy> {
  const { state, facts } = stores
  const { region, row: requested } = await findPolicyRegion(state, scope, policyId, seenTime)
  const today = getToday(region, at)
  const fields = readFields(requested.fields, requested.currency)
  const [operators, shapes] = await Promise.all([
    findKnownOperators(state, facts, scope, region.regionId),
    findPolicyShapes(state, scope, region, fields),
  ])
  const providerIds =
    fields.imported_mds?.provider_ids ??
    fields.operators.map((slug) => operators.get(slug) ?? makePlaceholderProviderId(region.regionId, slug))
  await checkPolicy(stores, scope, { region, policy: fields, isStored: true })
  if (!shapes.length) throw new Problem('conflict', 'The layer of this policy has no shapes.')
  const publishedRow = await state
    .as(scope)
    .transaction()
    .execute(async (store): Promise<PolicyRow> => {
      const locked = await lockPolicy(store, { policyId, seenTime, today })
      const { requested: row, newest } = locked
      if (readPolicy(row, today).status === 'expired') throw new Problem('conflict', policyTexts.expired)
      if (row.published) return row
      if (row.modified_time.getTime() !== requested.modified_time.getTime())
        throw new Problem('conflict', policyTexts.cannotModify, undefined, readPolicy(newest, today))
      const isDraft = row.published_time === null
      if (!isDraft && newest.published_time === null)
        throw new Problem(
          'conflict',
          'There is a newer draft of this policy. Publish that one, or save it first.',
          undefined,
          readPolicy(newest, today),
        )
      const draft = isDraft
        ? row
        : await addRevision(
            { store, email, regionId: region.regionId, fields, currency: row.currency, at },
            newest,
          )
      return writeToFeed({ store, region, email, at, locked, row: draft, shapes, providerIds })
    })
  return readPolicy(publishedRow, today)
}

/** Removes a policy from the public feed, including a superseded revision that is still in force. */
export async function unpublishPolicy(
  { state }: PolicyStores,
  { viewer: { scope, email }, body: { policy_uuid: policyId, if_modified_time: seenTime }, at }: PolicyChange,
): Promise<Policy> {
  const { region } = await findPolicyRegion(state, scope, policyId, seenTime)
  const today = getToday(region, at)
  const row = await state
    .as(scope)
    .transaction()
    .execute(async (store): Promise<PolicyRow> => {
      const { requested, newest, inFeed, revisions } = await lockPolicy(store, { policyId, seenTime, today })
      if (!inFeed) return requested
      const ids = filterInFeed(revisions, at.getTime()).map(({ policy_id: id }) => id)
      const columns = {
        published: false,
        unpublished_time: at,
        modified_time: getNextModifiedTime(newest.modified_time, at),
        modified_by_email: email,
      }
      const rows = await store
        .updateTable('policy')
        .set(columns)
        .where('policy_id', 'in', ids)
        .returning(policyColumns)
        .execute()
      return rows.find(({ policy_id: id }) => id === inFeed.policy_id) ?? inFeed
    })
  return readPolicy(row, today)
}
