import { Problem } from '#server/http/problem.ts'
import type { Store } from '#server/stores/state.ts'
import { attempt, deliverGroups, type Delivery } from './deliver.ts'
import { isCadenceDue } from './digest.ts'
import type { NewNotification, NotificationKind } from './notification.ts'
import {
  failInterrupted,
  findDueGroups,
  findGroup,
  nextDueTime,
  recordOutcome,
} from './notification-store.ts'
import type { DeliveryOutcome } from './webhook.ts'

/** Messages to people and webhooks, for all rooms. */
export interface Notifications {
  /** Adds a kind of messages. Messages of unknown kinds are not sent. */
  add(kind: NotificationKind): void
  /** Whether something may be due, from memory only. */
  isDue(): boolean
  /** Sends what is due. */
  deliver(stop?: AbortSignal): Promise<void>
  /** Sends one message now, once; returns its id. */
  sendTest(
    store: Store,
    notification: NewNotification,
    at: Date,
  ): Promise<{ id: string; outcome: DeliveryOutcome }>
  /** Sends a message of a webhook again, under its id. */
  replay(store: Store, subscriptionId: string, notificationId: string, at: Date): Promise<void>
}

/** Messages queued by other servers, and daily mails, are found within this time. */
const pollMs = 60_000
const unstopped = new AbortController().signal

export function openNotifications(options: Omit<Delivery, 'kindOf'>): Notifications {
  const { state, now } = options
  const kinds = new Map<string, NotificationKind>()
  const delivery: Delivery = { ...options, kindOf: (name) => kinds.get(name) }
  let seenChanges = -1
  let lookedAt = -Infinity
  let dueAt = Infinity
  const changes = (): number => state.changes.countFor(['notification'])

  return {
    add: (kind) => void kinds.set(kind.name, kind),
    isDue() {
      const at = now().getTime()
      return at >= dueAt || at - lookedAt >= pollMs || at < lookedAt || changes() !== seenChanges
    },
    async deliver(stop = unstopped) {
      const at = now()
      lookedAt = at.getTime()
      await failInterrupted(state, at)
      const before = changes()
      const groups = (await findDueGroups(state, at)).filter(({ cadence, digest_day, timezone }) =>
        isCadenceDue({ cadence: cadence ?? 'immediate', digest_day, timezone }, at),
      )
      await deliverGroups(delivery, groups, stop)
      // Messages queued meanwhile are found by the next check.
      seenChanges = before
      dueAt = (await nextDueTime(state, now()))?.getTime() ?? Infinity
    },
    async sendTest(store, notification, at) {
      const message = await store
        .insertInto('notification')
        .values({
          kind: notification.kind,
          region_id: notification.regionId,
          user_id: notification.userId,
          subscription_id: notification.subscriptionId,
          payload: JSON.stringify(notification.payload),
          is_test: true,
          created_time: at,
          state: 'sending',
          claimed_time: at,
          tries: 1,
        })
        .returning(['notification_id', 'tries', 'payload', 'created_time'])
        .executeTakeFirstOrThrow()
      const outcome = await attempt(delivery, await findGroup(store, message.notification_id), [message])
      await recordOutcome(store, [message], { ...outcome, isFinal: true }, at)
      return { id: message.notification_id, outcome }
    },
    async replay(store, subscriptionId, notificationId, at) {
      await store
        .updateTable('notification')
        .set({ state: 'waiting', tries: 0, next_time: at, done_time: null, problem: null, http_status: null })
        .where('subscription_id', '=', subscriptionId)
        .where('notification_id', '=', notificationId)
        .where('state', 'in', ['done', 'failed'])
        .where('is_test', '=', false)
        .returning('notification_id')
        .executeTakeFirstOrThrow(
          () => new Problem('conflict', 'Only messages that were sent or have failed can be resent.'),
        )
    },
  }
}
