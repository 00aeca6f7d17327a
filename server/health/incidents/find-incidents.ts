import { countTotal } from '#server/stores/list-query.ts'
import type { Incident, IncidentStep } from '#contract/incidents.ts'
import { type IncidentRule, incidentRules } from '#contract/incident-rules.ts'
import { Problem } from '#server/http/problem.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

export interface IncidentQuery {
  operator?: string | undefined
  state?: 'open' | 'closed' | undefined
  page: number
  size: number
}

const toIso = (time: Date | null): string | null => time?.toISOString() ?? null

const queryVisibleIncidents = (state: State, scope: Scope, regionId: string) => {
  const incidents = state
    .as(scope)
    .selectFrom('incident')
    .leftJoin('feed', 'feed.feed_id', 'incident.feed_id')
    .where('incident.region_id', '=', regionId)
  return scope.operators
    ? incidents.where('incident.operator', 'in', scope.operators.length ? [...scope.operators] : [''])
    : incidents
}
const selectColumns = (incidents: ReturnType<typeof queryVisibleIncidents>) =>
  incidents.selectAll('incident').select('feed.name as feed_name')
type IncidentRow = Awaited<ReturnType<ReturnType<typeof selectColumns>['execute']>>[number]

/** Adds the steps of incidents. Comments are internal to the city: accounts of operators do not see them. */
async function addSteps(state: State, scope: Scope, rows: readonly IncidentRow[]): Promise<Incident[]> {
  if (!rows.length) return []
  const allSteps = await state
    .as(scope)
    .selectFrom('incident_step')
    .selectAll()
    .where(
      'incident_id',
      'in',
      rows.map((row) => row.incident_id),
    )
    .orderBy('number')
    .execute()
  const steps = allSteps.filter(({ step }) => step !== 'commented' || !scope.operators)
  return rows.map((row) => ({
    incident_id: row.incident_id,
    region_id: row.region_id,
    rule: row.rule as IncidentRule,
    severity: incidentRules[row.rule as IncidentRule].severity,
    operator: row.operator,
    feed_id: row.feed_id,
    feed_name: row.feed_name,
    opened_time: row.opened_time.toISOString(),
    closed_time: toIso(row.closed_time),
    value: row.value,
    worst: row.worst,
    acknowledged_by: row.acknowledged_by,
    acknowledged_time: toIso(row.acknowledged_time),
    steps: steps
      .filter((step) => step.incident_id === row.incident_id)
      .map((step) => ({
        at: step.at.toISOString(),
        step: step.step as IncidentStep['step'],
        value: step.value,
        by: step.by_email,
        text: step.text,
      })),
  }))
}

/** Returns a page of the incidents of a region that the viewer may see: open ones first, then the newest. */
export async function listIncidents(
  state: State,
  scope: Scope,
  regionId: string,
  { operator, state: incidentState, page, size }: IncidentQuery,
): Promise<{ items: Incident[]; total: number; page: number; size: number }> {
  await findRegion(state, scope, regionId)
  let incidents = queryVisibleIncidents(state, scope, regionId)
  if (operator !== undefined) incidents = incidents.where('incident.operator', '=', operator)
  if (incidentState)
    incidents = incidents.where('incident.closed_time', incidentState === 'open' ? 'is' : 'is not', null)
  const [rows, total] = await Promise.all([
    selectColumns(incidents)
      .orderBy('incident.closed_time', (by) => by.desc().nullsFirst())
      .orderBy('incident.opened_time', 'desc')
      .orderBy('incident.incident_id')
      .limit(size)
      .offset((page - 1) * size)
      .execute(),
    countTotal(incidents),
  ])
  return { items: await addSteps(state, scope, rows), total, page, size }
}

/** Finds an incident that the viewer may see. @throws Problem `not_found`. */
export async function findIncident(
  state: State,
  scope: Scope,
  { region_id, incident_id }: { region_id: string; incident_id: string },
): Promise<Incident> {
  const rows = await selectColumns(queryVisibleIncidents(state, scope, region_id))
    .where('incident.incident_id', '=', incident_id)
    .execute()
  const [incident] = await addSteps(state, scope, rows)
  if (!incident) throw new Problem('not_found', 'There is no such incident.')
  return incident
}
