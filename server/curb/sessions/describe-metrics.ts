import { startOfDay, endOfDay } from '#contract/civil-clock.ts'
import type { SourceKind } from '#contract/cds-events.ts'
import type { CurbMetricsResponse, CurbMetricsQuestion } from '#contract/curb-sessions.ts'
import { type LocalDay } from '#contract/period.ts'
import { listDirtyBetween, getPendingThresholds } from '#server/derived/dirty-spans.ts'
import type { Facts } from '#server/stores/facts.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import { bind, latest, type ScopedTable, type Sql, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { curbHours, settleCurbDaysMs } from '../product-names.ts'
import type { MetricsContext, MetricsSources } from './metrics-context.ts'
import { sourceCondition } from './queries/metrics.ts'

type MetricsDescription = Pick<
  CurbMetricsResponse,
  'sources' | 'coverage' | 'findings' | 'newest_event' | 'pending_days'
>

/** Describes the data of a response: sources, coverage, findings, freshness. `zones` is null for all zones. */
export async function describeMetrics(
  { state, facts }: MetricsSources,
  context: MetricsContext,
  question: CurbMetricsQuestion,
  zones: readonly string[] | null,
): Promise<MetricsDescription> {
  const conditions = getDescribedRows(context, question, zones)
  const [sources, watch, findings, measuredZones, zonesInForce, pendingDays] = await Promise.all([
    readSources(facts, context, conditions),
    readWatch(facts, context, conditions),
    readFindings(facts, context, conditions),
    countMeasuredZones(facts, context, conditions),
    countZones(state, context),
    countPendingDays(state, context, question),
  ])
  return {
    sources,
    coverage: {
      share: watch.watchedMs > 0 ? watch.onlineMs / watch.watchedMs : null,
      measured_zones: measuredZones,
      zones: zonesInForce,
    },
    findings,
    newest_event: await findNewestEvent(facts, context, { day: watch.newestDay, last: question.end_date }),
    pending_days: pendingDays,
  }
}

interface DescribedRows {
  /** The smallest table of sums with the necessary columns. */
  table: ScopedTable
  /** The condition for all rows of the region and period. */
  daysCondition: Sql
  /** The condition for the rows of the chosen source and zones. */
  condition: Sql
}

function getDescribedRows(
  { region }: MetricsContext,
  { start_date: first, end_date: last, source }: CurbMetricsQuestion,
  zones: readonly string[] | null,
): DescribedRows {
  const daysCondition = sql`region_id = ${bind('String', region.regionId)}
      and day >= ${bind('Date', first)}
      and day <= ${bind('Date', last)}`
  return {
    table: zones ? 'curb_zone_days' : 'curb_day_hours',
    daysCondition,
    condition: sql`${daysCondition}
      and ${sourceCondition(source)}
      ${zones ? sql`and zone_id in ${bind('Array(String)', zones)}` : sql``}`,
  }
}

/** Reads the numbers of sessions and events by source, of all zones. */
async function readSources(
  facts: Facts,
  { scope, signal }: MetricsContext,
  { daysCondition }: DescribedRows,
): Promise<MetricsDescription['sources']> {
  const rows = await facts.rows<{ source_kind: SourceKind; session_count: string; event_count: string }>(
    scope,
    sql`
    select
      source_kind,
      toString(sum(sessions)) as session_count,
      toString(sum(events)) as event_count
    from ${latest('curb_day_hours')}
    where ${daysCondition}
    group by source_kind
    order by source_kind`,
    { signal },
  )
  return rows.map((row) => ({
    source: row.source_kind,
    sessions: Number(row.session_count),
    events: Number(row.event_count),
  }))
}

/** Reads how long sources were online and watched, and the newest day with sums. */
async function readWatch(
  facts: Facts,
  { scope, signal }: MetricsContext,
  { table, condition }: DescribedRows,
): Promise<{ onlineMs: number; watchedMs: number; newestDay: LocalDay | null }> {
  const [row] = await facts.rows<{ online: string; watched: string; newest: LocalDay }>(
    scope,
    sql`
    select
      toString(sum(online_ms)) as online,
      toString(sum(watch_ms)) as watched,
      toString(max(day)) as newest
    from ${latest(table)}
    where ${condition}`,
    { signal },
  )
  return {
    onlineMs: Number(row?.online ?? 0),
    watchedMs: Number(row?.watched ?? 0),
    // Without rows, the maximum is the first day of 1970.
    newestDay: row && row.newest > '1971' ? row.newest : null,
  }
}

/** Counts the problems of sessions by kind. */
async function readFindings(
  facts: Facts,
  { scope, signal }: MetricsContext,
  { table, condition }: DescribedRows,
): Promise<MetricsDescription['findings']> {
  const rows = await facts.rows<{ problem: string; finding_count: string }>(
    scope,
    sql`
    select
      arrayJoin(problem_kinds) as problem,
      toString(count()) as finding_count
    from ${latest(table)}
    where ${condition}
    group by problem
    order by problem`,
    { signal },
  )
  return rows.map((row) => ({ problem: row.problem, count: Number(row.finding_count) }))
}

/** Counts the zones with known capacity for a time. */
async function countMeasuredZones(
  facts: Facts,
  { scope, signal }: MetricsContext,
  { condition }: DescribedRows,
): Promise<number> {
  const [row] = await facts.rows<{ zone_count: string }>(
    scope,
    sql`
    select toString(uniqExact(zone_id)) as zone_count
    from ${latest('curb_zone_days')}
    where ${condition} and space_ms > 0`,
    { signal },
  )
  return Number(row?.zone_count ?? 0)
}

/** Counts the zones that have not ended. */
async function countZones(state: State, { scope, region }: MetricsContext): Promise<number> {
  const row = await state
    .as(scope)
    .selectFrom('curb_zone')
    .select(({ fn }) => fn.countAll<string>().as('zone_count'))
    .where('region_id', '=', region.regionId)
    .where('end_time', 'is', null)
    .executeTakeFirst()
  return Number(row?.zone_count ?? 0)
}

/** Counts the days with outdated sums. */
async function countPendingDays(
  state: State,
  { scope, region: { regionId }, at }: MetricsContext,
  { start_date: first, end_date: last }: CurbMetricsQuestion,
): Promise<number> {
  const owner = { product: curbHours, regionId, parts: [''] }
  const thresholds = getPendingThresholds(settleCurbDaysMs, at.getTime())
  return (await listDirtyBetween(state, scope, owner, { first, last, due: thresholds })).length
}

/** Finds the time of the newest event from the newest day with sums on. */
async function findNewestEvent(
  facts: Facts,
  { scope, region: { regionId, timezone }, signal }: MetricsContext,
  { day, last }: { day: LocalDay | null; last: LocalDay },
): Promise<string | null> {
  if (day === null) return null
  const [row] = await facts.rows<{ at: string }>(
    scope,
    sql`
    select toString(toUnixTimestamp64Milli(max(event_time))) as at
    from ${latest('curb_events')}
    where region_id = ${bind('String', regionId)}
      and event_time >= ${toDateTime(startOfDay(day, timezone))}
      and event_time < ${toDateTime(endOfDay(last, timezone))}`,
    { signal },
  )
  return row && Number(row.at) > 0 ? new Date(Number(row.at)).toISOString() : null
}
