// A question about measures is answered in four steps: find its periods, read facts, compute values, and add
// rows for times without facts.
import { setMaxListeners } from 'node:events'
import { usualWeeks } from '#contract/health-figures.ts'
import {
  maxMetricRows,
  type MeasureKey,
  type MetricDimension,
  measures,
  type MetricsResponse,
  type MetricsQuestion,
} from '#contract/metrics.ts'
import { addDays, type LocalDay, localDay, minuteMs } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { Problem } from '#server/http/problem.ts'
import {
  isHourly,
  type ReportDaySums,
  ReportReader,
  type ReportSelection,
  type TripSum,
} from '#server/fleet/reports/read-report-facts.ts'
import { addSums, measureFormulas } from './measure-values.ts'
import {
  completeRows,
  type FactRows,
  filterGroupRows,
  MetricGroups,
  filterTotalRows,
} from './metric-groups.ts'
import { listFeeds, listSelectedHours } from './selected-hours.ts'
import { ComputedCache } from '#server/stores/computed-cache.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { regionScope } from '#server/identity/scope.ts'
import type { DerivedUntil, ReportFacts } from '#server/fleet/reports/report-facts-product.ts'

interface Days {
  start_date: LocalDay
  end_date: LocalDay
}

/** Whether any of the measures `keys` is selected. */
const hasAny = (selected: readonly MeasureKey[], ...keys: readonly MeasureKey[]): boolean =>
  keys.some((key) => selected.includes(key))

export interface MetricsSources {
  facts: Facts
  reports: ReportFacts
  cache: MetricsCache
}

/** Maximum time for all queries of one question. */
const timeoutMs = 120_000
/** Creates a signal that aborts the queries of one question after a timeout. Every query adds a listener. */
export function createQuerySignal(): AbortSignal {
  const signal = AbortSignal.timeout(timeoutMs)
  setMaxListeners(0, signal)
  return signal
}
/** Maximum size of the cache, in numbers. */
const maxCachedValues = 2_000_000

/** Caches answers for periods by question and version of the facts. */
export class MetricsCache extends ComputedCache<PeriodResult> {
  constructor() {
    super({
      maxSize: maxCachedValues,
      getSize: ({ period: { rows, totals } }) => 1 + totals.length * (rows.length + 1),
    })
  }
}

export interface MetricsCaller {
  scope: Scope
  region: Region
  at: Date
}

/** Sums for measures of trips. A quantile needs the number of its trips: it is unknown without any. */
const tripSums: Partial<Record<MeasureKey, readonly TripSum[]>> = {
  distance_total: ['distance_mm'],
  distance_mean: ['distance_mm', 'distances'],
  distance_median: ['distance_median', 'distances'],
  distance_p90: ['distance_p90', 'distances'],
  duration_total: ['duration_ms'],
  duration_mean: ['duration_ms', 'durations'],
  duration_median: ['duration_median', 'durations'],
  duration_p90: ['duration_p90', 'durations'],
  speed_mean: ['paired_mm', 'paired_ms'],
}

/** Measures of durations of parking events, which grow while vehicles are parked. */
const parkingMeasures = ['parking_over_limit', 'parked_mean', 'parked_median'] as const
/** Open parking events grow in steps of this size, so that answers can be cached. */
const settledStepMs = 10 * minuteMs
/** Returns the end of open parking events (ms): now, rounded down to ten minutes for the cache. */
export const getSettledMs = (now: number): number => Math.floor(now / settledStepMs) * settledStepMs

/**
 * Derives the facts of a period, so that they are up to date.
 * @param since The first day on which the answer depends.
 * @throws Problem if days were never derived.
 */
export async function readDerivedDays(
  reports: ReportFacts,
  { regionId, organizationId, timezone, lostAfterHours, operatingHours }: Region,
  since: LocalDay,
  { start_date: first, end_date: last }: Days,
): Promise<DerivedUntil> {
  const scope = regionScope(organizationId, regionId)
  const region = { regionId, scope, timezone, lostAfterHours, operatingHours }
  const derived = await reports.refresh(region, { since, first, last })
  if (derived.missingDays)
    throw new Problem(
      'being_prepared',
      `The figures of ${derived.missingDays} of the days are being prepared for the first time, the newest days first.`,
    )
  return derived
}

/** Answers a question about measures. @throws Problem if the answer would have too many rows. */
export async function queryMetrics(
  { facts, reports, cache }: MetricsSources,
  { scope, region, at }: MetricsCaller,
  question: MetricsQuestion,
): Promise<MetricsResponse> {
  const { timezone, lostAfterHours, operatingHours, regionId } = region
  // Callers with the same question share one computation, so it is not aborted when one of them disconnects.
  const reader = new ReportReader(facts, scope, region, createQuerySignal())
  const query = async (days: Days) => {
    const since = addDays(days.start_date, -7 * usualWeeks)
    const { asOf, version, pendingDays } = await readDerivedDays(reports, region, since, days)
    const { compare_start_date: _start, compare_end_date: _end, ...periodQuestion } = { ...question, ...days }
    const settledMs = hasAny(question.measures, ...parkingMeasures) ? getSettledMs(asOf) : 0
    const key = [
      regionId,
      JSON.stringify(scope.operators ?? null),
      JSON.stringify(periodQuestion),
      version,
      settledMs,
    ].join(' ')
    const result = await cache.get(key, () => queryPeriod(reader, region, question, { days, now: asOf }))
    return { pendingDays, ...result }
  }
  // Not cached with a period: facts that are imported before it do not change its version.
  const [result, firstDay] = await Promise.all([query(question), reader.findFirstDay(question.operators)])
  const { compare_start_date: start, compare_end_date: end } = question
  const comparison = start !== null && end !== null ? await query({ start_date: start, end_date: end }) : null
  const today = localDay(at, timezone)
  return {
    period: result.period,
    comparison: comparison?.period ?? null,
    methods: question.measures.map((key) => ({ measure: key, ...measures[key] })),
    parameters: {
      timezone,
      lost_after_hours: lostAfterHours,
      operating_hours: operatingHours,
      parking_limit: question.parking_limit,
    },
    newest_fact: result.newest,
    first_day: firstDay,
    unfinished_day: question.start_date <= today && today <= question.end_date ? today : null,
    pending_days: result.pendingDays + (comparison?.pendingDays ?? 0),
    excluded_trips: result.excluded,
    coverage: result.coverage,
    without_fleet: result.withoutFleet,
  }
}

interface PeriodResult {
  period: MetricsResponse['period']
  newest: string | null
  /** Number of trips with a quality flag. */
  excluded: number
  coverage: MetricsResponse['coverage']
  withoutFleet: MetricsResponse['without_fleet']
}

/** The facts of a period: rows of its groups, and of the total. */
interface PeriodFacts {
  groups: FactRows
  total: FactRows
  /** Numbers of records by operator, day and hour. */
  records: Awaited<ReturnType<ReportReader['countRecordsByHour']>>
  newest: Awaited<ReturnType<ReportReader['findNewestFactTime']>>
}

/** Reads the facts that the measures of a question need. */
async function readPeriodFacts(
  reader: ReportReader,
  { measures: selected, dimensions, parking_limit: parkingLimit }: MetricsQuestion,
  selection: ReportSelection,
  now: number,
): Promise<PeriodFacts> {
  const needsDays = hasAny(selected, 'trips_per_vehicle', 'wait_between_trips', 'active_share')
  const needsHours = hasAny(selected, 'fleet_sae_max')
  const needsFleet = hasAny(selected, 'fleet_max', 'fleet_daytime_avg', 'active_share')
  const needsParking = hasAny(selected, ...parkingMeasures)
  // The query of hourly fleets returns no total.
  const needsTotalFleet = dimensions.length > 0 && isHourly({ dimensions, hours: selection.hours })
  const [sums, daySums, largestHours, fleet, totalFleet, parking, records, newest] = await Promise.all([
    reader.readSums(selection, dimensions, new Set(selected.flatMap((key) => tripSums[key] ?? []))),
    needsDays ? reader.readDaySums(selection, dimensions) : [],
    needsHours ? reader.readLargestHour(selection, dimensions, now) : [],
    needsFleet ? reader.readFleet(selection, dimensions) : [],
    needsFleet && needsTotalFleet ? reader.readFleet(selection, []) : [],
    needsParking
      ? reader.readParking(selection, dimensions, {
          limitMs: parkingLimit * 60_000,
          now: getSettledMs(now),
          median: hasAny(selected, 'parked_median'),
        })
      : [],
    reader.countRecordsByHour(selection, usualWeeks),
    reader.findNewestFactTime(selection),
  ])
  const rows = { sums, daySums, largestHours, fleet, parking }
  if (!dimensions.length) return { groups: rows, total: rows, records, newest }
  const total = needsTotalFleet ? { ...rows, fleet: totalFleet.map((row) => ({ ...row, keys: [] })) } : rows
  return { groups: filterGroupRows(rows), total: filterTotalRows(total), records, newest }
}

async function queryPeriod(
  reader: ReportReader,
  { timezone, operatingHours }: Region,
  question: MetricsQuestion,
  { days: { start_date: firstDay, end_date: lastDay }, now }: { days: Days; now: number },
): Promise<PeriodResult> {
  const { measures: selected, dimensions } = question
  const selection: ReportSelection = {
    first: firstDay,
    last: lastDay,
    operators: question.operators,
    vehicleTypes: question.vehicle_types,
    weekdays: question.days,
    hours: question.hour_filters,
  }
  const facts = await readPeriodFacts(reader, question, selection, now)
  const hours = listSelectedHours(selection, timezone, now)
  const makeGroups = (groupDimensions: readonly MetricDimension[], rows: FactRows): MetricGroups =>
    new MetricGroups(groupDimensions, rows, {
      hours,
      timezone,
      operatingHours,
      now,
      isHourly: isHourly({ dimensions: groupDimensions, hours: selection.hours }),
    })
  const groups = makeGroups(dimensions, facts.groups)
  const totalGroups = dimensions.length ? makeGroups([], facts.total) : groups
  rejectTooManyRows(groups.keys.length)
  const feeds = listFeeds(facts.records, firstDay, hours, { timezone, now })
  const computeValues = (key: string): (number | null)[] =>
    selected.map((measure) => measureFormulas[measure](groups.getFacts(key)))
  const rows = completeRows(groups.keys, { dimensions, hours, feeds }, computeValues)
  rejectTooManyRows(rows.length)
  const total = totalGroups.getFacts('')
  return {
    period: {
      start_date: firstDay,
      end_date: lastDay,
      rows,
      totals: selected.map((measure) =>
        groups.keys.length && total.sums ? measureFormulas[measure](total) : null,
      ),
    },
    newest: facts.newest,
    excluded: addSums(total.sums, 'excluded'),
    coverage: feeds.coverage,
    withoutFleet: countWithoutFleet(facts.total.daySums),
  }
}

/** Returns the numbers of days on which operators had trips but no vehicles, by operator. */
function countWithoutFleet(days: readonly ReportDaySums[]): PeriodResult['withoutFleet'] {
  const counts = new Map<string, number>()
  for (const operator of days.flatMap((day) => day.without_fleet))
    counts.set(operator, (counts.get(operator) ?? 0) + 1)
  return [...counts]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([operator, count]) => ({ operator, days: count }))
}

function rejectTooManyRows(rows: number): void {
  if (rows > maxMetricRows)
    throw new Problem(
      'validation_error',
      `A response contains at most ${maxMetricRows} rows. Choose fewer days or dimensions.`,
    )
}
