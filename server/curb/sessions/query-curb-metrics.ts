import type {
  CurbDimension,
  CurbMeasure,
  CurbMetricsAnswer,
  CurbMetricsQuestion,
  CurbSource,
} from '#contract/curb-sessions.ts'
import type { SourceKind } from '#contract/cds-events.ts'
import { dayFromNumber, dayNumber, hoursOfRange, isFullDay, type LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { startOfDay } from '#contract/civil-clock.ts'
import { listDirtyBetween, pendingThresholds } from '#server/derived/dirty-spans.ts'
import { Problem } from '#server/http/problem.ts'
import type { Facts } from '#server/stores/facts.ts'
import { instant } from '#server/stores/instant.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, joinSql, latest, type ScopedTable, type Sql, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { curbHours, settleCurbDaysMs } from '../product-names.ts'

interface Sources {
  state: State
  facts: Facts
}

interface MetricsContext {
  scope: Scope
  region: Region
  at: Date
  signal: AbortSignal
}

/** Maximum number of groups in a response. */
const maxRows = 50_000

type Period = Pick<CurbMetricsQuestion, 'start_date' | 'end_date'>
/** Zone ids by area id. */
type Areas = ReadonlyMap<string, readonly string[]>

const classDimensions: readonly CurbDimension[] = ['vehicle_type', 'purpose']
const placeDimensions: readonly CurbDimension[] = ['zone', 'area']

/**
 * An SQL expression for the ids of the areas of a zone. Several ids are passed joined by newlines, as
 * `transform` has scalar results.
 */
function areasOfZone(areas: Areas): Sql {
  const zones = new Map<string, string[]>()
  for (const [area, ids] of areas) for (const id of ids) zones.set(id, [...(zones.get(id) ?? []), area])
  if (!zones.size) return sql`['']`
  return sql`splitByChar('\n', transform(toString(zone_id), ${bind('Array(String)', [...zones.keys()])}, ${bind(
    'Array(String)',
    [...zones.values()].map((each) => each.join('\n')),
  )}, ''))`
}

function keyExpression(dimension: CurbDimension, areas: Areas): Sql {
  switch (dimension) {
    case 'hour':
      return sql`concat(toString(day), 'T', leftPad(toString(hour_of_day), 2, '0'))`
    case 'day':
      return sql`toString(day)`
    case 'week':
      return sql`toString(toMonday(day))`
    case 'month':
      return sql`toString(toStartOfMonth(day))`
    case 'hour_of_day':
      return sql`toString(hour_of_day)`
    case 'day_of_week':
      return sql`toString(toDayOfWeek(day))`
    case 'zone':
      return sql`toString(zone_id)`
    case 'area':
      return sql`arrayJoin(${areasOfZone(areas)})`
    case 'vehicle_type':
    case 'purpose':
      return dimension === 'purpose' ? sql`toString(purpose)` : sql`toString(vehicle_type)`
  }
}

/** The condition for rows of one kind of source, or of the best source at each zone (`measured`). */
const sourceCondition = (source: CurbSource): Sql =>
  source === 'measured' ? sql`is_measured = 1` : sql`source_kind = ${bind('String', source)}`

const inList = (column: Sql, values: readonly string[]): Sql[] =>
  values.length ? [sql`${column} in ${bind('Array(String)', values)}`] : []

function rowCondition(
  question: CurbMetricsQuestion,
  period: Period,
  regionId: string,
  zones: readonly string[] | null,
): Sql {
  return joinSql(
    [
      sql`region_id = ${bind('String', regionId)}`,
      sql`day >= ${bind('Date', period.start_date)} and day <= ${bind('Date', period.end_date)}`,
      sourceCondition(question.source),
      ...(question.days.length ? [sql`toDayOfWeek(day) in ${bind('Array(UInt8)', question.days)}`] : []),
      ...(isFullDay(question.hour_filters)
        ? []
        : [sql`hour_of_day in ${bind('Array(UInt8)', hoursOfRange(question.hour_filters))}`]),
      ...(zones ? [sql`zone_id in ${bind('Array(String)', zones)}`] : []),
    ],
    ' and ',
  )
}

const classCondition = ({ vehicle_types, purposes }: CurbMetricsQuestion): Sql => {
  const conditions = [...inList(sql`vehicle_type`, vehicle_types), ...inList(sql`purpose`, purposes)]
  return conditions.length ? sql`and ${joinSql(conditions, ' and ')}` : sql``
}

interface SessionSums {
  keys: string[]
  sessions: string
  dwell_count: string
  dwell_ms: string
  dwell_quantiles: [number, number]
  double_parked: string
  unpermitted: string
  overstays: string
  early_returns: string
  events: string
  problems: string
  amount: string
  occupied_ms: string
  covered_sessions: string
}
interface CapacitySums {
  keys: string[]
  space_ms: string
}

const keyColumns = (dimensions: readonly CurbDimension[], areas: Areas): Sql =>
  dimensions.length
    ? sql`[${joinSql(
        dimensions.map((dimension) => keyExpression(dimension, areas)),
        ', ',
      )}]`
    : sql`emptyArrayString()`

/** Groups the rows of a table by the keys of dimensions. */
const groupByKeys = (columns: Sql, table: ScopedTable, keys: Sql, where: Sql): Sql => sql`
  select keys, ${columns}
  from (
    select *, ${keys} as keys
    from ${latest(table)}
    where ${where}
  )
  group by keys
  limit ${bind('UInt32', maxRows + 1)}`

const sessionColumns = (needsQuantiles: boolean): Sql => sql`
  toString(sum(sessions)) as sessions, toString(sum(length(dwells))) as dwell_count, toString(sum(dwell_ms)) as dwell_ms,
  ${needsQuantiles ? sql`quantilesExactInclusiveArray(0.5, 0.9)(dwells)` : sql`[0, 0]`} as dwell_quantiles,
  toString(sum(double_parked)) as double_parked, toString(sum(unpermitted)) as unpermitted, toString(sum(overstays)) as overstays,
  toString(sum(early_returns)) as early_returns, toString(sum(events)) as events,
  toString(sum(problems)) as problems, toString(sum(amount)) as amount, toString(sum(occupied_ms)) as occupied_ms,
  toString(sum(covered_sessions)) as covered_sessions`

interface GroupSums {
  sessions: SessionSums | undefined
  capacity: CapacitySums | undefined
}

const ratio = (numerator: number, denominator: number): number | null =>
  denominator > 0 ? numerator / denominator : null

const measureValues: Readonly<Record<CurbMeasure, (sums: GroupSums) => number | null>> = {
  sessions: ({ sessions }) => Number(sessions?.sessions ?? 0),
  turnover: ({ sessions, capacity }) =>
    ratio(Number(sessions?.covered_sessions ?? 0), Number(capacity?.space_ms ?? 0) / 3_600_000),
  dwell_mean: ({ sessions }) =>
    ratio(Number(sessions?.dwell_ms ?? 0) / 1000, Number(sessions?.dwell_count ?? 0)),
  dwell_median: ({ sessions }) =>
    Number(sessions?.dwell_count ?? 0) > 0 ? (sessions?.dwell_quantiles[0] ?? null) : null,
  dwell_p90: ({ sessions }) =>
    Number(sessions?.dwell_count ?? 0) > 0 ? (sessions?.dwell_quantiles[1] ?? null) : null,
  occupancy: ({ sessions, capacity }) =>
    ratio(Number(sessions?.occupied_ms ?? 0), Number(capacity?.space_ms ?? 0)),
  double_parked: ({ sessions }) => Number(sessions?.double_parked ?? 0),
  unpermitted: ({ sessions }) => Number(sessions?.unpermitted ?? 0),
  overstays: ({ sessions }) => Number(sessions?.overstays ?? 0),
  early_returns: ({ sessions }) => Number(sessions?.early_returns ?? 0),
  events: ({ sessions }) => Number(sessions?.events ?? 0),
  revenue: ({ sessions }) => Number(sessions?.amount ?? 0),
  problems: ({ sessions }) => Number(sessions?.problems ?? 0),
}
const quantileMeasures: readonly CurbMeasure[] = ['dwell_median', 'dwell_p90']
const spaceMeasures: readonly CurbMeasure[] = ['turnover', 'occupancy']

/** The smallest table with the necessary columns. */
function chooseTable(
  { hour_filters }: CurbMetricsQuestion,
  dimensions: readonly CurbDimension[],
  hasZoneFilter: boolean,
): ScopedTable {
  if (!hasZoneFilter && !dimensions.some((each) => placeDimensions.includes(each))) return 'curb_day_hours'
  const needsHours = !isFullDay(hour_filters) || dimensions.some((each) => each.startsWith('hour'))
  return needsHours ? 'curb_hours' : 'curb_zone_days'
}

/** The values of the requested measures by the keys of some dimensions, sorted by key. */
async function readGroups(
  facts: Facts,
  { scope, region, signal }: MetricsContext,
  question: CurbMetricsQuestion,
  period: Period,
  dimensions: readonly CurbDimension[],
  { areas, zones }: { areas: Areas; zones: readonly string[] | null },
): Promise<CurbMetricsAnswer['period']['rows']> {
  const { measures } = question
  const where = rowCondition(question, period, region.regionId, zones)
  const classes = classCondition(question)
  const table = chooseTable(question, dimensions, zones !== null)
  const dimensionsWithCapacity = dimensions.filter((each) => !classDimensions.includes(each))
  const needsQuantiles = measures.some((each) => quantileMeasures.includes(each))
  const needsSpaces = measures.some((each) => spaceMeasures.includes(each))
  const read = <Row>(query: Sql): Promise<Row[]> => facts.rows<Row>(scope, query, { signal })
  const [sessions, capacities] = await Promise.all([
    read<SessionSums>(
      groupByKeys(
        sessionColumns(needsQuantiles),
        table,
        keyColumns(dimensions, areas),
        sql`${where} ${classes}`,
      ),
    ),
    // Capacity has no vehicle types and purposes, because all vehicles share the spaces.
    needsSpaces
      ? read<CapacitySums>(
          groupByKeys(
            sql`toString(sum(space_ms)) as space_ms`,
            table,
            keyColumns(dimensionsWithCapacity, areas),
            where,
          ),
        )
      : [],
  ])
  if ([sessions, capacities].some((rows) => rows.length > maxRows))
    throw new Problem(
      'bad_request',
      `A response contains at most ${maxRows} groups. Choose fewer dimensions.`,
    )
  const toKey = (keys: readonly string[]): string => keys.join('\t')
  const bySession = new Map(sessions.map((row) => [toKey(row.keys), row]))
  const byCapacity = new Map(capacities.map((row) => [toKey(row.keys), row]))
  const hasCapacityOnly = dimensionsWithCapacity.length === dimensions.length
  const keys = new Map(
    [...sessions, ...(hasCapacityOnly ? capacities : [])].map((row) => [toKey(row.keys), row.keys]),
  )
  return [...keys]
    .toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([key, groupKeys]) => {
      const capacityKey = toKey(
        groupKeys.filter((_, index) => !classDimensions.includes(dimensions[index] as CurbDimension)),
      )
      const sums: GroupSums = {
        sessions: bySession.get(key),
        capacity: byCapacity.get(capacityKey),
      }
      return { keys: groupKeys, values: measures.map((measure) => measureValues[measure](sums)) }
    })
}

/** The zone ids of each area of a region, by area id. */
export async function findCurbAreas(state: State, scope: Scope, regionId: string): Promise<Areas> {
  const rows = await state
    .as(scope)
    .selectFrom('curb_place')
    .select(['place_id', 'record'])
    .where('region_id', '=', regionId)
    .where('kind', '=', 'area')
    // The newest record of an area counts.
    .orderBy('start_time')
    .execute()
  return new Map(
    rows.map(({ place_id, record }) => {
      const { curb_zone_ids: zones } = record as { curb_zone_ids?: unknown }
      return [place_id, Array.isArray(zones) ? zones.filter((each) => typeof each === 'string') : []]
    }),
  )
}

/** Refuses viewers of one operator, because curb sessions are those of all vehicles. */
export function refuseOperators({ operators }: Scope): void {
  if (operators) throw new Problem('forbidden', 'Sessions at the curb are not shown to operators.')
}

/** The requested measures of curb sessions, with a comparison period and a description of the data. */
export async function queryCurbMetrics(
  { state, facts }: Sources,
  context: MetricsContext,
  question: CurbMetricsQuestion,
): Promise<CurbMetricsAnswer> {
  const { scope, region } = context
  refuseOperators(scope)
  const areas = await findCurbAreas(state, scope, region.regionId)
  const zones =
    question.zones.length || question.areas.length
      ? [...new Set([...question.zones, ...question.areas.flatMap((area) => areas.get(area) ?? [])])]
      : null
  const places = { areas, zones }
  const readPeriod = async (period: Period): Promise<CurbMetricsAnswer['period']> => {
    const [rows, totals] = await Promise.all([
      question.dimensions.length
        ? readGroups(facts, context, question, period, question.dimensions, places)
        : [],
      readGroups(facts, context, question, period, [], places),
    ])
    const empty: GroupSums = { sessions: undefined, capacity: undefined }
    return {
      start_date: period.start_date,
      end_date: period.end_date,
      rows,
      totals: totals[0]?.values ?? question.measures.map((measure) => measureValues[measure](empty)),
    }
  }
  const { compare_start_date: start, compare_end_date: end } = question
  const [period, comparison, description] = await Promise.all([
    readPeriod(question),
    start && end ? readPeriod({ start_date: start, end_date: end }) : null,
    describeData({ state, facts }, context, question, zones),
  ])
  return { period, comparison, ...description }
}

/** Describes the data behind a response: sources, coverage, findings and freshness. */
async function describeData(
  { state, facts }: Sources,
  { scope, region: { regionId, timezone }, at, signal }: MetricsContext,
  { start_date: first, end_date: last, source }: CurbMetricsQuestion,
  zones: readonly string[] | null,
): Promise<Pick<CurbMetricsAnswer, 'sources' | 'coverage' | 'findings' | 'newest_event' | 'pending_days'>> {
  const days = sql`region_id = ${bind('String', regionId)} and day >= ${bind('Date', first)} and day <= ${bind('Date', last)}`
  const zoneCondition = zones ? sql`and zone_id in ${bind('Array(String)', zones)}` : sql``
  const until = startOfDay(dayFromNumber(dayNumber(last) + 1), timezone)
  const table: ScopedTable = zones ? 'curb_zone_days' : 'curb_day_hours'
  const [sources, [watch], found, [measured], inForce, dirty] = await Promise.all([
    facts.rows<{ source_kind: SourceKind; n: string; m: string }>(
      scope,
      sql`select source_kind, toString(sum(sessions)) as n, toString(sum(events)) as m from ${latest('curb_day_hours')} where ${days} group by source_kind order by source_kind`,
      { signal },
    ),
    facts.rows<{ online: string; watched: string; newest: LocalDay }>(
      scope,
      sql`select toString(sum(online_ms)) as online, toString(sum(watch_ms)) as watched, toString(max(day)) as newest from ${latest(table)} where ${days} and ${sourceCondition(source)} ${zoneCondition}`,
      { signal },
    ),
    facts.rows<{ problem: string; n: string }>(
      scope,
      sql`select arrayJoin(problem_kinds) as problem, toString(count()) as n from ${latest(table)} where ${days} and ${sourceCondition(source)} ${zoneCondition} group by problem order by problem`,
      { signal },
    ),
    facts.rows<{ n: string }>(
      scope,
      sql`select toString(uniqExact(zone_id)) as n from ${latest('curb_zone_days')} where ${days} and ${sourceCondition(source)} and space_ms > 0 ${zoneCondition}`,
      { signal },
    ),
    state
      .as(scope)
      .selectFrom('curb_zone')
      .select(({ fn }) => fn.countAll<string>().as('n'))
      .where('region_id', '=', regionId)
      .where('end_time', 'is', null)
      .executeTakeFirst(),
    listDirtyBetween(
      state,
      scope,
      { product: curbHours, regionId, parts: [''] },
      { first, last, due: pendingThresholds(settleCurbDaysMs, at.getTime()) },
    ),
  ])
  const newestDay = watch?.newest
  const [event] =
    newestDay && newestDay > '1971'
      ? await facts.rows<{ at: string }>(
          scope,
          sql`select toString(toUnixTimestamp64Milli(max(event_time))) as at from ${latest('curb_events')} where region_id = ${bind('String', regionId)} and event_time >= ${instant(startOfDay(newestDay, timezone))} and event_time < ${instant(until)}`,
          { signal },
        )
      : []
  return {
    sources: sources.map(({ source_kind, n, m }) => ({
      source: source_kind,
      sessions: Number(n),
      events: Number(m),
    })),
    coverage: {
      share: ratio(Number(watch?.online ?? 0), Number(watch?.watched ?? 0)),
      measured_zones: Number(measured?.n ?? 0),
      zones: Number(inForce?.n ?? 0),
    },
    findings: found.map(({ problem, n }) => ({ problem, count: Number(n) })),
    newest_event: event && Number(event.at) > 0 ? new Date(Number(event.at)).toISOString() : null,
    pending_days: dirty.length,
  }
}
