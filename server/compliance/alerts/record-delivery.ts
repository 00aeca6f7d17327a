import type { State } from '#server/stores/state.ts'

const minuteMs = 60_000

/** Minutes from a try that failed to the next one: they end within a day of the first. */
export const retryMinutes = [1, 5, 30, 120, 360, 720] as const

/** When to try again after so many tries; null: no more. */
export function nextTry(tries: number, at: Date): Date | null {
  const minutes = retryMinutes[tries - 1]
  return minutes === undefined ? null : new Date(at.getTime() + minutes * minuteMs)
}

type Store = ReturnType<State['as']>

/** How a try ended. */
export interface DeliveryOutcome {
  /** Null: it arrived. */
  problem: string | null
  status: number | null
  /** It is of no use to try again. */
  isFinal?: boolean
}

/** Longer than any try takes: whoever sent it then is gone. */
export const claimTimeoutMs = 2 * 60_000

/** Writes down how tries of messages ended, the `tries`-th of them: done, to be tried again, or given up. */
export async function recordDelivery(
  store: Store,
  alertIds: readonly string[],
  { problem, status, isFinal = false }: DeliveryOutcome,
  tries: number,
  at: Date,
): Promise<void> {
  const next = problem === null || isFinal ? null : nextTry(tries, at)
  const state = problem === null ? 'done' : next ? 'waiting' : 'failed'
  await store
    .updateTable('alert')
    .set({
      state,
      problem,
      http_status: status,
      next_time: next,
      claimed_time: null,
      done_time: next ? null : at,
    })
    .where('alert_id', 'in', alertIds)
    .where('state', '=', 'sending')
    .execute()
}

export const interruptedProblem = 'The server was stopped while it was sent: it may have arrived or not.'
export const noAccessProblem = 'Its owner may not see this any more; it was not sent.'

/** Mails and tests that a stop of the server cut off are not sent again: nobody is to get one twice. */
export async function failInterrupted(store: Store, at: Date): Promise<void> {
  await store
    .updateTable('alert')
    .set({ state: 'failed', problem: interruptedProblem, claimed_time: null, done_time: at, next_time: null })
    .where('state', '=', 'sending')
    .where('claimed_time', '<', new Date(at.getTime() - claimTimeoutMs))
    .where((row) =>
      row.or([
        row('is_test', '=', true),
        row.exists(
          row
            .selectFrom('alert_subscription')
            .select('alert_subscription.subscription_id')
            .whereRef('alert_subscription.subscription_id', '=', 'alert.subscription_id')
            .where('alert_subscription.channel', '=', 'email'),
        ),
      ]),
    )
    .execute()
}
