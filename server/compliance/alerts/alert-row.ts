import type { Alert, AlertState } from '#contract/compliance-alerts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { AlertPolicy } from './enqueue-alerts'

export const alertColumns = [
  'alert_id',
  'subscription_id',
  'is_test',
  'policy',
  'record_count',
  'created_time',
  'state',
  'tries',
  'next_time',
  'done_time',
  'http_status',
  'problem',
] as const

interface Row {
  alert_id: string
  subscription_id: string
  is_test: boolean
  policy: unknown
  record_count: number
  created_time: Date
  state: string
  tries: number
  next_time: Date | null
  done_time: Date | null
  http_status: number | null
  problem: string | null
}

const iso = (time: Date | null): string | null => time?.toISOString() ?? null

/** A stored message as its owner sees it. */
export const readAlert = ({
  policy,
  record_count: records,
  created_time: created,
  next_time: next,
  done_time: done,
  state,
  ...row
}: Row): Alert => ({
  ...row,
  state: state as AlertState,
  policy_name: (policy as AlertPolicy | null)?.name ?? null,
  records,
  created_time: created.toISOString(),
  next_time: iso(next),
  done_time: iso(done),
})

/** The newest messages of a subscription. */
export async function newestAlerts(
  state: State,
  scope: Scope,
  subscriptionId: string,
  maxCount: number,
): Promise<Alert[]> {
  const rows = await state
    .as(scope)
    .selectFrom('alert')
    .select(alertColumns)
    .where('subscription_id', '=', subscriptionId)
    .orderBy('created_time', 'desc')
    .orderBy('alert_id')
    .limit(maxCount)
    .execute()
  return rows.map(readAlert)
}
