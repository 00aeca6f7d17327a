import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { dayMs } from '#contract/period.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { NewNotification } from './notification.ts'
import { getNextAttempt } from './retry-delays.ts'
import type { DeliveryOutcome } from './webhook.ts'

/** Time after which the process that claimed a message is considered stopped; longer than any attempt. */
export const claimTimeoutMs = 2 * 60_000
/** Time for which sent and failed messages are retained. */
const retentionDays = 60
/** Maximum number of messages inserted by one statement. */
const maxInsertedRows = 500

/** Stores messages to be sent, in the caller's transaction. */
export async function queueNotifications(
  store: Store,
  notifications: readonly NewNotification[],
  at: Date,
): Promise<void> {
  for (let start = 0; start < notifications.length; start += maxInsertedRows)
    await store
      .insertInto('notification')
      .values(
        notifications.slice(start, start + maxInsertedRows).map((message) => ({
          kind: message.kind,
          region_id: message.regionId,
          user_id: message.userId,
          subscription_id: message.subscriptionId,
          payload: JSON.stringify(message.payload),
          title: message.title ?? null,
          item_count: message.itemCount ?? 0,
          created_time: at,
          state: 'waiting',
          next_time: at,
        })),
      )
      .execute()
}

/** The messages of one kind and subscription or, without a subscription, user. They are sent together. */
export interface MessageGroup {
  kind: string
  region_id: string
  user_id: string
  subscription_id: string | null
  organization_id: string
  text: string
  timezone: string
  channel: string | null
  cadence: string | null
  digest_day: string | null
  token: string | null
  url: string | null
  sealed_secret: string | null
  previous_sealed_secret: string | null
  previous_until: Date | null
}

const selectWithGroup = (store: Store) =>
  store
    .selectFrom('notification')
    .leftJoin('subscription', 'subscription.subscription_id', 'notification.subscription_id')
    .innerJoin('region', 'region.region_id', 'notification.region_id')

const groupColumns = [
  'notification.kind',
  'notification.region_id',
  'notification.user_id',
  'notification.subscription_id',
  'region.organization_id',
  'region.text',
  'region.timezone',
  'subscription.channel',
  'subscription.cadence',
  'subscription.digest_day',
  'subscription.token',
  'subscription.url',
  'subscription.sealed_secret',
  'subscription.previous_sealed_secret',
  'subscription.previous_until',
] as const

const getStaleBefore = (at: Date): Date => new Date(at.getTime() - claimTimeoutMs)

/** Finds groups with due messages. Webhook messages claimed by a stopped process are due again. */
export const findDueGroups = (state: State, at: Date): Promise<MessageGroup[]> =>
  selectWithGroup(state.as(systemScope))
    .select(groupColumns)
    .distinct()
    .where('notification.is_test', '=', false)
    .where((row) =>
      row.or([
        row.and([row('notification.state', '=', 'waiting'), row('notification.next_time', '<=', at)]),
        row.and([
          row('notification.state', '=', 'sending'),
          row('notification.claimed_time', '<', getStaleBefore(at)),
          row('subscription.channel', '=', 'webhook'),
        ]),
      ]),
    )
    .execute()

/** Finds the group of a message. */
export const findGroup = (store: Store, notificationId: string): Promise<MessageGroup> =>
  selectWithGroup(store)
    .select(groupColumns)
    .where('notification_id', '=', notificationId)
    .executeTakeFirstOrThrow()

/** Finds the time at which the next message after `at` is due; null if none is pending. */
export async function findNextDueTime(state: State, at: Date): Promise<Date | null> {
  const row = await state
    .as(systemScope)
    .selectFrom('notification')
    .select(({ fn }) => fn.min<Date | null>('next_time').as('next'))
    .where('state', '=', 'waiting')
    .where('next_time', '>', at)
    .executeTakeFirst()
  return row?.next ?? null
}

/** A message that this process has claimed and must send. */
export interface ClaimedMessage {
  notification_id: string
  tries: number
  payload: unknown
  created_time: Date
}

/** Returns the store in the Scope of a group's region. */
export const getGroupStore = (
  state: State,
  group: Pick<MessageGroup, 'organization_id' | 'region_id'>,
): Store => state.as(regionScope(group.organization_id, group.region_id))

/** Returns the condition that a message is pending and due, or was claimed by a stopped process. */
const isClaimable =
  (group: MessageGroup, at: Date) =>
  (row: ExpressionBuilder<StateTables, 'notification'>): Expression<SqlBool> =>
    row.or([
      row.and([row('state', '=', 'waiting'), row('next_time', '<=', at)]),
      ...(group.channel === 'webhook'
        ? [row.and([row('state', '=', 'sending'), row('claimed_time', '<', getStaleBefore(at))])]
        : []),
    ])

/** Claims up to `limit` (null for all) due messages of a group, oldest first. One process can claim each. */
export async function claimMessages(
  store: Store,
  group: MessageGroup,
  at: Date,
  limit: number | null,
): Promise<ClaimedMessage[]> {
  const dueQuery = store
    .selectFrom('notification')
    .select('notification_id')
    .where('kind', '=', group.kind)
    .where('region_id', '=', group.region_id)
    .where('user_id', '=', group.user_id)
    .where('subscription_id', group.subscription_id === null ? 'is' : '=', group.subscription_id)
    .where('is_test', '=', false)
    .where(isClaimable(group, at))
    .orderBy('created_time')
    .orderBy('notification_id')
  const dueMessages = await (limit === null ? dueQuery : dueQuery.limit(limit)).execute()
  if (!dueMessages.length) return []
  const rows = await store
    .updateTable('notification')
    .set((row) => ({ state: 'sending', claimed_time: at, tries: row('tries', '+', 1) }))
    .where(
      'notification_id',
      'in',
      dueMessages.map((dueMessage) => dueMessage.notification_id),
    )
    .where(isClaimable(group, at))
    .returning(['notification_id', 'tries', 'payload', 'created_time'])
    .execute()
  return rows.toSorted((a, b) => a.created_time.getTime() - b.created_time.getTime())
}

/** Records the outcome of an attempt to send claimed messages: sent, to be retried, or given up. */
export async function recordOutcome(
  store: Store,
  messages: readonly Pick<ClaimedMessage, 'notification_id' | 'tries'>[],
  { problem, status, isFinal = false }: DeliveryOutcome,
  at: Date,
): Promise<void> {
  for (const tries of new Set(messages.map((message) => message.tries))) {
    const nextTime = problem === null || isFinal ? null : getNextAttempt(tries, at)
    const failedState = nextTime ? 'waiting' : 'failed'
    await store
      .updateTable('notification')
      .set({
        state: problem === null ? 'done' : failedState,
        problem,
        http_status: status,
        next_time: nextTime,
        claimed_time: null,
        done_time: nextTime ? null : at,
      })
      .where(
        'notification_id',
        'in',
        messages.filter((message) => message.tries === tries).map((message) => message.notification_id),
      )
      .where('state', '=', 'sending')
      .execute()
  }
}

/** Disables a webhook and gives up its pending messages. */
export async function disableWebhook(
  store: Store,
  subscriptionId: string,
  problem: string,
  at: Date,
): Promise<void> {
  await store
    .updateTable('subscription')
    .set({ disabled_time: at })
    .where('subscription_id', '=', subscriptionId)
    .execute()
  await store
    .updateTable('notification')
    .set({ state: 'failed', problem, next_time: null, done_time: at })
    .where('subscription_id', '=', subscriptionId)
    .where('state', '=', 'waiting')
    .execute()
}

const interruptedProblem = 'The server was stopped while it was sent: it may have arrived or not.'

/** Gives up mails and tests that a stopped process had claimed: sent again, they might be delivered twice. */
export async function failInterrupted(state: State, at: Date): Promise<void> {
  await state
    .as(systemScope)
    .updateTable('notification')
    .set({ state: 'failed', problem: interruptedProblem, claimed_time: null, done_time: at, next_time: null })
    .where('state', '=', 'sending')
    .where('claimed_time', '<', getStaleBefore(at))
    .where((row) =>
      row.or([
        row('is_test', '=', true),
        row.not(
          row.exists(
            row
              .selectFrom('subscription')
              .select('subscription.subscription_id')
              .whereRef('subscription.subscription_id', '=', 'notification.subscription_id')
              .where('subscription.channel', '=', 'webhook'),
          ),
        ),
      ]),
    )
    .execute()
}

/** Removes sent and failed messages past their retention. */
export async function removeOldNotifications(state: State, at: Date): Promise<void> {
  await state
    .as(systemScope)
    .deleteFrom('notification')
    .where('state', 'in', ['done', 'failed'])
    .where('created_time', '<', new Date(at.getTime() - retentionDays * dayMs))
    .execute()
}
