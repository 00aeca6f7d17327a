// Answers a question about measures in four steps: periods, facts, values, completion.
import { setMaxListeners } from 'node:events'
import { startOfDay } from '#contract/civil-clock.ts'
import { usualWeeks } from '#contract/health-figures.ts'
import {
  maxMetricRows,
  type MeasureKey,
  type MetricDimension,
  measures,
  type MetricsAnswer,
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
import { type GroupFacts, sumOf, valueOf } from './measure-values.ts'
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

const needs = (keys: readonly MeasureKey[], ...some: readonly MeasureKey[]): boolean =>
  some.some((key) => keys.includes(key))

export interface MetricsSources {
  facts: Facts
  reports: ReportFacts
  answers: MetricsCache
}

/** An answer takes no longer, ms. */
const maxAnswerMs = 120_000
/** Ends the queries of one answer, which are many. */
export function answerSignal(): AbortSignal {
  const signal = AbortSignal.timeout(maxAnswerMs)
  setMaxListeners(0, signal)
  return signal
}
/** Values of answers that are cached. */
const maxCachedValues = 2_000_000

/** Answers of periods by their question and the version of the facts. */
export class MetricsCache extends ComputedCache<PeriodAnswer> {
  constructor() {
    super({
      maxSize: maxCachedValues,
      sizeOf: ({ period: { rows, totals } }) => 1 + totals.length * (rows.length + 1),
    })
  }
}

export interface MetricsCaller {
  scope: Scope
  region: Region
  at: Date
}

/** What measures of distances and durations are made of. A quantile is unknown where no trip has the value, which is counted. */
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
/** Open parking events last until the last full ten minutes (ms), so that answers can be cached. */
export const settledMs = (now: number): number => Math.floor(now / 600_000) * 600_000

/**
 * Derives the facts of a period for a question. `since`: the first day on which its answer depends. Throws a Problem where
 * days were never derived.
 */
export async function derivedDays(
  reports: ReportFacts,
  { regionId, organizationId, timezone, lostAfterHours, operatingHours }: Region,
  since: LocalDay,
  { start_date: first, end_date: last }: Days,
): Promise<DerivedUntil> {
  const scope = regionScope(organizationId, regionId)
  const whole = { regionId, scope, timezone, lostAfterHours, operatingHours }
  const derived = await reports.refresh(whole, { since, first, last })
  if (derived.missingDays)
    throw new Problem(
      'being_prepared',
      `The figures of ${derived.missingDays} of the days are being prepared for the first time, the newest days first.`,
    )
  return derived
}

/** Answers a question about measures. Throws a Problem where the answer would be too long. */
export async function queryMetrics(
  { facts, reports, answers }: MetricsSources,
  { scope, region, at }: MetricsCaller,
  question: MetricsQuestion,
): Promise<MetricsAnswer> {
  const { timezone, lostAfterHours, operatingHours, regionId } = region
  // Callers with the same question share one computation, which one of them must not end.
  const reader = new ReportReader(facts, scope, region, answerSignal())
  const query = async (days: Days) => {
    const since = dayFromNumber(dayNumber(days.start_date) - 7 * usualWeeks)
    const { asOf, version, pendingDays } = await derivedDays(reports, region, since, days)
    const { compare_start_date: _start, compare_end_date: _end, ...single } = { ...question, ...days }
    const settled = needs(question.measures, ...parkingMeasures) ? settledMs(asOf) : 0
    const key = [
      regionId,
      JSON.stringify(scope.operators ?? null),
      JSON.stringify(single),
      version,
      settled,
    ].join(' ')
    const answer = await answers.get(key, () => queryPeriod(reader, region, question, days, asOf))
    return { pendingDays, ...answer }
  }
  const answer = await query(question)
  const { compare_start_date: start, compare_end_date: end } = question
  const before = start !== null && end !== null ? await query({ start_date: start, end_date: end }) : null
  const today = localDay(at, timezone)
  return {
    period: answer.period,
    comparison: before?.period ?? null,
    methods: question.measures.map((key) => ({ measure: key, ...measures[key] })),
    parameters: {
      timezone,
      lost_after_hours: lostAfterHours,
      operating_hours: operatingHours,
      parking_limit: question.parking_limit,
    },
    newest_fact: answer.newest,
    unfinished_day: question.start_date <= today && today <= question.end_date ? today : null,
    pending_days: answer.pendingDays + (before?.pendingDays ?? 0),
    excluded_trips: answer.excluded,
    coverage: answer.coverage,
    without_fleet: answer.withoutFleet,
  }
}

interface PeriodAnswer {
  period: MetricsAnswer['period']
  newest: string | null
  excluded: number
  coverage: MetricsAnswer['coverage']
  withoutFleet: MetricsAnswer['without_fleet']
}

async function queryPeriod(
  reader: ReportReader,
  { timezone, operatingHours }: Region,
  {
    measures: selected,
    dimensions,
    operators,
    vehicle_types: vehicleTypes,
    days,
    hour_filters: range,
    parking_limit: parkingLimit,
  }: MetricsQuestion,
  { start_date: first, end_date: last }: Days,
  now: number,
): Promise<PeriodAnswer> {
  const open: ReportSelection = { first, last, operators, vehicleTypes, weekdays: days, hours: range }
  const hours = selectedHours(open, timezone, now)
  const wantsDays = needs(selected, 'trips_per_vehicle', 'wait_between_trips', 'active_share')
  const wantsHours = needs(selected, 'fleet_sae_max')
  const wantsFleet = needs(selected, 'fleet_max', 'fleet_daytime_avg', 'active_share')
  const wantsParking = needs(selected, ...parkingMeasures)
  const isPart = isHourly({ dimensions, hours: range })
  const [sums, daySums, largestHours, fleet, wholeFleet, parking, records, newest] = await Promise.all([
    reader.sums(open, dimensions, new Set(selected.flatMap((key) => tripSums[key] ?? []))),
    wantsDays ? reader.daySums(open, dimensions) : [],
    wantsHours ? reader.largestHour(open, dimensions, now) : [],
    wantsFleet ? reader.fleet(open, dimensions) : [],
    // Fleets by the hour come from another query than the total.
    wantsFleet && dimensions.length && isPart ? reader.fleet(open, []) : [],
    wantsParking
      ? reader.parking(open, dimensions, {
          limitMs: parkingLimit * 60_000,
          now: settledMs(now),
          median: needs(selected, 'parked_median'),
        })
      : [],
    reader.countRecordsByHour(open, usualWeeks),
    reader.newestFact(open),
  ])
  const facts = { sums, daySums, largestHours, fleet, parking }
  const clock = { hours, timezone, operatingHours, now }
  const groups = new Groups(dimensions, dimensions.length ? groupRows(facts) : facts, {
    ...clock,
    isHourly: isPart,
  })
  const all = dimensions.length
    ? new Groups(
        [],
        totalRows({ ...facts, fleet: isPart ? wholeFleet.map((row) => ({ ...row, keys: [] })) : fleet }),
        {
          ...clock,
          isHourly: isHourly({ dimensions: [], hours: range }),
        },
      )
    : groups
  refuseLong(groups.keys.length)
  const feeds = findFeeds(records, first, hours, { timezone, now })
  const rows = completeRows(groups, dimensions, hours, feeds, (key) =>
    selected.map((measure) => valueOf[measure](groups.of(key))),
  )
  refuseLong(rows.length)
  const whole = all.of('')
  return {
    period: {
      start_date: first,
      end_date: last,
      rows,
      totals: selected.map((measure) => (groups.keys.length && whole.sums ? valueOf[measure](whole) : null)),
    },
    newest,
    excluded: sumOf(whole.sums, 'excluded'),
    coverage: feeds.coverage,
    withoutFleet: countWithoutFleet(dimensions.length ? totalRows(facts).daySums : daySums),
  }
}

/** On how many days operators had trips but no vehicles. */
function countWithoutFleet(days: readonly ReportDaySums[]): PeriodAnswer['withoutFleet'] {
  const found = new Map<string, number>()
  for (const operator of days.flatMap((day) => day.without_fleet))
    found.set(operator, (found.get(operator) ?? 0) + 1)
  return [...found]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([operator, count]) => ({ operator, days: count }))
}

function refuseLong(rows: number): void {
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

/** Facts of groups come with the total as rows without keys: the rows of the groups. */
const groupRows = (facts: FactRows): FactRows => rowsThat(facts, ({ keys }) => keys.length > 0)
/** The rows of the total, as those of a question without dimensions. */
const totalRows = (facts: FactRows): FactRows => rowsThat(facts, ({ keys }) => keys.length === 0)

function rowsThat(facts: FactRows, isOne: (row: { keys: string[] }) => boolean): FactRows {
  return {
    sums: facts.sums.filter(isOne),
    daySums: facts.daySums.filter(isOne),
    largestHours: facts.largestHours.filter(isOne),
    fleet: facts.fleet.filter(isOne),
    parking: facts.parking.filter(isOne),
  }
}

/** The facts of a selection by group. The key of a group is its keys, joined; without dimensions it is empty. */
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
      isHourly: isPart,
      now,
    }: {
      hours: readonly SelectedHour[]
      timezone: string
      operatingHours: Region['operatingHours']
      isHourly: boolean
      now: number
    },
  ) {
    const indexed = <Row extends { keys: string[] }>(rows: readonly Row[]): Map<string, Row> =>
      new Map(rows.map((row) => [joined(row.keys), row]))
    this.#dimensions = dimensions
    this.#sums = indexed(sums)
    for (const row of daySums) {
      const key = joined(row.keys)
      const list = this.#days.get(key)
      if (list) list.push(row)
      else this.#days.set(key, [row])
    }
    this.#largestHours = new Map(largestHours.map(({ keys, value }) => [joined(keys), Number(value)]))
    this.#fleet = indexed(fleet)
    this.#parking = indexed(parking)
    this.keys = [
      ...new Set([...this.#sums.keys(), ...this.#fleet.keys(), ...this.#parking.keys()]),
    ].toSorted()
    this.#isHourly = isPart
    const keyOf = timeKey(dimensions)
    for (const hour of hours) {
      const key = keyOf(hour)
      let ofDay = this.#elapsedOfDay.get(key)
      if (!ofDay) this.#elapsedOfDay.set(key, (ofDay = new Map()))
      // Operating hours are queried for whole days only, whose hours all share one key.
      if (!isPart && !ofDay.has(hour.day))
        this.#operating.set(
          key,
          (this.#operating.get(key) ?? 0) + operatingMs(hour.day, timezone, operatingHours, now),
        )
      ofDay.set(hour.day, (ofDay.get(hour.day) ?? 0) + hour.ms)
    }
  }

  of(key: string): GroupFacts {
    const parts = key.split('\t')
    const time = joined(parts.filter((_, at) => this.#dimensions[at] && isTime(this.#dimensions[at])))
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

/** A row for each group at each time of the selection. Where no feed of the group had data, its values are unknown. */
function completeRows(
  groups: Groups,
  dimensions: readonly MetricDimension[],
  hours: readonly SelectedHour[],
  feeds: Feeds,
  valuesOf: (key: string) => (number | null)[],
): MetricsAnswer['period']['rows'] {
  if (!dimensions.length) return groups.keys.length ? [{ keys: [], values: valuesOf('') }] : []
  const split = groups.keys.map((key) => key.split('\t'))
  if (!dimensions.some(isTime)) return split.map((keys) => ({ keys, values: valuesOf(joined(keys)) }))
  const keyOf = timeKey(dimensions)
  const operatorAt = dimensions.indexOf('operator')
  const hoursOfTime = new Map<string, SelectedHour[]>()
  for (const hour of hours) {
    const key = keyOf(hour)
    const list = hoursOfTime.get(key)
    if (list) list.push(hour)
    else hoursOfTime.set(key, [hour])
  }
  const fleets = new Map(
    split.map((keys) => {
      const fleet = keys.filter((_, at) => !isTime(dimensions[at]!))
      return [joined(fleet), { fleet, operator: operatorAt < 0 ? undefined : keys[operatorAt] }]
    }),
  )
  const known = new Map<string, boolean>()
  const isKnown = (time: string, operator: string | undefined): boolean => {
    const key = `${time}\n${operator ?? ''}`
    let found = known.get(key)
    if (found === undefined)
      known.set(key, (found = (hoursOfTime.get(time) ?? []).some((hour) => feeds.isKnown(hour, operator))))
    return found
  }
  return [...hoursOfTime.keys()].flatMap((time) =>
    [...fleets.values()].map(({ fleet, operator }) => {
      const [ofTime, ofFleet] = [time.split('\t'), [...fleet]]
      const keys = dimensions.map((each) => (isTime(each) ? ofTime : ofFleet).shift() ?? '')
      const values = valuesOf(joined(keys))
      return { keys, values: isKnown(time, operator) ? values : values.map(() => null) }
    }),
  )
}
