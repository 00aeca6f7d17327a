import type {
  CurbDimension,
  CurbMeasure,
  CurbMetricsResponse,
  CurbMetricsQuestion,
} from '#contract/curb-sessions.ts'
import { hourMs } from '#contract/period.ts'
import { Problem } from '#server/http/problem.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { describeMetrics } from './describe-metrics.ts'
import type { MetricsContext, MetricsSources } from './metrics-context.ts'
import {
  type Areas,
  chooseTable,
  classCondition,
  classDimensions,
  groupByKeys,
  keysSql,
  maxGroups,
  type Period,
  rowCondition,
  sessionColumns,
} from './queries/metrics.ts'

/** Reads measures of curb sessions, with a comparison period and a description of the data. */
export async function queryCurbMetrics(
  { state, facts }: MetricsSources,
  context: MetricsContext,
  question: CurbMetricsQuestion,
): Promise<CurbMetricsResponse> {
  const { scope, region } = context
  refuseOperators(scope)
  const areas = await findCurbAreas(state, scope, region.regionId)
  const zones =
    question.zones.length || question.areas.length
      ? [...new Set([...question.zones, ...question.areas.flatMap((area) => areas.get(area) ?? [])])]
      : null
  const readPeriod = async (period: Period): Promise<CurbMetricsResponse['period']> => {
    const { dimensions } = question
    const query: GroupQuery = { question, period, dimensions, areas, zones }
    const [rows, totals] = await Promise.all([
      dimensions.length ? readGroups(facts, context, query) : [],
      readGroups(facts, context, { ...query, dimensions: [] }),
    ])
    const emptySums: GroupSums = { sessions: undefined, capacity: undefined }
    return {
      start_date: period.start_date,
      end_date: period.end_date,
      rows,
      totals: totals[0]?.values ?? question.measures.map((measure) => measureValues[measure](emptySums)),
    }
  }
  const { compare_start_date: start, compare_end_date: end } = question
  const [period, comparison, description] = await Promise.all([
    readPeriod(question),
    start && end ? readPeriod({ start_date: start, end_date: end }) : null,
    describeMetrics({ state, facts }, context, question, zones),
  ])
  return { period, comparison, ...description }
}

/** Finds the zone ids of each area of a region, by area id. */
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
      return [place_id, Array.isArray(zones) ? zones.filter((zone) => typeof zone === 'string') : []]
    }),
  )
}

/** Refuses viewers of one operator, because curb sessions are those of all vehicles. */
export function refuseOperators({ operators }: Scope): void {
  if (operators) throw new Problem('forbidden', 'Sessions at the curb are not shown to operators.')
}

/** A part of a question: a period with dimensions, and the zones that count. */
interface GroupQuery {
  question: CurbMetricsQuestion
  period: Period
  dimensions: readonly CurbDimension[]
  areas: Areas
  /** Null for all zones. */
  zones: readonly string[] | null
}

/** Reads the values of the requested measures by the keys of some dimensions, sorted by key. */
async function readGroups(
  facts: Facts,
  context: MetricsContext,
  query: GroupQuery,
): Promise<CurbMetricsResponse['period']['rows']> {
  const { dimensions } = query
  const { measures } = query.question
  const dimensionsWithCapacity = dimensions.filter((dimension) => !classDimensions.includes(dimension))
  const { sessions, capacities } = await readSums(facts, context, query, dimensionsWithCapacity)
  const sessionsByKey = new Map(sessions.map((row) => [toKey(row.keys), row]))
  const capacityByKey = new Map(capacities.map((row) => [toKey(row.keys), row]))
  const areAllWithCapacity = dimensionsWithCapacity.length === dimensions.length
  const keys = new Map(
    [...sessions, ...(areAllWithCapacity ? capacities : [])].map((row) => [toKey(row.keys), row.keys]),
  )
  return [...keys]
    .toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([key, groupKeys]) => {
      const capacityKeys = groupKeys.filter(
        (_, index) => !classDimensions.includes(dimensions[index] as CurbDimension),
      )
      const sums: GroupSums = {
        sessions: sessionsByKey.get(key),
        capacity: capacityByKey.get(toKey(capacityKeys)),
      }
      return { keys: groupKeys, values: measures.map((measure) => measureValues[measure](sums)) }
    })
}

const toKey = (keys: readonly string[]): string => keys.join('\t')

/** Reads the sums of sessions by all dimensions, and of spaces by those that spaces have. */
async function readSums(
  facts: Facts,
  { scope, region, signal }: MetricsContext,
  { question, period, dimensions, areas, zones }: GroupQuery,
  dimensionsWithCapacity: readonly CurbDimension[],
): Promise<{ sessions: SessionSums[]; capacities: CapacitySums[] }> {
  const where = rowCondition(question, period, region.regionId, zones)
  const table = chooseTable(question, dimensions, zones !== null)
  const needsQuantiles = question.measures.some((measure) => quantileMeasures.includes(measure))
  const needsSpaces = question.measures.some((measure) => spaceMeasures.includes(measure))
  const sessionQuery = groupByKeys(
    sessionColumns(needsQuantiles),
    table,
    keysSql(dimensions, areas),
    sql`${where} ${classCondition(question)}`,
  )
  // Capacity has no vehicle types and purposes, because all vehicles share the spaces.
  const capacityQuery = groupByKeys(
    sql`toString(sum(space_ms)) as space_ms`,
    table,
    keysSql(dimensionsWithCapacity, areas),
    where,
  )
  const [sessions, capacities] = await Promise.all([
    facts.rows<SessionSums>(scope, sessionQuery, { signal }),
    needsSpaces ? facts.rows<CapacitySums>(scope, capacityQuery, { signal }) : [],
  ])
  if (sessions.length > maxGroups || capacities.length > maxGroups)
    throw new Problem(
      'bad_request',
      `A response contains at most ${maxGroups} groups. Choose fewer dimensions.`,
    )
  return { sessions, capacities }
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

interface GroupSums {
  sessions: SessionSums | undefined
  capacity: CapacitySums | undefined
}

const computeRatio = (numerator: number, denominator: number): number | null =>
  denominator > 0 ? numerator / denominator : null

/** Computes each measure from the sums of a group. Dwell times are in seconds, revenue in minor units. */
const measureValues: Readonly<Record<CurbMeasure, (sums: GroupSums) => number | null>> = {
  sessions: ({ sessions }) => Number(sessions?.sessions ?? 0),
  turnover: ({ sessions, capacity }) =>
    computeRatio(Number(sessions?.covered_sessions ?? 0), Number(capacity?.space_ms ?? 0) / hourMs),
  dwell_mean: ({ sessions }) =>
    computeRatio(Number(sessions?.dwell_ms ?? 0) / 1000, Number(sessions?.dwell_count ?? 0)),
  dwell_median: ({ sessions }) =>
    Number(sessions?.dwell_count ?? 0) > 0 ? (sessions?.dwell_quantiles[0] ?? null) : null,
  dwell_p90: ({ sessions }) =>
    Number(sessions?.dwell_count ?? 0) > 0 ? (sessions?.dwell_quantiles[1] ?? null) : null,
  occupancy: ({ sessions, capacity }) =>
    computeRatio(Number(sessions?.occupied_ms ?? 0), Number(capacity?.space_ms ?? 0)),
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
