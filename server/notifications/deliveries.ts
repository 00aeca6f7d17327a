import type { DeliveryStatus } from '#contract/deliveries.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

const selectDeliveries = (state: State, scope: Scope, subscriptionId: string) =>
  state
    .as(scope)
    .selectFrom('notification')
    .select(['notification_id', 'kind', 'is_test', 'title', 'item_count', 'created_time', 'state', 'tries'])
    .select(['next_time', 'done_time', 'http_status', 'problem'])
    .where('subscription_id', '=', subscriptionId)

type DeliveryRow = Awaited<ReturnType<ReturnType<typeof selectDeliveries>['execute']>>[number]

/** A message of a subscription, with the state of its delivery. */
export interface Delivery {
  id: string
  kind: string
  isTest: boolean
  title: DeliveryRow['title']
  itemCount: number
  status: DeliveryStatus
}

const readDelivery = ({
  notification_id,
  kind,
  is_test,
  title,
  item_count,
  ...row
}: DeliveryRow): Delivery => ({
  id: notification_id,
  kind,
  isTest: is_test,
  title,
  itemCount: item_count,
  status: {
    ...row,
    state: row.state as DeliveryStatus['state'],
    created_time: row.created_time.toISOString(),
    next_time: row.next_time?.toISOString() ?? null,
    done_time: row.done_time?.toISOString() ?? null,
  },
})

/** Lists the messages of a subscription, newest first. */
export async function listNewestDeliveries(
  state: State,
  scope: Scope,
  subscriptionId: string,
  maxCount: number,
): Promise<Delivery[]> {
  const rows = await selectDeliveries(state, scope, subscriptionId)
    .orderBy('created_time', 'desc')
    .orderBy('notification_id')
    .limit(maxCount)
    .execute()
  return rows.map(readDelivery)
}

/** Finds a message of a subscription. @throws Problem `not_found`. */
export async function findDelivery(
  state: State,
  scope: Scope,
  subscriptionId: string,
  deliveryId: string,
): Promise<Delivery> {
  const row = await selectDeliveries(state, scope, subscriptionId)
    .where('notification_id', '=', deliveryId)
    .executeTakeFirst()
  if (!row) throw new Problem('not_found', 'There is no such message.')
  return readDelivery(row)
}
