import type { ComplianceRecord } from '#contract/compliance.ts'
import type { LocalDay } from '#contract/period.ts'
import { queueNotifications } from '#server/notifications/notification-store.ts'
import type { Store } from '#server/stores/state.ts'
import { type AlertPayload, violationsKind } from './alert-kinds.ts'
import type { AlertPolicy } from './alert-mail.ts'
import { countViolations, findNewViolations, makeDayKey, type NewViolations } from './find-new-violations.ts'

/** The recipient and policy of an alert. */
interface AlertTarget {
  regionId: string
  subscriptionId: string
  userId: string
  /** A recipient in `alert_sent`. All mail subscriptions of a user share one, so nothing is mailed twice. */
  recipientKey: string
  policy: AlertPolicy
  /** First day for which violations are reported. */
  firstDay: LocalDay
  /** Whether the recipient is an event webhook, which receives ids and counts only. */
  isEvent?: boolean
}

/** Maximum number of records in one message. */
const maxRecords = 500

/** Marks violations as reported. Returns those that no other server reported in the meantime. */
async function claimViolations(
  store: Store,
  { regionId, recipientKey, policy }: AlertTarget,
  newViolations: readonly NewViolations[],
): Promise<NewViolations[]> {
  const claimedKeys = new Set<string>()
  for (let from = 0; from < newViolations.length; from += maxRecords) {
    const values = newViolations
      .slice(from, from + maxRecords)
      .map(({ operator, shape, day, violations }) => ({
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
    for (const row of rows) claimedKeys.add(makeDayKey(row))
  }
  return newViolations.filter((violations) => claimedKeys.has(makeDayKey(violations)))
}

/** Returns the data for an event webhook: ids and counts. */
function summarizeForWebhook(policy: AlertPolicy, records: readonly ComplianceRecord[]): object {
  const days = records.map(({ date }) => date).toSorted()
  return {
    policy_id: policy.policy_uuid,
    constant_policy_id: policy.constant_policy_uuid,
    operators: [...new Set(records.map(({ operator }) => operator))].toSorted(),
    first_day: days[0],
    last_day: days.at(-1),
    violations: records.reduce((sum, record) => sum + countViolations(record), 0),
  }
}

/** Marks violations as reported and queues messages in one transaction. Returns their number. */
export async function enqueueAlerts(
  store: Store,
  target: AlertTarget,
  records: readonly ComplianceRecord[],
  at: Date,
): Promise<number> {
  const { regionId, subscriptionId, userId, recipientKey, policy, firstDay, isEvent = false } = target
  if (!records.some(({ status }) => status === 'non_compliant')) return 0
  return store.transaction().execute(async (transaction) => {
    const reportedDays = await transaction
      .selectFrom('alert_sent')
      .select(['operator', 'shape', 'day', 'violations'])
      .where('region_id', '=', regionId)
      .where('recipient_key', '=', recipientKey)
      .where('constant_policy_id', '=', policy.constant_policy_uuid)
      .where('day', '>=', firstDay)
      .execute()
    const newViolations = findNewViolations(records, reportedDays)
    const claimedViolations = await claimViolations(transaction, target, newViolations)
    const newRecords = claimedViolations.flatMap((violations) => violations.records)
    const batches = Array.from({ length: Math.ceil(newRecords.length / maxRecords) }, (_, index) =>
      newRecords.slice(index * maxRecords, (index + 1) * maxRecords),
    )
    await queueNotifications(
      transaction,
      batches.map((batch) => ({
        kind: isEvent ? 'compliance.violation' : violationsKind,
        regionId,
        userId,
        subscriptionId,
        payload: isEvent
          ? { operator: null, data: summarizeForWebhook(policy, batch) }
          : ({ policy, records: batch } satisfies AlertPayload),
        title: policy.name,
        itemCount: batch.length,
      })),
      at,
    )
    return batches.length
  })
}
