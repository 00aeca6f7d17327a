// A question about measures is answered in four steps: find its periods, read facts, compute values, and add
// rows for times without facts.
import { setMaxListeners } from 'node:events'
import { startOfDay } from '#contract/civil-clock.ts'
import { usualWeeks } from '#contract/health-figures.ts'
import {
  maxMetricRows,
  type MeasureKey,
  type MetricDimension,
  measures,
  type MetricsResponse,
  type MetricsQuestion,
} from '#contract/metrics.ts'
import { dayFromNumber, dayNumber, type LocalDay, localDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { Problem } from '#server/http/problem.ts'
import { operatingPeriods } from '#server/fleet/fleet-size/operating-periods.ts'
import {
  isHourly,
  type ParkingSums,
  type ReportDaySums,
  type ReportFleet,
  ReportReader,
  type ReportSelection,
  type ReportSums,
  type TripSum,
} from '#server/fleet/reports/read-report-facts.ts'
import { type GroupFacts, addSums, measureFormulas } from './measure-values.ts'
import {
  findFeeds,
  type Feeds,
  isTime,
  joined,
  type SelectedHour,
  selectedHours,
  timeKey,
} from './selected-hours.ts'
import { ComputedCache } from '#server/stores/computed-cache.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { regionScope } from '#server/identity/scope.ts'
import type { DerivedUntil, ReportFacts } from '#server/fleet/reports/report-facts-product.ts'

interface Days {
  start_date: LocalDay
  end_date: LocalDay
}

/** Whether a question has any of some measures. */
const hasAny = (selected: readonly MeasureKey[], ...some: readonly MeasureKey[]): boolean =>
  some.some((key) => selected.includes(key))

export interface MetricsSources {
  facts: Facts
  reports: ReportFacts
  cache: MetricsCache
}

/** Maximum time for all queries of one question. */
const timeoutMs = 120_000
/** A signal that aborts the queries of one question after a timeout. Every query adds a listener. */
export function querySignal(): AbortSignal {
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

/**
 * The sums from which measures of trips are computed. A quantile also needs the number of trips with the
 * value, because it is unknown without any.
 */
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
const settledStepMs = 600_000
/**
 * The time until which open parking events count (ms): rounded down to ten minutes, so that answers can be
 * cached.
 */
export const settledMs = (now: number): number => Math.floor(now / settledStepMs) * settledStepMs

/**
 * Derives the facts of a period, so that they are up to date. `since` is the first day on which the answer
 * depends. Throws a Problem if days were never derived.
 */
export async function derivedDays(
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

/** Answers a question about measures. Throws a Problem if the answer would have too many rows. */
export async function queryMetrics(
  { facts, reports, cache }: MetricsSources,
  { scope, region, at }: MetricsCaller,
  question: MetricsQuestion,
): Promise<MetricsResponse> {
  const { timezone, lostAfterHours, operatingHours, regionId } = region
  // Callers with the same question share one computation, so it is not aborted when one of them disconnects.
  const reader = new ReportReader(facts, scope, region, querySignal())
  const query = async (days: Days) => {
    const since = dayFromNumber(dayNumber(days.start_date) - 7 * usualWeeks)
    const { asOf, version, pendingDays } = await derivedDays(reports, region, since, days)
    const {
      compare_start_date: _start,
      compare_end_date: _end,
      ...periodQuestion
    } = {
      ...question,
      ...days,
    }
    const settled = hasAny(question.measures, ...parkingMeasures) ? settledMs(asOf) : 0
    const key = [
      regionId,
      JSON.stringify(scope.operators ?? null),
      JSON.stringify(periodQuestion),
      version,
      settled,
    ].join(' ')
    const result = await cache.get(key, () => queryPeriod(reader, region, question, { days, now: asOf }))
    return { pendingDays, ...result }
  }
  // Not cached with a period: facts that are imported before it do not change its version.
  const [result, firstDay] = await Promise.all([query(question), reader.firstDay(question.operators)])
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
  newest: Awaited<ReturnType<ReportReader['newestFact']>>
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
    reader.sums(selection, dimensions, new Set(selected.flatMap((key) => tripSums[key] ?? []))),
    needsDays ? reader.daySums(selection, dimensions) : [],
    needsHours ? reader.largestHour(selection, dimensions, now) : [],
    needsFleet ? reader.fleet(selection, dimensions) : [],
    needsFleet && needsTotalFleet ? reader.fleet(selection, []) : [],
    needsParking
      ? reader.parking(selection, dimensions, {
          limitMs: parkingLimit * 60_000,
          now: settledMs(now),
          median: hasAny(selected, 'parked_median'),
        })
      : [],
    reader.countRecordsByHour(selection, usualWeeks),
    reader.newestFact(selection),
  ])
  const rows = { sums, daySums, largestHours, fleet, parking }
  if (!dimensions.length) return { groups: rows, total: rows, records, newest }
  const total = needsTotalFleet ? { ...rows, fleet: totalFleet.map((row) => ({ ...row, keys: [] })) } : rows
  return { groups: groupRows(rows), total: totalRows(total), records, newest }
}

async function queryPeriod(
  reader: ReportReader,
  { timezone, operatingHours }: Region,
  question: MetricsQuestion,
  { days: { start_date: first, end_date: last }, now }: { days: Days; now: number },
): Promise<PeriodResult> {
  const { measures: selected, dimensions } = question
  const selection: ReportSelection = {
    first,
    last,
    operators: question.operators,
    vehicleTypes: question.vehicle_types,
    weekdays: question.days,
    hours: question.hour_filters,
  }
  const facts = await readPeriodFacts(reader, question, selection, now)
  const hours = selectedHours(selection, timezone, now)
  const makeGroups = (groupDimensions: readonly MetricDimension[], rows: FactRows): Groups =>
    new Groups(groupDimensions, rows, {
      hours,
      timezone,
      operatingHours,
      now,
      isHourly: isHourly({ dimensions: groupDimensions, hours: selection.hours }),
    })
  const groups = makeGroups(dimensions, facts.groups)
  const totalGroups = dimensions.length ? makeGroups([], facts.total) : groups
  rejectTooManyRows(groups.keys.length)
  const feeds = findFeeds(facts.records, first, hours, { timezone, now })
  const computeValues = (key: string): (number | null)[] =>
    selected.map((measure) => measureFormulas[measure](groups.getFacts(key)))
  const rows = completeRows(groups.keys, { dimensions, hours, feeds }, computeValues)
  rejectTooManyRows(rows.length)
  const total = totalGroups.getFacts('')
  return {
    period: {
      start_date: first,
      end_date: last,
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

/** Numbers of days on which operators had trips but no vehicles, by operator. */
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

interface FactRows {
  sums: readonly ReportSums[]
  daySums: readonly ReportDaySums[]
  largestHours: readonly { keys: string[]; value: number }[]
  fleet: readonly ReportFleet[]
  parking: readonly ParkingSums[]
}

/** The rows of groups. Queries with dimensions also return the total, as rows without keys. */
const groupRows = (facts: FactRows): FactRows => filterRows(facts, ({ keys }) => keys.length > 0)
/** The rows of the total. */
const totalRows = (facts: FactRows): FactRows => filterRows(facts, ({ keys }) => keys.length === 0)

function filterRows(facts: FactRows, isIncluded: (row: { keys: string[] }) => boolean): FactRows {
  return {
    sums: facts.sums.filter(isIncluded),
    daySums: facts.daySums.filter(isIncluded),
    largestHours: facts.largestHours.filter(isIncluded),
    fleet: facts.fleet.filter(isIncluded),
    parking: facts.parking.filter(isIncluded),
  }
}

/**
 * The facts of a selection by group. The key of a group is its values of all dimensions, joined; without
 * dimensions it is empty.
 */
class Groups {
  readonly keys: readonly string[]
  readonly #dimensions: readonly MetricDimension[]
  readonly #sums: ReadonlyMap<string, ReportSums>
  readonly #days = new Map<string, ReportDaySums[]>()
  readonly #largestHours: ReadonlyMap<string, number>
  readonly #fleet: ReadonlyMap<string, ReportFleet>
  readonly #parking: ReadonlyMap<string, ParkingSums>
  readonly #operating = new Map<string, number>()
  readonly #elapsedOfDay = new Map<string, Map<LocalDay, number>>()
  readonly #isHourly: boolean

  constructor(
    dimensions: readonly MetricDimension[],
    { sums, daySums, largestHours, fleet, parking }: FactRows,
    {
      hours,
      timezone,
      operatingHours,
      isHourly: hasHourlyGroups,
      now,
    }: {
      hours: readonly SelectedHour[]
      timezone: string
      operatingHours: Region['operatingHours']
      isHourly: boolean
      now: number
    },
  ) {
    const byKey = <Row extends { keys: string[] }>(rows: readonly Row[]): Map<string, Row> =>
      new Map(rows.map((row) => [joined(row.keys), row]))
    this.#dimensions = dimensions
    this.#sums = byKey(sums)
    for (const row of daySums) {
      const key = joined(row.keys)
      const groupDays = this.#days.get(key)
      if (groupDays) groupDays.push(row)
      else this.#days.set(key, [row])
    }
    this.#largestHours = new Map(largestHours.map(({ keys, value }) => [joined(keys), Number(value)]))
    this.#fleet = byKey(fleet)
    this.#parking = byKey(parking)
    this.keys = [
      ...new Set([...this.#sums.keys(), ...this.#fleet.keys(), ...this.#parking.keys()]),
    ].toSorted()
    this.#isHourly = hasHourlyGroups
    const toKey = timeKey(dimensions)
    for (const hour of hours) {
      const key = toKey(hour)
      let elapsedOfDay = this.#elapsedOfDay.get(key)
      if (!elapsedOfDay) this.#elapsedOfDay.set(key, (elapsedOfDay = new Map()))
      // Operating hours are needed for whole days only. All hours of a day have the same key then, so each
      // day is added once.
      if (!hasHourlyGroups && !elapsedOfDay.has(hour.day))
        this.#operating.set(
          key,
          (this.#operating.get(key) ?? 0) + operatingMs(hour.day, timezone, operatingHours, now),
        )
      elapsedOfDay.set(hour.day, (elapsedOfDay.get(hour.day) ?? 0) + hour.ms)
    }
  }

  getFacts(key: string): GroupFacts {
    const parts = key.split('\t')
    const time = joined(
      parts.filter((_, index) => {
        const dimension = this.#dimensions[index]
        return dimension && isTime(dimension)
      }),
    )
    const elapsedOfDay = this.#elapsedOfDay.get(time) ?? new Map<LocalDay, number>()
    return {
      sums: this.#sums.get(key),
      days: this.#days.get(key) ?? [],
      largestHour: this.#largestHours.get(key) ?? null,
      fleet: this.#fleet.get(key),
      parking: this.#parking.get(key),
      elapsedMs: [...elapsedOfDay.values()].reduce((sum, ms) => sum + ms, 0),
      operatingMs: this.#operating.get(time) ?? 0,
      elapsedOfDay,
      isHourly: this.#isHourly,
    }
  }
}

function operatingMs(
  day: LocalDay,
  timezone: string,
  { from: operatingFrom, until: operatingUntil }: Region['operatingHours'],
  now: number,
): number {
  const from = startOfDay(day, timezone)
  const until = Math.min(startOfDay(dayFromNumber(dayNumber(day) + 1), timezone), now)
  return operatingPeriods({ from, until, timezone, operatingFrom, operatingUntil }).reduce(
    (sum, [opens, shuts]) => sum + shuts - opens,
    0,
  )
}

/**
 * Rows for every group at every time of the selection. If no feed of the group has data for a time, the
 * values are null.
 */
function completeRows(
  joinedKeys: readonly string[],
  {
    dimensions,
    hours,
    feeds,
  }: { dimensions: readonly MetricDimension[]; hours: readonly SelectedHour[]; feeds: Feeds },
  computeValues: (key: string) => (number | null)[],
): MetricsResponse['period']['rows'] {
  if (!dimensions.length) return joinedKeys.length ? [{ keys: [], values: computeValues('') }] : []
  const groupKeys = joinedKeys.map((key) => key.split('\t'))
  if (!dimensions.some(isTime))
    return groupKeys.map((keys) => ({ keys, values: computeValues(joined(keys)) }))
  const toKey = timeKey(dimensions)
  const operatorIndex = dimensions.indexOf('operator')
  const hoursOfTime = new Map<string, SelectedHour[]>()
  for (const hour of hours) {
    const key = toKey(hour)
    const hoursOfKey = hoursOfTime.get(key)
    if (hoursOfKey) hoursOfKey.push(hour)
    else hoursOfTime.set(key, [hour])
  }
  /** Groups without their dimensions of time. */
  const fleets = new Map(
    groupKeys.map((keys) => {
      const fleetKeys = keys.filter((_, index) => !isTime(dimensions[index]!))
      return [joined(fleetKeys), { fleetKeys, operator: operatorIndex < 0 ? undefined : keys[operatorIndex] }]
    }),
  )
  const knownCache = new Map<string, boolean>()
  const isKnown = (time: string, operator: string | undefined): boolean => {
    const key = `${time}\n${operator ?? ''}`
    let result = knownCache.get(key)
    if (result === undefined) {
      result = (hoursOfTime.get(time) ?? []).some((hour) => feeds.isKnown(hour, operator))
      knownCache.set(key, result)
    }
    return result
  }
  return [...hoursOfTime.keys()].flatMap((time) =>
    [...fleets.values()].map(({ fleetKeys, operator }) => {
      // Merges the keys in the order of the dimensions.
      const [timeKeys, otherKeys] = [time.split('\t'), [...fleetKeys]]
      const keys = dimensions.map((dimension) => (isTime(dimension) ? timeKeys : otherKeys).shift() ?? '')
      const values = computeValues(joined(keys))
      return { keys, values: isKnown(time, operator) ? values : values.map(() => null) }
    }),
  )
}
