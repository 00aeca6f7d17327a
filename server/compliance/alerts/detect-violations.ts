import type { ComplianceRecord } from '#contract/compliance.ts'
import { addDays, dayMs, dayNumber, type LocalDay, localDay } from '#contract/period.ts'
import { findPolicyType } from '#contract/policy-types/list.ts'
import { getErrorMessage } from '#contract/problem-text.ts'
import { Problem } from '#server/http/problem.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { pauseAfter } from '#server/jobs/job.ts'
import type { Log } from '#server/jobs/log.ts'
import { type PublishedRevision, findPublishedRevisions } from '#server/policies/published-revisions.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { canReceive, findRecipient, type Recipient } from '#server/notifications/recipient.ts'
import { eventsTopic } from '#server/notifications/events/publish-event.ts'
import type { AlertPolicy } from './alert-mail.ts'
import { enqueueAlerts } from './enqueue-alerts.ts'

/** Finds records of a policy (the id of any revision) in a range of local days, both included. */
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
  findRecords: FindRecords
  log: Log
}

/** Number of past days that are checked. Violations on earlier days are not reported. */
export const lookbackDays = 31
/** Marks of reported violations are removed this many days after they are last needed. */
const markMarginDays = 2

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

/** Finds subscriptions, immediate ones first, as daily mails do not repeat what these reported. */
const findSubscriptionsToViolations = async (store: Store, regionId: string) => {
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
  const includesViolations = ({ topic, events }: (typeof rows)[number]): boolean =>
    topic === 'violations' || events?.includes('compliance.violation') === true
  return rows
    .filter(includesViolations)
    .toSorted((a, b) => Number(b.cadence === 'immediate') - Number(a.cadence === 'immediate'))
}

/** Finds policies with compliance, each by its newest revision that has begun and did not end before. */
function findMeasuredPolicies(
  revisions: readonly PublishedRevision[],
  from: number,
  at: Date,
): AlertPolicy[] {
  const newestPolicies = new Map<string, AlertPolicy>()
  for (const { policy, from: begin, until: end } of revisions.toSorted((a, b) => a.from - b.from)) {
    const type = findPolicyType(policy.policy_type)
    const isMeasured = type && type.measure(policy).kind !== 'fee'
    const hasEnded = end !== null && end <= from
    if (!isMeasured || begin > at.getTime() || hasEnded) continue
    newestPolicies.set(policy.constant_policy_uuid, {
      policy_uuid: policy.policy_uuid,
      constant_policy_uuid: policy.constant_policy_uuid,
      name: policy.policy_name,
      type: policy.policy_type,
    })
  }
  return [...newestPolicies.values()]
}

type ViolationSubscription = Awaited<ReturnType<typeof findSubscriptionsToViolations>>[number]

/** A subscription with its recipient, and the first day for which it reports violations. */
type ActiveSubscription = ViolationSubscription & { recipient: Recipient; firstDay: LocalDay }

/** Finds the subscriptions of a region with recipients that may receive messages. */
async function findActiveSubscriptions(
  state: State,
  scope: Scope,
  { region_id: regionId, timezone }: Region,
  earliestDay: LocalDay,
): Promise<ActiveSubscription[]> {
  // Webhooks have no `first_day`: they start with the day on which they were added.
  const findFirstDay = ({ first_day, created_time: created }: ViolationSubscription): LocalDay => {
    const day = first_day ?? localDay(created, timezone)
    return day > earliestDay ? day : earliestDay
  }
  const subscriptions = await findSubscriptionsToViolations(state.as(scope), regionId)
  const recipients = new Map<string, Recipient | null>()
  for (const { user_id: userId } of subscriptions)
    if (!recipients.has(userId)) recipients.set(userId, await findRecipient(state, userId, regionId))
  return subscriptions.flatMap((subscription) => {
    const recipient = recipients.get(subscription.user_id)
    return recipient ? [{ ...subscription, recipient, firstDay: findFirstDay(subscription) }] : []
  })
}

/** Finds records of a policy; none if it cannot be measured, which must not stop alerts about the others. */
const findRecordsOrNone = (
  { findRecords, log }: DetectionContext,
  query: Parameters<FindRecords>[0],
): Promise<readonly ComplianceRecord[]> =>
  findRecords(query).catch((error: unknown) => {
    // A policy that was deleted in the meantime is not an error.
    if (!(error instanceof Problem && error.code === 'not_found'))
      log('violations could not be detected', {
        regionId: query.regionId,
        policy: query.policyUuid,
        error: getErrorMessage(error),
      })
    return []
  })

/** Queues the messages of a subscription about the records that its recipient may see. */
async function enqueueForSubscription(
  store: Store,
  subscription: ActiveSubscription,
  {
    policy,
    records,
    regionId,
    at,
  }: { policy: AlertPolicy; records: readonly ComplianceRecord[]; regionId: string; at: Date },
): Promise<void> {
  const visibleRecords = records.filter(
    (record) =>
      record.date >= subscription.firstDay &&
      (subscription.operator === null || record.operator === subscription.operator) &&
      canReceive(subscription.recipient, record.operator),
  )
  await enqueueAlerts(
    store,
    {
      regionId,
      subscriptionId: subscription.subscription_id,
      userId: subscription.user_id,
      recipientKey:
        subscription.channel === 'email'
          ? `user:${subscription.user_id}`
          : `webhook:${subscription.subscription_id}`,
      policy,
      firstDay: subscription.firstDay,
      isEvent: subscription.topic === eventsTopic,
    },
    visibleRecords,
    at,
  )
}

/** Queues messages about new violations of each policy with subscribers. */
async function detectInRegion(
  context: DetectionContext,
  region: Region,
  at: Date,
  signal: AbortSignal,
): Promise<void> {
  const { state } = context
  const { region_id: regionId, organization_id: organizationId, timezone } = region
  const scope = regionScope(organizationId, regionId)
  const today = localDay(at, timezone)
  const earliestDay = addDays(today, -lookbackDays)
  const subscriptions = await findActiveSubscriptions(state, scope, region, earliestDay)
  if (!subscriptions.length) return
  const revisions = await findPublishedRevisions(state, scope, regionId, at)
  // One day of margin for all time zones. The records decide on which days a revision was in force.
  const from = (dayNumber(earliestDay) - 1) * dayMs
  for (const policy of findMeasuredPolicies(revisions, from, at)) {
    const policySubscriptions = subscriptions.filter(
      ({ constant_policy_id: id }) => id === null || id === policy.constant_policy_uuid,
    )
    const [firstDay] = policySubscriptions.map((subscription) => subscription.firstDay).toSorted()
    if (signal.aborted) return
    if (firstDay === undefined) continue
    const startedMs = performance.now()
    const records = await findRecordsOrNone(context, {
      scope,
      regionId,
      policyUuid: policy.policy_uuid,
      first: firstDay,
      last: today,
      at,
      signal,
    })
    const workedMs = performance.now() - startedMs
    for (const subscription of policySubscriptions)
      await enqueueForSubscription(state.as(scope), subscription, { policy, records, regionId, at })
    await pauseAfter(workedMs, signal)
  }
}

/** Checks every region with subscriptions and queues messages about new violations. */
export async function detectViolations(
  context: DetectionContext,
  at: Date,
  stop: AbortSignal,
): Promise<void> {
  const { state, log } = context
  for (const region of await findSubscribedRegions(state)) {
    if (stop.aborted) return
    await detectInRegion(context, region, at, stop).catch((error: unknown) =>
      log('violations could not be detected', { regionId: region.region_id, error: getErrorMessage(error) }),
    )
  }
  const store = state.as(systemScope)
  await store
    .deleteFrom('alert_sent')
    .where('day', '<', addDays(at.toISOString().slice(0, 10), -lookbackDays - markMarginDays))
    .execute()
}
