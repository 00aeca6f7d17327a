import type { Alert, AlertState } from '#contract/compliance-alerts.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

const selectAlerts = (state: State, scope: Scope, subscriptionId: string) =>
  state
    .as(scope)
    .selectFrom('notification')
    .select([
      'notification_id as alert_id',
      'subscription_id',
      'is_test',
      'title as policy_name',
      'item_count as records',
      'created_time',
      'state',
      'tries',
      'next_time',
      'done_time',
      'http_status',
      'problem',
    ])
    .where('subscription_id', '=', subscriptionId)

type Row = Awaited<ReturnType<ReturnType<typeof selectAlerts>['execute']>>[number]

const iso = (time: Date | null): string | null => time?.toISOString() ?? null

const readAlert = ({ created_time, next_time, done_time, state, subscription_id, ...row }: Row): Alert => ({
  ...row,
  subscription_id: subscription_id ?? '',
  state: state as AlertState,
  created_time: created_time.toISOString(),
  next_time: iso(next_time),
  done_time: iso(done_time),
})

/** The newest messages of a subscription. */
export async function newestAlerts(
  state: State,
  scope: Scope,
  subscriptionId: string,
  maxCount: number,
): Promise<Alert[]> {
  const rows = await selectAlerts(state, scope, subscriptionId)
    .orderBy('created_time', 'desc')
    .orderBy('notification_id')
    .limit(maxCount)
    .execute()
  return rows.map(readAlert)
}

/** One message of a subscription. */
export async function findAlert(
  state: State,
  scope: Scope,
  subscriptionId: string,
  alertId: string,
): Promise<Alert> {
  const row = await selectAlerts(state, scope, subscriptionId)
    .where('notification_id', '=', alertId)
    .executeTakeFirst()
  if (!row) throw new Problem('not_found', 'There is no such message.')
  return readAlert(row)
}
