import { regionScope } from '#server/identity/scope.ts'
import type { NotificationKind } from '#server/notifications/notification.ts'
import { canReceive } from '#server/notifications/recipient.ts'
import type { State } from '#server/stores/state.ts'
import { composeIncidentMail } from './incident-mail.ts'

/** The stored payload of a notification: a step of an incident. */
export interface IncidentPayload {
  step_id: string
}

export const incidentKindName = 'data_health.incident'

/** Creates the kind of notification for steps of incidents: opened, reopened, closed. */
export const createIncidentKind = (state: State): NotificationKind => ({
  name: incidentKindName,
  async composeMail(payloads, { recipient, organizationId, region, publicUrl, token, isDigest }) {
    const allSteps = await state
      .as(regionScope(organizationId, region.regionId))
      .selectFrom('incident_step')
      .innerJoin('incident', 'incident.incident_id', 'incident_step.incident_id')
      .leftJoin('feed', 'feed.feed_id', 'incident.feed_id')
      .select([
        'incident_step.step',
        'incident_step.at',
        'incident_step.value',
        'incident_step.text',
        'incident.rule',
        'incident.operator',
        'incident.opened_time as opened',
        'feed.name as feed',
      ])
      .where(
        'incident_step.step_id',
        'in',
        payloads.map((payload) => (payload as IncidentPayload).step_id),
      )
      .orderBy('incident_step.number')
      .execute()
    const steps = allSteps.filter(({ operator }) => canReceive(recipient, operator))
    if (!steps.length) return null
    return composeIncidentMail(region, steps, {
      link: `${publicUrl}/${region.regionId}/mobility/data-health`,
      unsubscribeLink: `${publicUrl}/unsubscribe/${token ?? ''}`,
      isDigest,
      language: recipient.language,
    })
  },
})
