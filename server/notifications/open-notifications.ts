import { Problem } from '#server/http/problem.ts'
import type { Store } from '#server/stores/state.ts'
import { attemptDelivery, deliverGroups, type DeliveryContext } from './deliver.ts'
import { isCadenceDue } from './digest.ts'
import type { NewNotification, NotificationKind } from './notification.ts'
import {
  failInterrupted,
  findDueGroups,
  findGroup,
  findNextDueTime,
  recordOutcome,
} from './notification-store.ts'
import type { DeliveryOutcome } from './webhook.ts'

/** Sends the messages of all rooms to people and webhooks. */
export interface Notifications {
  /** Registers a kind of messages. Messages of unknown kinds are not sent. */
  add(kind: NotificationKind): void
  /** Whether messages may be due. Reads only memory, so it can be called often. */
  isDue(): boolean
  /** Sends due messages. */
  deliver(stop?: AbortSignal): Promise<void>
  /** Sends a message immediately, without retries. */
  sendTest(
    store: Store,
    notification: NewNotification,
    at: Date,
  ): Promise<{ id: string; outcome: DeliveryOutcome }>
  /** Sends a webhook message again under the same id. */
  replay(store: Store, subscriptionId: string, notificationId: string, at: Date): Promise<void>
}

/** Interval at which messages queued by other servers, and daily mails, are looked for. */
const pollMs = 60_000
const neverAborted = new AbortController().signal

/** Opens notifications. Rooms add their kinds of messages before the first delivery. */
export function openNotifications(options: Omit<DeliveryContext, 'findKind'>): Notifications {
  const { state, now } = options
  const kinds = new Map<string, NotificationKind>()
  const delivery: DeliveryContext = { ...options, findKind: (name) => kinds.get(name) }
  let seenChanges = -1
  /** Times of the last check and of the next due message, ms. */
  let checkedMs = -Infinity
  let dueMs = Infinity
  const countChanges = (): number => state.changes.countFor(['notification'])

  return {
    add: (kind) => void kinds.set(kind.name, kind),
    isDue() {
      const nowMs = now().getTime()
      const isClockSetBack = nowMs < checkedMs
      return nowMs >= dueMs || nowMs - checkedMs >= pollMs || isClockSetBack || countChanges() !== seenChanges
    },
    async deliver(stop = neverAborted) {
      const at = now()
      checkedMs = at.getTime()
      await failInterrupted(state, at)
      const changesBefore = countChanges()
      const groups = (await findDueGroups(state, at)).filter(({ cadence, digest_day, timezone }) =>
        isCadenceDue({ cadence: cadence ?? 'immediate', digest_day, timezone }, at),
      )
      await deliverGroups(delivery, groups, stop)
      // The count from before the delivery, so that the next check finds messages queued in the meantime.
      seenChanges = changesBefore
      dueMs = (await findNextDueTime(state, now()))?.getTime() ?? Infinity
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
      const outcome = await attemptDelivery(delivery, await findGroup(store, message.notification_id), [
        message,
      ])
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
