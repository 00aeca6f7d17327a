import type { Kysely } from 'kysely'
import { effectiveFrom, type Policy, type PolicyFields } from '#contract/policy.ts'
import { policyTexts } from '#contract/policy-texts.ts'
import type { Region } from '#contract/regions.ts'
import { laterThan } from '#server/geography/edit/shape-row.ts'
import { Problem } from '#server/http/problem.ts'
import { madeUuid } from '#server/stores/made-uuid.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { checkPolicy } from './check-policy.ts'
import { findGround } from './find-ground.ts'
import { findPolicyRegion } from './find-policy.ts'
import { freezeGrounds } from './freeze-grounds.ts'
import type { Ground } from './ground.ts'
import { inFeedAt, policyColumns, type PolicyRow, readPolicy } from './policy-row.ts'
import { knownOperators } from './known-operators.ts'
import { type LockedPolicy, lockPolicy } from './lock-policy.ts'
import { addRevision, type By, type PolicyStores } from './save-policy.ts'
import { readFields } from './stored-fields.ts'
import { todayOf } from './today-of.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { dayNumber } from '#contract/period.ts'
import type { MdsPolicy } from '#contract/mds-policy.ts'
import { mdsRules } from '#contract/policy-types/mds-rules.ts'
import type { RuleScope } from '#contract/policy-types/policy-type.ts'

/** Strings of MDS are one line of 255 characters at most. */
export const mdsText = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 255 ? `${line.slice(0, 254)}…` : line
}

/** What a published policy says beside its rules. Times in ms since 1970. */
interface Publication {
  geographies: RuleScope['geographies']
  /** Empty: all. */
  providerIds: readonly string[]
  currency: string
  published: number
  start: number
  end: number | null
  /** The revisions that it takes the place of. */
  previous: readonly string[]
}

/** A policy as MDS 2.0 writes it. What has no value is left out: the official schema refuses null (SOURCES.md, defect 9). */
export function mdsPolicyOf(
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

/** From when until when a policy holds, in ms since 1970: from its first day's midnight, but not before the notice is over, to the midnight after its last day. */
export function effectivePeriod(
  { start_date: first, end_date: last }: Pick<PolicyFields, 'start_date' | 'end_date'>,
  published: Date,
  zone: string,
): { start: number; end: number | null } {
  const start = effectiveFrom({ start_date: first }, published.getTime(), zone)
  const end = last === null ? null : civilClock(zone).instant(dayNumber(last) + 1, 0).ms
  return { start, end: end === null ? null : Math.max(start, end) }
}

/** A stand-in for an operator whose MDS provider id nobody has entered: the same for the same operator. Left out, the policy would read as one for all. */
export const standInProviderId = (regionId: string, slug: string): string =>
  madeUuid('operator', regionId, slug)

interface Publishing {
  store: Kysely<StateTables>
  region: Region
  email: string
  at: Date
}

/** Writes a revision into the feed; it takes the place of those that are there when it begins to hold. From now on it never changes. */
async function release(
  { store, region, email, at }: Publishing,
  { newest, revisions }: LockedPolicy,
  row: PolicyRow,
  grounds: readonly Ground[],
  providerIds: readonly string[],
): Promise<PolicyRow> {
  // One publication of a region at a time: a shape that two policies stand on is frozen once.
  await store
    .selectFrom('region')
    .select('region_id')
    .where('region_id', '=', region.regionId)
    .forUpdate()
    .execute()
  const policy = readPolicy(row, todayOf(region, at))
  const frozen = await freezeGrounds(store, region.regionId, grounds, at)
  const { start, end } = effectivePeriod(policy, at, region.timezone)
  const replaced = inFeedAt(revisions, start)
  // One that was taken out of the feed and comes back names what it was.
  const previous = replaced.length
    ? replaced
    : revisions
        .filter(({ published_time: time, policy_id: id }) => time !== null && id !== row.policy_id)
        .slice(-1)
  const ids = previous.map(({ policy_id: id }) => id)
  const mds = mdsPolicyOf(policy, {
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
  return store
    .updateTable('policy')
    .set({
      published: true,
      published_time: at,
      published_by_email: email,
      effective_time: new Date(start),
      prev_policy_id: ids.at(-1) ?? null,
      mds: JSON.stringify(mds),
      grounds: JSON.stringify(frozen),
      modified_time: laterThan(newest.modified_time, at),
      modified_by_email: email,
    })
    .where('policy_id', '=', row.policy_id)
    .returning(policyColumns)
    .executeTakeFirstOrThrow()
}

/** Publishes a revision to the public feed. The one that is there until then is superseded when this one begins to hold. A revision that was in the feed before comes back as a new one: what was published never changes. */
export async function publishPolicy(
  stores: PolicyStores,
  { scope, email }: By,
  policyId: string,
  seen: string | undefined,
  at: Date,
): Promise<Policy> {
  const { state, facts } = stores
  const { region, row: asked } = await findPolicyRegion(state, scope, policyId, seen)
  const today = todayOf(region, at)
  const fields = readFields(asked.fields, asked.currency)
  const [operators, grounds] = await Promise.all([
    knownOperators(state, facts, scope, region.regionId),
    findGround(state, scope, region, fields),
  ])
  const providerIds =
    fields.imported_mds?.provider_ids ??
    fields.operators.map((slug) => operators.get(slug) ?? standInProviderId(region.regionId, slug))
  await checkPolicy(stores, scope, region, fields, true)
  if (!grounds.length) throw new Problem('conflict', 'The layer of this policy has no shapes.')
  const published = await state
    .as(scope)
    .transaction()
    .execute(async (store): Promise<PolicyRow> => {
      const locked = await lockPolicy(store, null, policyId, seen, today)
      const { named, newest } = locked
      if (readPolicy(named, today).status === 'expired') throw new Problem('conflict', policyTexts.expired)
      if (named.published) return named
      if (named.modified_time.getTime() !== asked.modified_time.getTime())
        throw new Problem('conflict', policyTexts.cannotModify, undefined, readPolicy(newest, today))
      const draft = named.published_time === null
      if (!draft && newest.published_time === null)
        throw new Problem(
          'conflict',
          'There is a newer draft of this policy. Publish that one, or save it first.',
          undefined,
          readPolicy(newest, today),
        )
      const row = draft
        ? named
        : await addRevision(
            { store, email, regionId: region.regionId, fields, currency: named.currency, at },
            newest,
          )
      return release({ store, region, email, at }, locked, row, grounds, providerIds)
    })
  return readPolicy(published, today)
}

/** Takes a policy out of the public feed: the revision that is in it, and one that would still hold until that begins. */
export async function unpublishPolicy(
  { state }: PolicyStores,
  { scope, email }: By,
  policyId: string,
  seen: string | undefined,
  at: Date,
): Promise<Policy> {
  const { region } = await findPolicyRegion(state, scope, policyId, seen)
  const today = todayOf(region, at)
  const row = await state
    .as(scope)
    .transaction()
    .execute(async (store): Promise<PolicyRow> => {
      const { named, newest, inFeed, revisions } = await lockPolicy(store, null, policyId, seen, today)
      if (!inFeed) return named
      const ids = inFeedAt(revisions, at.getTime()).map(({ policy_id: id }) => id)
      const changed = {
        published: false,
        unpublished_time: at,
        modified_time: laterThan(newest.modified_time, at),
        modified_by_email: email,
      }
      const rows = await store
        .updateTable('policy')
        .set(changed)
        .where('policy_id', 'in', ids)
        .returning(policyColumns)
        .execute()
      return rows.find(({ policy_id: id }) => id === inFeed.policy_id) ?? inFeed
    })
  return readPolicy(row, today)
}
