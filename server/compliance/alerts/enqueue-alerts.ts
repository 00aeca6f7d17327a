import type { ComplianceRecord } from '#contract/compliance.ts'
import type { LocalDay } from '#contract/period.ts'
import { queueNotifications } from '#server/notifications/notification-store.ts'
import type { Store } from '#server/stores/state.ts'
import { type AlertPayload, violationsKind } from './alert-kinds.ts'
import type { AlertPolicy } from './alert-mail.ts'
import { type Finding, keyOf, findNewViolations } from './find-new-violations.ts'

/** Who is notified, and of which policy. */
interface AlertTarget {
  regionId: string
  subscriptionId: string
  userId: string
  /** Identifies the recipient in `alert_sent`: one per user for all mail subscriptions, so that nothing is mailed twice. */
  recipientKey: string
  policy: AlertPolicy
  first: LocalDay
  /** Whether it is a webhook of events, which gets minimal messages. */
  isEvent?: boolean
}

/** Records of one message, at most. */
const maxRecords = 500

/** Records the findings as reported; returns those that nobody else reported meanwhile. */
async function claim(
  store: Store,
  { regionId, recipientKey, policy }: AlertTarget,
  findings: readonly Finding[],
): Promise<Finding[]> {
  const claimed = new Set<string>()
  for (let from = 0; from < findings.length; from += maxRecords) {
    const values = findings.slice(from, from + maxRecords).map(({ operator, shape, day, violations }) => ({
      region_id: regionId,
      recipient_key: recipientKey,
      constant_policy_id: policy.constant_policy_uuid,
      operator,
      shape,
      day,
      violations,
    }))
    const rows = await store
      .insertInto('alert_sent')
      .values(values)
      .onConflict((conflict) =>
        conflict
          .columns(['region_id', 'recipient_key', 'constant_policy_id', 'operator', 'shape', 'day'])
          .doUpdateSet((row) => ({ violations: row.ref('excluded.violations') }))
          .whereRef('alert_sent.violations', '<', 'excluded.violations'),
      )
      .returning(['operator', 'shape', 'day'])
      .execute()
    for (const row of rows) claimed.add(keyOf(row))
  }
  return findings.filter((one) => claimed.has(keyOf(one)))
}

/** The data for a webhook of events: IDs and counts. */
function thinData(policy: AlertPolicy, records: readonly ComplianceRecord[]): object {
  const days = records.map(({ date }) => date).toSorted()
  return {
    policy_id: policy.policy_uuid,
    constant_policy_id: policy.constant_policy_uuid,
    operators: [...new Set(records.map(({ operator }) => operator))].toSorted(),
    first_day: days[0],
    last_day: days.at(-1),
    violations: records.reduce((sum, { violations }) => sum + Math.max(1, violations), 0),
  }
}

/** Records findings and queues their messages in one transaction, so that nothing is reported twice or lost. Returns the number of messages. */
export async function enqueueAlerts(
  store: Store,
  target: AlertTarget,
  records: readonly ComplianceRecord[],
  at: Date,
): Promise<number> {
  const { regionId, subscriptionId, userId, recipientKey, policy, first, isEvent = false } = target
  if (!records.some(({ status }) => status === 'non_compliant')) return 0
  return store.transaction().execute(async (transaction) => {
    const reported = await transaction
      .selectFrom('alert_sent')
      .select(['operator', 'shape', 'day', 'violations'])
      .where('region_id', '=', regionId)
      .where('recipient_key', '=', recipientKey)
      .where('constant_policy_id', '=', policy.constant_policy_uuid)
      .where('day', '>=', first)
      .execute()
    const claimed = await claim(transaction, target, findNewViolations(records, reported))
    const all = claimed.flatMap((one) => one.records)
    const messages = Array.from({ length: Math.ceil(all.length / maxRecords) }, (_, index) =>
      all.slice(index * maxRecords, (index + 1) * maxRecords),
    )
    await queueNotifications(
      transaction,
      messages.map((some) => ({
        kind: isEvent ? 'compliance.violation' : violationsKind,
        regionId,
        userId,
        subscriptionId,
        payload: isEvent
          ? { operator: null, data: thinData(policy, some) }
          : ({ policy, records: some } satisfies AlertPayload),
        title: policy.name,
        itemCount: some.length,
      })),
      at,
    )
    return messages.length
  })
}
