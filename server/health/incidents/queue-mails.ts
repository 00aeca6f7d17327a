import type { HealthRegion } from '#server/health/health-region.ts'
import { canReadOperator } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { mayBeTold } from './may-be-told.ts'

type Store = ReturnType<State['as']>

/** Writes down who is to be told of a step by mail: each user once, at once where any of the subscriptions says so. */
export async function queueMails(
  store: Store,
  { organizationId, regionId }: HealthRegion,
  operator: string,
  stepId: string,
): Promise<void> {
  const rows = await mayBeTold(store, regionId)
    .where('incident_subscription.organization_id', '=', organizationId)
    .where((each) =>
      each.or([
        each('incident_subscription.region_id', 'is', null),
        each('incident_subscription.region_id', '=', regionId),
      ]),
    )
    .where((each) =>
      each.or([
        each('incident_subscription.operator', 'is', null),
        each('incident_subscription.operator', '=', operator),
      ]),
    )
    .select([
      'incident_subscription.subscription_id',
      'incident_subscription.user_id',
      'incident_subscription.cadence',
      'user.operators',
    ])
    .execute()
  const chosen = new Map<string, (typeof rows)[number]>()
  for (const row of rows
    .filter((each) => canReadOperator(each, operator))
    .toSorted(
      (a, b) =>
        Number(b.cadence === 'immediate') - Number(a.cadence === 'immediate') ||
        (a.subscription_id < b.subscription_id ? -1 : 1),
    ))
    if (!chosen.has(row.user_id)) chosen.set(row.user_id, row)
  const mails = [...chosen.values()].map(({ subscription_id, user_id }) => ({
    step_id: stepId,
    user_id,
    subscription_id,
    region_id: regionId,
  }))
  if (mails.length)
    await store
      .insertInto('incident_mail')
      .values(mails)
      .onConflict((there) => there.doNothing())
      .execute()
}
