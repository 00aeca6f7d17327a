import type * as contract from '#contract/incidents.ts'
import type { Incident } from '#contract/incidents.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import type { State } from '#server/stores/state.ts'
import { findIncident } from './find-incidents.ts'

/**
 * Assigns an open incident to the viewer, unless it is assigned.
 * @throws Problem `conflict` if it is closed.
 */
export async function acknowledgeIncident(
  state: State,
  { viewer: { scope, email }, params, at }: Call<typeof contract.acknowledgeIncident>,
): Promise<Incident> {
  const incident = await findIncident(state, scope, params)
  if (incident.closed_time) throw new Problem('conflict', 'The incident is closed, so it cannot be assigned.')
  await state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      const changed = await store
        .updateTable('incident')
        .set({ acknowledged_by: email, acknowledged_time: at })
        .where('incident_id', '=', params.incident_id)
        .where('region_id', '=', params.region_id)
        .where('acknowledged_by', 'is', null)
        .returning('incident_id')
        .executeTakeFirst()
      if (changed)
        await store
          .insertInto('incident_step')
          .values({
            incident_id: params.incident_id,
            region_id: params.region_id,
            at,
            step: 'acknowledged',
            value: null,
            by_email: email,
          })
          .execute()
    })
  return findIncident(state, scope, params)
}

/** Adds a comment to the timeline of an open or closed incident. */
export async function commentIncident(
  state: State,
  { viewer: { scope, email }, params, body: { text }, at }: Call<typeof contract.commentIncident>,
): Promise<Incident> {
  await findIncident(state, scope, params)
  await state
    .as(scope)
    .insertInto('incident_step')
    .values({
      incident_id: params.incident_id,
      region_id: params.region_id,
      at,
      step: 'commented',
      value: null,
      by_email: email,
      text,
    })
    .execute()
  return findIncident(state, scope, params)
}
