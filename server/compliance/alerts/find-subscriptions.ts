import type { AlertChannel, AlertSubscription } from '#contract/compliance-alerts.ts'
import type { Cadence } from '#contract/incidents.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { State } from '#server/stores/state.ts'
import { findNewestAlerts } from './alert-row.ts'

export interface SubscriptionRef {
  region_id: string
  subscription_id: string
}

const columns = [
  'subscription_id',
  'region_id',
  'constant_policy_id',
  'operator',
  'channel',
  'cadence',
  'url',
  'first_day',
  'created_time',
  'disabled_time',
] as const

const selectSubscriptions = (state: State, { scope, userId }: Viewer, regionId: string) =>
  state
    .as(scope)
    .selectFrom('subscription')
    .select(columns)
    .where('topic', '=', 'violations')
    .where('user_id', '=', userId)
    .where('region_id', '=', regionId)

type SubscriptionRow = Awaited<ReturnType<ReturnType<typeof selectSubscriptions>['execute']>>[number]

/** Finds the name of a policy in its newest published revision. */
async function findPolicyName(
  state: State,
  { scope }: Viewer,
  constantId: string | null,
): Promise<string | null> {
  if (constantId === null) return null
  const row = await state
    .as(scope)
    .selectFrom('policy')
    .select('fields')
    .where('constant_policy_id', '=', constantId)
    .where('published_time', 'is not', null)
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? String(row.fields['policy_name'] ?? '') : null
}

async function readSubscription(
  state: State,
  viewer: Viewer,
  {
    constant_policy_id: constantId,
    created_time,
    disabled_time,
    first_day,
    region_id,
    channel,
    cadence,
    ...row
  }: SubscriptionRow,
): Promise<AlertSubscription> {
  const [lastAlert] = await findNewestAlerts(state, viewer.scope, row.subscription_id, 1)
  return {
    ...row,
    region_id: region_id ?? '',
    first_day: first_day ?? '',
    constant_policy_uuid: constantId,
    policy_name: await findPolicyName(state, viewer, constantId),
    channel: channel as AlertChannel,
    cadence: cadence as Cadence,
    created_time: created_time.toISOString(),
    disabled_time: disabled_time?.toISOString() ?? null,
    last: lastAlert ?? null,
  }
}

/** Finds subscriptions of a user in a region, oldest first. */
export async function findSubscriptions(
  state: State,
  viewer: Viewer,
  regionId: string,
): Promise<{ items: AlertSubscription[] }> {
  await findRegion(state, viewer.scope, regionId)
  const items: AlertSubscription[] = []
  for (const row of await selectSubscriptions(state, viewer, regionId)
    .orderBy('created_time')
    .orderBy('subscription_id')
    .execute())
    items.push(await readSubscription(state, viewer, row))
  return { items }
}

/** Finds a subscription of the user. @throws Problem for those of others. */
export async function findSubscription(
  state: State,
  viewer: Viewer,
  { region_id: regionId, subscription_id: id }: SubscriptionRef,
): Promise<AlertSubscription> {
  const row = await selectSubscriptions(state, viewer, regionId)
    .where('subscription_id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not_found', 'There is no such subscription.'))
  return readSubscription(state, viewer, row)
}
