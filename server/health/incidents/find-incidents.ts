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

const iso = (time: Date | null): string | null => time?.toISOString() ?? null

const rowsOf = (state: State, scope: Scope, regionId: string) => {
  const all = state
    .as(scope)
    .selectFrom('incident')
    .leftJoin('feed', 'feed.feed_id', 'incident.feed_id')
    .where('incident.region_id', '=', regionId)
  return scope.operators
    ? all.where('incident.operator', 'in', scope.operators.length ? [...scope.operators] : [''])
    : all
}
type Row = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number]
const selected = (of: ReturnType<typeof rowsOf>) => of.selectAll('incident').select('feed.name as feed_name')

/** Adds the steps. Comments are internal to the city: viewers limited to some operators do not see them. */
async function withSteps(state: State, scope: Scope, rows: readonly Row[]): Promise<Incident[]> {
  if (!rows.length) return []
  const found = await state
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
  const steps = found.filter(({ step }) => step !== 'commented' || !scope.operators)
  return rows.map((row) => ({
    incident_id: row.incident_id,
    region_id: row.region_id,
    rule: row.rule as IncidentRule,
    severity: incidentRules[row.rule as IncidentRule].severity,
    operator: row.operator,
    feed_id: row.feed_id,
    feed_name: row.feed_name,
    opened_time: row.opened_time.toISOString(),
    closed_time: iso(row.closed_time),
    value: row.value,
    worst: row.worst,
    acknowledged_by: row.acknowledged_by,
    acknowledged_time: iso(row.acknowledged_time),
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

/** Incidents of a region that a viewer may see: open ones first, then the newest. */
export async function findIncidents(
  state: State,
  scope: Scope,
  regionId: string,
  { operator, state: which, page, size }: IncidentQuery,
): Promise<{ items: Incident[]; total: number; page: number; size: number }> {
  await findRegion(state, scope, regionId)
  let rows = rowsOf(state, scope, regionId)
  if (operator !== undefined) rows = rows.where('incident.operator', '=', operator)
  if (which) rows = rows.where('incident.closed_time', which === 'open' ? 'is' : 'is not', null)
  const [found, { total }] = await Promise.all([
    selected(rows)
      .orderBy('incident.closed_time', (by) => by.desc().nullsFirst())
      .orderBy('incident.opened_time', 'desc')
      .orderBy('incident.incident_id')
      .limit(size)
      .offset((page - 1) * size)
      .execute(),
    rows.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { items: await withSteps(state, scope, found), total: Number(total), page, size }
}

/** One incident of a region that a viewer may see. */
export async function findIncident(
  state: State,
  scope: Scope,
  { region_id, incident_id }: { region_id: string; incident_id: string },
): Promise<Incident> {
  const rows = await selected(rowsOf(state, scope, region_id))
    .where('incident.incident_id', '=', incident_id)
    .execute()
  const [found] = await withSteps(state, scope, rows)
  if (!found) throw new Problem('not_found', 'There is no such incident.')
  return found
}
