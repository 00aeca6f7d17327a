import type { ComplianceRecord } from '#contract/compliance.ts'
import { dayNumber, dayFromNumber, type LocalDay, localDay } from '#contract/period.ts'
import { policyTypeOf } from '#contract/policy-types/list.ts'
import { Problem } from '#server/http/problem.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { pauseAfter } from '#server/jobs/job.ts'
import type { Log } from '#server/jobs/log.ts'
import { type PublishedRevision, publishedRevisions } from '#server/policies/published-revisions.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { canReceive, findRecipient, type Recipient } from '#server/notifications/recipient.ts'
import { eventsTopic } from '#server/notifications/events/publish-event.ts'
import type { AlertPolicy } from './alert-mail.ts'
import { enqueueAlerts } from './enqueue-alerts.ts'

/** The records of a policy, named by any of its revisions, over local days, both included. */
export type FindRecords = (query: {
  scope: Scope
  regionId: string
  policyUuid: string
  first: LocalDay
  last: LocalDay
  at: Date
  signal: AbortSignal
}) => Promise<readonly ComplianceRecord[]>

export interface DetectionContext {
  state: State
  recordsOf: FindRecords
  log: Log
}

/** Days that are checked again; violations found later are not reported. */
export const lookbackDays = 31

interface Region {
  region_id: string
  organization_id: string
  timezone: string
}

const findSubscribedRegions = (state: State): Promise<Region[]> =>
  state
    .as(systemScope)
    .selectFrom('subscription')
    .innerJoin('region', 'region.region_id', 'subscription.region_id')
    .select(['region.region_id', 'region.organization_id', 'region.timezone'])
    .distinct()
    .where('subscription.topic', 'in', ['violations', eventsTopic])
    .where('subscription.disabled_time', 'is', null)
    .orderBy('region.region_id')
    .execute()

/** Immediate subscriptions first, so that the daily mail does not repeat what they sent. */
const subscriptionsOf = async (store: Store, regionId: string) => {
  const rows = await store
    .selectFrom('subscription')
    .select([
      'subscription_id',
      'user_id',
      'constant_policy_id',
      'operator',
      'channel',
      'cadence',
      'first_day',
      'topic',
      'events',
      'created_time',
    ])
    .where('topic', 'in', ['violations', eventsTopic])
    .where('region_id', '=', regionId)
    .where('disabled_time', 'is', null)
    .orderBy('created_time')
    .execute()
  const isAbout = ({ topic, events }: (typeof rows)[number]): boolean =>
    topic === 'violations' || events?.includes('compliance.violation') === true
  return rows
    .filter(isAbout)
    .toSorted((a, b) => Number(b.cadence === 'immediate') - Number(a.cadence === 'immediate'))
}

/** Policies with measured compliance, each by its revision in force or the last one. */
function policiesOf(revisions: readonly PublishedRevision[], from: number, at: Date): AlertPolicy[] {
  const newest = new Map<string, AlertPolicy>()
  for (const { policy, from: begins, until } of revisions.toSorted((a, b) => a.from - b.from)) {
    const type = policyTypeOf(policy.policy_type)
    if (
      !type ||
      type.measure(policy).kind === 'fee' ||
      begins > at.getTime() ||
      (until !== null && until <= from)
    )
      continue
    newest.set(policy.constant_policy_uuid, {
      policy_uuid: policy.policy_uuid,
      constant_policy_uuid: policy.constant_policy_uuid,
      name: policy.policy_name,
      type: policy.policy_type,
    })
  }
  return [...newest.values()]
}

async function detectInRegion(
  { state, recordsOf, log }: DetectionContext,
  { region_id: regionId, organization_id: organizationId, timezone }: Region,
  at: Date,
  signal: AbortSignal,
): Promise<void> {
  const scope = regionScope(organizationId, regionId)
  const today = localDay(at, timezone)
  const earliest = dayFromNumber(dayNumber(today) - lookbackDays)
  // A webhook begins with the day on which it was added, as other subscriptions.
  const firstDayOf = ({
    first_day: day,
    created_time: made,
  }: {
    first_day: string | null
    created_time: Date
  }) => [day ?? localDay(made, timezone), earliest].toSorted().at(-1) ?? earliest
  const recipients = new Map<string, Recipient | null>()
  const subscriptions = await subscriptionsOf(state.as(scope), regionId)
  for (const { user_id: userId } of subscriptions)
    if (!recipients.has(userId)) recipients.set(userId, await findRecipient(state, userId, regionId))
  const activeSubscriptions = subscriptions.flatMap((one) => {
    const recipient = recipients.get(one.user_id)
    return recipient ? [{ ...one, recipient, first: firstDayOf(one) }] : []
  })
  if (!activeSubscriptions.length) return
  // One day before any time zone's day; the records decide which days a revision was in force.
  const revisions = await publishedRevisions(state, scope, regionId, at)
  for (const policy of policiesOf(revisions, (dayNumber(earliest) - 1) * 86_400_000, at)) {
    const matching = activeSubscriptions.filter(
      ({ constant_policy_id: id }) => id === null || id === policy.constant_policy_uuid,
    )
    const [first] = matching.map((one) => one.first).toSorted()
    if (signal.aborted) return
    if (first === undefined) continue
    const begun = performance.now()
    // A policy that cannot be measured must not stop alerts about the others.
    const records = await recordsOf({
      scope,
      regionId,
      policyUuid: policy.policy_uuid,
      first,
      last: today,
      at,
      signal,
    }).catch((error: unknown) => {
      // Deleted policies are not reported.
      if (!(error instanceof Problem && error.code === 'not_found'))
        log('compliance alerts', {
          regionId,
          policy: policy.policy_uuid,
          error: error instanceof Error ? error.message : String(error),
        })
      return []
    })
    const workedMs = performance.now() - begun
    for (const one of matching) {
      const own = records.filter(
        (record) =>
          record.date >= one.first &&
          (one.operator === null || record.operator === one.operator) &&
          canReceive(one.recipient, record.operator),
      )
      await enqueueAlerts(
        state.as(scope),
        {
          regionId,
          subscriptionId: one.subscription_id,
          userId: one.user_id,
          recipientKey: one.channel === 'email' ? `user:${one.user_id}` : `webhook:${one.subscription_id}`,
          policy,
          first: one.first,
          isEvent: one.topic === eventsTopic,
        },
        own,
        at,
      )
    }
    await pauseAfter(workedMs, signal)
  }
}

/** Checks every region with subscriptions and queues messages about new violations. */
export async function detectViolations(
  looking: DetectionContext,
  at: Date,
  stop: AbortSignal,
): Promise<void> {
  const { state, log } = looking
  for (const region of await findSubscribedRegions(state)) {
    if (stop.aborted) return
    await detectInRegion(looking, region, at, stop).catch((error: unknown) =>
      log('compliance alerts', {
        regionId: region.region_id,
        error: error instanceof Error ? error.message : String(error),
      }),
    )
  }
  const store = state.as(systemScope)
  await store
    .deleteFrom('alert_sent')
    .where('day', '<', dayFromNumber(dayNumber(at.toISOString().slice(0, 10)) - lookbackDays - 2))
    .execute()
}
