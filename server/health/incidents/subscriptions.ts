import type { Cadence, IncidentSubscription } from '#contract/incidents.ts'
import { type Colleagues, maxColleagues } from '#contract/users.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { systemScope } from '#server/identity/scope.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { canReadOperator } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'

/** A change of a subscription. Null means all regions, all operators or, as cadence, no subscription. */
interface SubscriptionChange {
  region_id: string | null
  operator: string | null
  cadence: Cadence | null
}

/** Lists the viewer's subscriptions to incidents. */
export async function listIncidentSubscriptions(
  state: State,
  { scope, userId }: Viewer,
): Promise<{ items: IncidentSubscription[] }> {
  const rows = await state
    .as(scope)
    .selectFrom('subscription')
    .select(['subscription_id', 'region_id', 'operator', 'cadence'])
    .where('topic', '=', 'incidents')
    .where('user_id', '=', userId)
    .orderBy('region_id')
    .orderBy('operator')
    .execute()
  return { items: rows.map((row) => ({ ...row, cadence: row.cadence as Cadence })) }
}

/** Selects the subscriptions of all users that cover the incidents of an operator in a region. */
export const selectSubscriptions = (store: Store, regionId: string, operator: string) =>
  store
    .selectFrom('subscription')
    .where('topic', '=', 'incidents')
    .where((row) => row.or([row('region_id', 'is', null), row('region_id', '=', regionId)]))
    .where((row) => row.or([row('operator', 'is', null), row('operator', '=', operator)]))

/**
 * Finds the other users who get e-mails about incidents of an operator: those with a subscription who may see
 * the region and the operator. Accounts of operators see nobody.
 */
export async function listIncidentRecipients(
  state: State,
  viewer: Viewer,
  { regionId, operator }: { regionId: string; operator: string },
): Promise<Colleagues> {
  await findRegion(state, viewer.scope, regionId)
  if (viewer.scope.operators) return { items: [], total: 0 }
  const store = state.as(viewer.scope)
  const users = await store
    .selectFrom('user')
    .select(['name', 'email', 'operators'])
    .where('id', '!=', viewer.userId)
    .where('disabled', '=', false)
    .where('id', 'in', selectSubscriptions(store, regionId, operator).select('user_id'))
    .where((user) =>
      user.or([
        user('allRegions', '=', true),
        user('id', 'in', store.selectFrom('user_region').select('user_id').where('region_id', '=', regionId)),
      ]),
    )
    .orderBy('name')
    .orderBy('email')
    .execute()
  const recipients = users
    .filter(({ operators }) => operators === null || operators.includes(operator))
    .map(({ name, email }) => ({ name: name || email, email }))
  return { items: recipients.slice(0, maxColleagues), total: recipients.length }
}

/** Adds, changes or (with cadence null) deletes a subscription of the viewer. Returns all that remain. */
export async function setIncidentSubscription(
  state: State,
  viewer: Viewer,
  { region_id, operator, cadence }: SubscriptionChange,
): Promise<{ items: IncidentSubscription[] }> {
  if (operator !== null && region_id === null)
    throw new Problem('validation_error', 'region_id: An operator belongs to one region.')
  if (operator !== null && !canReadOperator(viewer.scope, operator))
    throw new Problem('validation_error', `operator: There is no operator '${operator}'.`)
  if (region_id !== null) await findRegion(state, viewer.scope, region_id)
  await state
    .as(viewer.scope)
    .transaction()
    .execute(async (store) => {
      const existing = await store
        .selectFrom('subscription')
        .select('subscription_id')
        .where('topic', '=', 'incidents')
        .where('user_id', '=', viewer.userId)
        .where('region_id', region_id === null ? 'is' : '=', region_id)
        .where('operator', operator === null ? 'is' : '=', operator)
        .executeTakeFirst()
      if (cadence === null) {
        if (existing)
          await store
            .deleteFrom('subscription')
            .where('subscription_id', '=', existing.subscription_id)
            .execute()
      } else if (existing)
        await store
          .updateTable('subscription')
          .set({ cadence })
          .where('subscription_id', '=', existing.subscription_id)
          .execute()
      else
        await store
          .insertInto('subscription')
          .values({
            organization_id: viewer.organizationId,
            user_id: viewer.userId,
            topic: 'incidents',
            channel: 'email',
            region_id,
            operator,
            cadence,
          })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
    })
  return listIncidentSubscriptions(state, viewer)
}

/** Deletes the subscription with the token of a mail. The response is the same if there is none. */
export async function endIncidentSubscription(state: State, token: string): Promise<{ ended: boolean }> {
  await state
    .as(systemScope)
    .deleteFrom('subscription')
    .where('topic', '=', 'incidents')
    .where('token', '=', token)
    .execute()
  return { ended: true }
}
