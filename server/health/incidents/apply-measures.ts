import { type IncidentRule, incidentRuleNames, reopenHours } from '#contract/incident-rules.ts'
import { hourMs } from '#contract/period.ts'
import { publishEvent } from '#server/notifications/events/publish-event.ts'
import type { HealthRegion } from '../health-region.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { Measure } from './measure.ts'
import { queueIncident } from './queue-incident.ts'
import { ruleLimits, pickWorse, isMuchWorse, hasRecovered, isViolated, type RuleLimits } from './rules.ts'
import { feedGoneText } from './incident-texts.ts'

/**
 * The state of the incident of a rule and subject. `notified`: the figure of its last notification. `closed`:
 * it was closed recently. `none`: there is none, or it was closed longer ago.
 */
type IncidentStatus = { state: 'open'; notified: number | null } | { state: 'closed' } | { state: 'none' }

/** What to do with the incident. `update` records the figure of an open one without a notification. */
type Decision = 'open' | 'reopen' | 'worsen' | 'update' | 'close' | 'nothing'

/** Decides by the current figure. Null means that it cannot be computed, which opens and closes nothing. */
export function decideIncident(limits: RuleLimits, value: number | null, status: IncidentStatus): Decision {
  if (status.state === 'open') {
    if (value === null) return 'update'
    if (hasRecovered(limits, value)) return 'close'
    return status.notified !== null &&
      isViolated(limits, value) &&
      isMuchWorse(limits, value, status.notified)
      ? 'worsen'
      : 'update'
  }
  if (value === null || !isViolated(limits, value)) return 'nothing'
  return status.state === 'closed' ? 'reopen' : 'open'
}

/** A stored incident that is open or was closed recently. */
interface KnownIncident {
  incident_id: string
  rule: string
  subject: string
  operator: string
  closed_time: Date | null
  worst: number | null
  notified: number | null
}

const getSubject = ({ feedId, operator }: Measure): string => feedId ?? operator
const isRule = (name: string): name is IncidentRule => (incidentRuleNames as readonly string[]).includes(name)

const downSteps: readonly string[] = ['opened', 'reopened']
/** A violation of these rules means that the feed is down. */
const downRules: readonly string[] = ['feed_failing', 'feed_late'] satisfies IncidentRule[]

/** Notifies webhooks that a feed is down or has recovered; other incidents and steps have no event. */
async function publishFeedEvent(
  store: Store,
  { regionId }: HealthRegion,
  { incidentId, step, at }: { incidentId: string; step: Step['step']; at: Date },
): Promise<void> {
  if (step !== 'closed' && !downSteps.includes(step)) return
  const incident = await store
    .selectFrom('incident')
    .select(['rule', 'operator', 'feed_id'])
    .where('incident_id', '=', incidentId)
    .executeTakeFirst()
  if (!incident?.feed_id || !downRules.includes(incident.rule)) return
  const { rule, operator, feed_id } = incident
  const data = { feed_id, operator, incident_id: incidentId, rule }
  const type = step === 'closed' ? 'feed.recovered' : 'feed.down'
  await publishEvent(store, { type, regionId, operator, data }, at)
}

/** A step of an incident. Its value is the figure; the text explains a step without one. */
interface Step {
  step: 'opened' | 'worse' | 'closed' | 'reopened'
  value: number | null
  text?: string
  at: Date
}

/** Stores a step and queues its mails and webhook events. */
async function addStep(
  store: Store,
  region: HealthRegion,
  { incident_id, operator }: Pick<KnownIncident, 'incident_id' | 'operator'>,
  { step, value, text, at }: Step,
): Promise<void> {
  const { step_id: stepId } = await store
    .insertInto('incident_step')
    .values({ incident_id, region_id: region.regionId, at, step, value, text: text ?? null })
    .returning('step_id')
    .executeTakeFirstOrThrow()
  if (step !== 'worse') await queueIncident(store, region, { operator, stepId, at })
  await publishFeedEvent(store, region, { incidentId: incident_id, step, at })
}

/** Opens the incident of a figure. Does nothing if another process has opened it meanwhile. */
async function openIncident(store: Store, region: HealthRegion, measure: Measure, at: Date): Promise<void> {
  const { value, rule, operator, feedId } = measure
  const row = {
    region_id: region.regionId,
    rule,
    operator,
    feed_id: feedId,
    subject: getSubject(measure),
    opened_time: at,
    value,
    worst: value,
    notified: value,
  }
  const insertedRow = await store
    .insertInto('incident')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('incident_id')
    .executeTakeFirst()
  if (insertedRow) await addStep(store, region, { ...insertedRow, operator }, { step: 'opened', value, at })
}

/** Changes an incident. Does nothing if another process has made the same change meanwhile. */
async function changeIncident(
  store: Store,
  region: HealthRegion,
  incident: KnownIncident,
  { decision, measure, at }: { decision: Exclude<Decision, 'open' | 'nothing'>; measure: Measure; at: Date },
): Promise<void> {
  const { value } = measure
  const worst =
    value === null || incident.worst === null
      ? (incident.worst ?? value)
      : pickWorse(ruleLimits[measure.rule], incident.worst, value)
  const newValues = {
    update: { value, worst },
    worsen: { value, worst, notified: value },
    close: { value, closed_time: at },
    reopen: {
      value,
      worst,
      notified: value,
      closed_time: null,
      acknowledged_by: null,
      acknowledged_time: null,
    },
  }[decision]
  const changedRow = await store
    .updateTable('incident')
    .set(newValues)
    .where('incident_id', '=', incident.incident_id)
    .where('closed_time', decision === 'reopen' ? 'is not' : 'is', null)
    .returning('incident_id')
    .executeTakeFirst()
  const step = ({ update: null, worsen: 'worse', close: 'closed', reopen: 'reopened' } as const)[decision]
  if (changedRow && step) await addStep(store, region, incident, { step, value, at })
}

function getStatus(incident: KnownIncident | undefined): IncidentStatus {
  if (!incident) return { state: 'none' }
  return incident.closed_time ? { state: 'closed' } : { state: 'open', notified: incident.notified }
}

async function applyMeasure(
  store: Store,
  region: HealthRegion,
  { measure, incident, at }: { measure: Measure; incident: KnownIncident | undefined; at: Date },
): Promise<void> {
  const decision = decideIncident(ruleLimits[measure.rule], measure.value, getStatus(incident))
  if (decision === 'nothing' || (decision === 'update' && measure.value === null)) return
  if (decision === 'open') await openIncident(store, region, measure, at)
  else if (incident) await changeIncident(store, region, incident, { decision, measure, at })
}

/**
 * Opens, updates and closes the incidents of a region by the current figures. An incident without a measure
 * is closed: its feed was switched off or deleted.
 */
export async function applyMeasures(
  state: State,
  region: HealthRegion,
  measures: readonly Measure[],
  at: Date,
): Promise<void> {
  await state
    .as(region.scope)
    .transaction()
    .execute(async (store) => {
      const knownIncidents: KnownIncident[] = await store
        .selectFrom('incident')
        .select(['incident_id', 'rule', 'subject', 'operator', 'closed_time', 'worst', 'notified'])
        .where('region_id', '=', region.regionId)
        .where((where) =>
          where.or([
            where('closed_time', 'is', null),
            where('closed_time', '>=', new Date(at.getTime() - reopenHours * hourMs)),
          ]),
        )
        .orderBy('opened_time', 'desc')
        .execute()
      const findKnown = (rule: string, subject: string): KnownIncident | undefined =>
        knownIncidents.find(
          (incident) => incident.rule === rule && incident.subject === subject && !incident.closed_time,
        ) ?? knownIncidents.find((incident) => incident.rule === rule && incident.subject === subject)
      for (const measure of measures)
        await applyMeasure(store, region, {
          measure,
          incident: findKnown(measure.rule, getSubject(measure)),
          at,
        })
      const measured = new Set(measures.map((measure) => `${measure.rule} ${getSubject(measure)}`))
      for (const incident of knownIncidents) {
        if (
          incident.closed_time ||
          (isRule(incident.rule) && measured.has(`${incident.rule} ${incident.subject}`))
        )
          continue
        const closedRow = await store
          .updateTable('incident')
          .set({ closed_time: at })
          .where('incident_id', '=', incident.incident_id)
          .where('closed_time', 'is', null)
          .returning('incident_id')
          .executeTakeFirst()
        if (closedRow)
          await addStep(store, region, incident, { step: 'closed', value: null, text: feedGoneText, at })
      }
    })
}
