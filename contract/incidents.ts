import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { incidentRuleNames, incidentSeverities } from './incident-rules.ts'
import { operatorSlug } from './operators.ts'
import { pageQuery, pageSchema } from './page.ts'
import { Colleagues } from './users.ts'

export const IncidentRuleName = z.enum(incidentRuleNames)

/** Steps of an incident in order. `worse`: the deviation grew by half since it was last reported. */
export const incidentSteps = ['opened', 'worse', 'closed', 'reopened', 'acknowledged', 'commented'] as const
export const IncidentStep = z
  .object({
    at: z.string(),
    step: z.enum(incidentSteps),
    value: z.number().nullable(),
    /** Email of the user; null for a step made by the rule. */
    by: z.string().nullable(),
    text: z.string().nullable(),
  })
  .meta({ id: 'IncidentStep' })
export type IncidentStep = z.infer<typeof IncidentStep>

export const Incident = z
  .object({
    incident_id: z.uuid(),
    region_id: z.string(),
    rule: IncidentRuleName,
    severity: z.enum(incidentSeverities),
    operator: z.string().nullable(),
    feed_id: z.uuid().nullable(),
    feed_name: z.string().nullable(),
    opened_time: z.string(),
    closed_time: z.string().nullable(),
    /** Current or last value of the figure, in the unit of the rule. */
    value: z.number().nullable(),
    /** Worst value of the figure. */
    worst: z.number().nullable(),
    acknowledged_by: z.string().nullable(),
    acknowledged_time: z.string().nullable(),
    steps: z.array(IncidentStep),
  })
  .meta({ id: 'Incident' })
export type Incident = z.infer<typeof Incident>

export const cadences = ['immediate', 'daily'] as const
export const Cadence = z.enum(cadences)
export type Cadence = z.infer<typeof Cadence>

/** A subscription to incidents by email. Null: all operators; all regions that the user may see. */
export const IncidentSubscription = z
  .object({
    subscription_id: z.uuid(),
    region_id: z.string().nullable(),
    operator: z.string().nullable(),
    cadence: Cadence,
  })
  .meta({ id: 'IncidentSubscription' })
export type IncidentSubscription = z.infer<typeof IncidentSubscription>

const regionParams = z.object({ region_id: z.string() })
const incidentParams = regionParams.extend({ incident_id: z.uuid() })
const incidentPath = '/regions/{region_id}/incidents/{incident_id}' as const
const target = {
  region_id: z.string().max(40).nullable().default(null),
  operator: operatorSlug.nullable().default(null),
}

export const listIncidents = endpoint({
  route: 'GET /regions/{region_id}/incidents',
  permission: 'signed_in',
  summary: 'Incidents of data health with their timelines, open ones first, then the newest',
  request: {
    params: regionParams,
    query: z.object({
      operator: operatorSlug.optional(),
      state: z.enum(['open', 'closed']).optional(),
      ...pageQuery(50),
    }),
  },
  response: pageSchema(Incident),
})
export const getIncident = endpoint({
  route: `GET ${incidentPath}`,
  permission: 'signed_in',
  summary: 'One incident with its timeline',
  request: { params: incidentParams },
  response: Incident,
})
export const acknowledgeIncident = endpoint({
  route: `POST ${incidentPath}/acknowledge`,
  permission: 'signed_in',
  summary: 'Acknowledge an incident',
  request: { params: incidentParams },
  response: Incident,
})
export const commentIncident = endpoint({
  route: `POST ${incidentPath}/comments`,
  permission: 'signed_in',
  summary: 'Add a comment to the timeline of an incident',
  request: { params: incidentParams, body: z.object({ text: z.string().trim().min(1).max(2000) }) },
  response: Incident,
})

export const listIncidentSubscriptions = endpoint({
  route: 'GET /incident_subscriptions',
  permission: 'signed_in',
  summary: 'Incident subscriptions of the user',
  request: {},
  response: z.object({ items: z.array(IncidentSubscription) }),
})
export const listIncidentRecipients = endpoint({
  route: 'GET /regions/{region_id}/incident_recipients',
  permission: 'signed_in',
  summary: 'Who else gets e-mails about incidents of an operator; accounts of operators see nobody',
  request: { params: regionParams, query: z.object({ operator: operatorSlug }) },
  response: Colleagues,
})
export const setIncidentSubscription = endpoint({
  route: 'POST /incident_subscriptions',
  prefixes: ['/v2'],
  permission: 'signed_in',
  changesOwnData: true,
  summary:
    'Subscribe to incidents by e-mail; a cadence of null unsubscribes. Without an operator: all of the region, without a region: all regions',
  request: { body: z.object({ ...target, cadence: Cadence.nullable() }) },
  response: z.object({ items: z.array(IncidentSubscription) }),
})
export const endIncidentSubscription = endpoint({
  route: 'POST /incident_subscriptions/unsubscribe',
  permission: 'public',
  summary: 'End a subscription with the token from the link in its e-mails',
  request: { body: z.object({ token: z.uuid() }) },
  response: z.object({ ended: z.boolean() }),
})
