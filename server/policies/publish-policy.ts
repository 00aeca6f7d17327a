import { effectiveFrom, type Policy, type PolicyFields } from '#contract/policy.ts'
import { policyTexts } from '#contract/policy-texts.ts'
import type { Region } from '#contract/regions.ts'
import { nextModifiedTime } from '#server/geography/shapes/edit/shape-row.ts'
import { Problem } from '#server/http/problem.ts'
import { publishEvent } from '#server/notifications/events/publish-event.ts'
import { deriveUuid } from '#server/stores/derive-uuid.ts'
import { checkPolicy } from './check-policy.ts'
import { findPolicyShapes } from './find-policy-shapes.ts'
import { findPolicyRegion } from './find-policy.ts'
import { freezeGeographies } from './freeze-geographies.ts'
import type { PolicyShape } from './policy-shape.ts'
import { filterInFeed, policyColumns, type PolicyRow, readPolicy } from './policy-row.ts'
import { findKnownOperators } from './known-operators.ts'
import { type LockedPolicy, lockPolicy } from './lock-policy.ts'
import { addRevision, type Author, type PolicyStores } from './save-policy.ts'
import { readFields } from './stored-fields.ts'
import { todayIn } from './today-in.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { dayNumber } from '#contract/period.ts'
import type { MdsPolicy } from '#contract/mds-policy.ts'
import { mdsRules } from '#contract/policy-types/mds-rules.ts'
import type { RuleScope } from '#contract/policy-types/policy-type.ts'
import type { Store } from '#server/stores/state.ts'

/** Shortens a text to the format of MDS strings: one line of at most 255 characters. */
export const mdsText = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 255 ? `${line.slice(0, 254)}…` : line
}

/** The content of an MDS policy besides the fields of the policy. Times are in ms since 1970. */
interface Publication {
  geographies: RuleScope['geographies']
  /** All providers if empty. */
  providerIds: readonly string[]
  currency: string
  published: number
  start: number
  end: number | null
  /** Ids of the revisions that it supersedes. */
  previous: readonly string[]
}

/**
 * Converts a policy to MDS 2.0. Empty fields are omitted, because the official schema rejects null
 * (SOURCES.md, defect 9).
 */
export function toMdsPolicy(
  policy: Policy,
  { geographies, providerIds, currency, published, start, end, previous }: Publication,
): MdsPolicy {
  return {
    name: mdsText(policy.policy_name),
    mode_id: 'micromobility',
    policy_id: policy.policy_uuid,
    ...(providerIds.length ? { provider_ids: [...new Set(providerIds)] } : {}),
    description: mdsText(policy.description ?? ''),
    currency,
    start_date: start,
    ...(end === null ? {} : { end_date: end }),
    published_date: published,
    ...(previous.length ? { prev_policies: [...previous] } : {}),
    rules: mdsRules(policy, { geographies, currency }).map((rule) => ({ ...rule, name: mdsText(rule.name) })),
  }
}

/**
 * The time in which a policy is in force, ms since 1970: from midnight of its first day or the end of the
 * notice period, whichever is later, until midnight after its last day.
 */
export function effectivePeriod(
  { start_date: first, end_date: last }: Pick<PolicyFields, 'start_date' | 'end_date'>,
  published: Date,
  zone: string,
): { start: number; end: number | null } {
  const start = effectiveFrom({ start_date: first }, published.getTime(), zone)
  const end = last === null ? null : civilClock(zone).instant(dayNumber(last) + 1, 0).ms
  return { start, end: end === null ? null : Math.max(start, end) }
}

/**
 * A placeholder for an operator without an MDS provider id, always the same for an operator. If it were
 * omitted, the policy might apply to all operators.
 */
export const placeholderProviderId = (regionId: string, slug: string): string =>
  deriveUuid('operator', regionId, slug)

/** Maximum number of ids in one event, which keeps messages small. */
const maxEventIds = 300

interface PublicationContext {
  store: Store
  region: Region
  email: string
  at: Date
}

/**
 * Writes a revision into the feed, where it supersedes others when it comes into force. A published revision
 * never changes afterward.
 */
async function writeToFeed(
  { store, region, email, at }: PublicationContext,
  { newest, revisions }: LockedPolicy,
  row: PolicyRow,
  shapes: readonly PolicyShape[],
  providerIds: readonly string[],
): Promise<PolicyRow> {
  // Publications of a region are serialized, so that a shape shared by two policies is frozen once.
  await store
    .selectFrom('region')
    .select('region_id')
    .where('region_id', '=', region.regionId)
    .forUpdate()
    .execute()
  const policy = readPolicy(row, todayIn(region, at))
  const frozen = await freezeGeographies(store, region.regionId, shapes, at)
  const { start, end } = effectivePeriod(policy, at, region.timezone)
  const replaced = filterInFeed(revisions, start)
  // A policy that was unpublished and is published again refers to its last published revision.
  const previous = replaced.length
    ? replaced
    : revisions
        .filter(({ published_time: time, policy_id: id }) => time !== null && id !== row.policy_id)
        .slice(-1)
  const ids = previous.map(({ policy_id: id }) => id)
  const mds = toMdsPolicy(policy, {
    geographies: frozen,
    providerIds,
    currency: policy.imported_mds?.currency ?? row.currency,
    published: at.getTime(),
    start,
    end,
    previous: ids,
  })
  if (replaced.length)
    await store
      .updateTable('policy')
      .set({ published: false, superseded_time: new Date(start) })
      .where('policy_id', 'in', ids)
      .execute()
  const newIds = frozen.filter(({ isNew }) => isNew).map(({ geography_id: id }) => id)
  const { regionId } = region
  if (newIds.length) {
    const data = { geography_ids: newIds.slice(0, maxEventIds), policy_id: row.policy_id }
    await publishEvent(store, { type: 'geography.published', regionId, data }, at)
  }
  const data = {
    policy_id: row.policy_id,
    constant_policy_id: policy.constant_policy_uuid,
    name: mds.name,
    start_date: start,
    end_date: end,
  }
  await publishEvent(store, { type: 'policy.published', regionId, data }, at)
  return store
    .updateTable('policy')
    .set({
      published: true,
      published_time: at,
      published_by_email: email,
      effective_time: new Date(start),
      prev_policy_id: ids.at(-1) ?? null,
      mds: JSON.stringify(mds),
      grounds: JSON.stringify(
        frozen.map(({ geography_id, shape_uuid, name }) => ({ geography_id, shape_uuid, name })),
      ),
      modified_time: nextModifiedTime(newest.modified_time, at),
      modified_by_email: email,
    })
    .where('policy_id', '=', row.policy_id)
    .returning(policyColumns)
    .executeTakeFirstOrThrow()
}

/**
 * Publishes a revision to the public feed. The present revision in the feed is superseded when this one comes
 * into force. A revision that was in the feed before is published as a new revision, because published
 * revisions never change.
 */
export async function publishPolicy(
  stores: PolicyStores,
  { scope, email }: Author,
  policyId: string,
  seen: string | undefined,
  at: Date,
): Promise<Policy> {
  const { state, facts } = stores
  const { region, row: requested } = await findPolicyRegion(state, scope, policyId, seen)
  const today = todayIn(region, at)
  const fields = readFields(requested.fields, requested.currency)
  const [operators, shapes] = await Promise.all([
    findKnownOperators(state, facts, scope, region.regionId),
    findPolicyShapes(state, scope, region, fields),
  ])
  const providerIds =
    fields.imported_mds?.provider_ids ??
    fields.operators.map((slug) => operators.get(slug) ?? placeholderProviderId(region.regionId, slug))
  await checkPolicy(stores, scope, region, fields, true)
  if (!shapes.length) throw new Problem('conflict', 'The layer of this policy has no shapes.')
  const published = await state
    .as(scope)
    .transaction()
    .execute(async (store): Promise<PolicyRow> => {
      const locked = await lockPolicy(store, null, policyId, seen, today)
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
      const publishedRow = isDraft
        ? row
        : await addRevision(
            { store, email, regionId: region.regionId, fields, currency: row.currency, at },
            newest,
          )
      return writeToFeed({ store, region, email, at }, locked, publishedRow, shapes, providerIds)
    })
  return readPolicy(published, today)
}

/** Removes a policy from the public feed, including a superseded revision that is still in force. */
export async function unpublishPolicy(
  { state }: PolicyStores,
  { scope, email }: Author,
  policyId: string,
  seen: string | undefined,
  at: Date,
): Promise<Policy> {
  const { region } = await findPolicyRegion(state, scope, policyId, seen)
  const today = todayIn(region, at)
  const row = await state
    .as(scope)
    .transaction()
    .execute(async (store): Promise<PolicyRow> => {
      const { requested, newest, inFeed, revisions } = await lockPolicy(store, null, policyId, seen, today)
      if (!inFeed) return requested
      const ids = filterInFeed(revisions, at.getTime()).map(({ policy_id: id }) => id)
      const columns = {
        published: false,
        unpublished_time: at,
        modified_time: nextModifiedTime(newest.modified_time, at),
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
