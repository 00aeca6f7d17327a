// Compares measures for random dimensions and filters with a plain count of raw facts.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { civilClock, startOfDay, endOfDay } from '#contract/civil-clock.ts'
import {
  type DistributedValue,
  type Distribution,
  DistributionQuestion,
  measureKeys,
  type MeasureKey,
  type MetricDimension,
  MetricsQuestion,
} from '#contract/metrics.ts'
import { addDays, dayNumber, getWeekday, hourMs, hoursOfRange, minuteMs } from '#contract/period.ts'
import { deployedStates } from '#contract/vehicle-states.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { DistributionCache, queryDistribution } from '#server/reporting/query-distribution.ts'
import { MetricsCache, queryMetrics } from '#server/reporting/query-metrics.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { type Hour, listHours, roundFigure } from './metric-hours.ts'
import {
  clockChanges,
  type Event,
  type Interval,
  lostAfterHours,
  makeReportCity,
  getPropulsion,
  storeEvents,
  type Trip,
} from './report-city.ts'
import { useStores } from './use-stores.ts'

const runs = Number(process.env['METRIC_RUNS'] ?? 5)

let facts: Facts
let state: State
// oxlint-disable-next-line rules-of-hooks
useStores((...opened) => void ([facts, state] = opened))

const groupings: MetricDimension[][] = [
  [],
  ['day'],
  ['hour'],
  ['week', 'operator'],
  ['month', 'vehicle_type'],
  ['day', 'operator', 'propulsion_type'],
  ['day_of_week', 'hour_of_day'],
  ['hour_of_day', 'operator'],
  ['operator', 'vehicle_type'],
]
/** The values of dimensions by time. */
const timeKey: Partial<Record<MetricDimension, (of: Hour) => string>> = {
  hour: (hour) => `${hour.day}T${String(hour.hour).padStart(2, '0')}`,
  day: (hour) => hour.day,
  week: (hour) => addDays(hour.day, 1 - getWeekday(hour.day)),
  month: (hour) => `${hour.day.slice(0, 7)}-01`,
  hour_of_day: (hour) => String(hour.hour),
  day_of_week: (hour) => String(getWeekday(hour.day)),
}
/** The values of dimensions by vehicle. */
const vehicleKey: Partial<Record<MetricDimension, (of: Interval | Trip) => string>> = {
  operator: ({ operator }) => operator,
  vehicle_type: ({ type }) => type,
  propulsion_type: ({ device }) => getPropulsion(device),
}

/** Returns the inclusive quantile of values, null if there are none. */
function getQuantile(values: readonly number[], level: number): number | null {
  if (!values.length) return null
  const sorted = values.toSorted((a, b) => a - b)
  const position = (sorted.length - 1) * level
  const lower = sorted[Math.floor(position)]!
  const upper = sorted[Math.ceil(position)]!
  return lower + (upper - lower) * (position - Math.floor(position))
}
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const divide = (dividend: number, divisor: number): number | null => (divisor > 0 ? dividend / divisor : null)

/** Returns the value of a measure over some hours, of some intervals and trips, hour by hour and minute by minute. */
function plainValue(
  key: MeasureKey,
  hours: readonly Hour[],
  intervals: readonly Interval[],
  allTrips: readonly Trip[],
  parking: readonly Interval[],
  events: readonly Event[],
  { isHourly, timezone, now, limit }: { isHourly: boolean; timezone: string; now: number; limit: number },
): number | null {
  const deployed = intervals
    .filter(({ state: intervalState }) => (deployedStates as readonly string[]).includes(intervalState))
    .map((each) => ({ ...each, to: Math.min(each.to, each.from + lostAfterHours * hourMs, now) }))
  const sumTimeIn = (
    counted: readonly Interval[],
    spans: readonly { from: number; until: number }[],
  ): number =>
    sum(
      counted.flatMap((interval) =>
        spans.map(({ from, until }) =>
          Math.max(0, Math.min(interval.to, until) - Math.max(interval.from, from)),
        ),
      ),
    )
  const sumStateTime = (...states: string[]): number =>
    sumTimeIn(
      deployed.filter(({ state: intervalState }) => states.includes(intervalState)),
      hours,
    )
  const isIn = (at: number): boolean => hours.some(({ from, until }) => at >= from && at < until)
  const trips = allTrips.filter(({ start }) => isIn(start))
  const usualTrips = trips.filter(({ isOutlier }) => !isOutlier)
  const distances = usualTrips
    .filter(({ distance }) => !Number.isNaN(distance))
    .map(({ distance }) => distance)
  const durations = usualTrips.map(({ duration }) => duration)
  const started = parking.filter(({ from }) => isIn(from))
  const parked = started.map(({ from, to }) => Math.min(to, now) - from)
  const elapsedMs = sum(hours.map(({ from, until }) => until - from))
  const deployedMs = sumTimeIn(deployed, hours)
  const days = [...new Set(hours.map((hour) => hour.day))]
  const listHours = (name: string): Hour[] => hours.filter((hour) => hour.day === name)
  const getBounds = (name: string): { from: number; until: number } => ({
    from: startOfDay(name, timezone),
    until: Math.min(endOfDay(name, timezone), now),
  })
  const getOperatingSpan = (name: string): { from: number; until: number } => {
    const clock = civilClock(timezone)
    return {
      from: clock.instant(dayNumber(name), 6.5 * 3600).ms,
      until: Math.min(clock.instant(dayNumber(name), 22 * 3600).ms, now),
    }
  }
  /** Returns the trips of operators that have vehicles in the same hours. */
  const filterWithFleet = (
    candidates: readonly Trip[],
    spans: readonly { from: number; until: number }[],
  ): Trip[] =>
    candidates.filter(
      ({ start, operator }) =>
        spans.some(({ from, until }) => start >= from && start < until) &&
        sumTimeIn(
          deployed.filter((interval) => interval.operator === operator),
          spans,
        ) > 0,
    )
  const countVehicles = (records: readonly (Interval | Trip)[]): number =>
    new Set(records.map(({ operator, device }) => `${operator} ${device}`)).size
  switch (key) {
    case 'trips':
      return trips.length
    case 'trips_per_vehicle': {
      const values = days.flatMap((name) => {
        const fleet = divide(
          sumTimeIn(deployed, listHours(name)),
          sum(listHours(name).map((hour) => hour.until - hour.from)),
        )
        return fleet ? [filterWithFleet(trips, listHours(name)).length / fleet] : []
      })
      return divide(sum(values), values.length)
    }
    case 'fleet_avg':
      return divide(deployedMs, elapsedMs) || null
    case 'fleet_max': {
      let max = 0
      for (const { from, until } of hours)
        for (let at = Math.ceil(from / minuteMs) * minuteMs; at < until; at += minuteMs)
          max = Math.max(max, deployed.filter((interval) => interval.from <= at && at < interval.to).length)
      return max || null
    }
    case 'fleet_sae_max':
      return (
        Math.max(0, ...hours.map((hour) => sumTimeIn(deployed, [hour]) / (hour.until - hour.from))) || null
      )
    case 'fleet_daytime_avg': {
      const spans = days.map(getOperatingSpan)
      return isHourly
        ? null
        : divide(
            sumTimeIn(deployed, spans),
            sum(spans.map(({ from, until }) => Math.max(0, until - from))),
          ) || null
    }
    case 'vehicles_available':
      return deployedMs > 0 ? divide(sumStateTime('available'), elapsedMs) : null
    case 'vehicles_reserved':
      return deployedMs > 0 ? divide(sumStateTime('reserved'), elapsedMs) : null
    case 'vehicles_on_trip':
      return deployedMs > 0 ? divide(sumStateTime('on_trip', 'stopped'), elapsedMs) : null
    case 'vehicles_non_operational':
      return deployedMs > 0 ? divide(sumStateTime('non_operational'), elapsedMs) : null
    case 'active_share': {
      if (isHourly) return null
      const active = days.map((name) => countVehicles(filterWithFleet(allTrips, [getBounds(name)])))
      const present = days.map((name) =>
        countVehicles(deployed.filter((interval) => sumTimeIn([interval], [getBounds(name)]) > 0)),
      )
      return divide(sum(active), sum(present))
    }
    case 'utilization':
      return divide(sumStateTime('on_trip', 'stopped'), deployedMs)
    case 'idle_share':
      return divide(sumStateTime('available'), deployedMs)
    case 'non_operational_share':
      return divide(sumStateTime('non_operational'), deployedMs)
    case 'low_battery_time':
      return deployedMs > 0
        ? sumTimeIn(
            deployed.filter(
              ({ state: intervalState, isLow }) => intervalState === 'non_operational' && isLow,
            ),
            hours,
          ) / 1000
        : null
    case 'wait_between_trips': {
      const counted = days.flatMap((name) => filterWithFleet(trips, listHours(name)))
      return counted.length ? sumStateTime('available') / counted.length / 1000 : null
    }
    case 'distance_total':
      return sum(distances)
    case 'distance_mean':
      return divide(sum(distances), distances.length)
    case 'distance_median':
      return getQuantile(distances, 0.5)
    case 'distance_p90':
      return getQuantile(distances, 0.9)
    case 'duration_total':
      return sum(durations)
    case 'duration_mean':
      return divide(sum(durations), durations.length)
    case 'duration_median':
      return getQuantile(durations, 0.5)
    case 'duration_p90':
      return getQuantile(durations, 0.9)
    case 'speed_mean': {
      const measuredTrips = usualTrips.filter(({ distance }) => !Number.isNaN(distance))
      return divide(
        sum(measuredTrips.map(({ distance }) => distance)),
        sum(measuredTrips.map(({ duration }) => duration)),
      )
    }
    case 'parking_events':
      return started.length
    case 'parked_time':
      return (
        sumTimeIn(
          parking.map((each) => ({ ...each, to: Math.min(each.to, now) })),
          hours,
        ) / 1000
      )
    case 'parking_over_limit':
      return parked.filter((ms) => ms >= limit * minuteMs).length
    case 'parked_mean':
      return started.length ? sum(parked) / started.length / 1000 : null
    case 'parked_median':
      return started.length ? getQuantile(parked, 0.5)! / 1000 : null
    case 'drop_offs':
      return events.filter(
        ({ from, eventTypes }) =>
          isIn(from) && eventTypes.some((type) => ['provider_drop_off', 'agency_drop_off'].includes(type)),
      ).length
    case 'rebalancing':
      return events.filter(({ from, eventTypes }) => isIn(from) && eventTypes.includes('rebalance_pick_up'))
        .length
  }
}

test.each(clockChanges)(
  'every measure in %s from %s equals a plain count for any dimensions and filters, also on the current day',
  async (timezone, firstDay) => {
    const { regionId, scope, days, clock, intervals, parking, derivation, reports, ...city } =
      await makeReportCity(state, facts, timezone, firstDay)
    // An operator without a fleet feed.
    const tripsWithoutFleet = city.trips.slice(0, 40).map((trip, index) => ({
      ...trip,
      operator: 'crane',
      device: `${(900 + index).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`,
      start: trip.start + 1000 * (index + 1),
    }))
    await city.storeTrips(tripsWithoutFleet, 1)
    const trips = [...city.trips, ...tripsWithoutFleet]
    const events = await storeEvents(facts, scope, regionId, intervals)
    await derivation.idle()
    const region = await findRegion(state, scope, regionId)
    const today = addDays(days[2]!, 1)
    const anyQuestion = fc.record({
      dimensions: fc.constantFrom(...groupings),
      measures: fc.shuffledSubarray([...measureKeys], { minLength: 1 }),
      span: fc.constantFrom([days[0]!, days[2]!], [days[1]!, today], [today, today]),
      operators: fc.constantFrom([], [], ['lark'], ['crane', 'heron'], ['nobody']),
      vehicle_types: fc.constantFrom([], [], ['bicycle'] as const, ['bicycle', 'scooter_standing'] as const),
      weekdays: fc.constantFrom([], [], [7], [6, 1]),
      hours: fc.constantFrom([0, 23], [0, 23], [22, 5], [1, 3]),
      limit: fc.constantFrom(60, 200, 1440),
    })
    await fc.assert(
      fc.asyncProperty(
        anyQuestion,
        async ({ dimensions, measures, span, operators, vehicle_types, weekdays, hours, limit }) => {
          const question = MetricsQuestion.parse({
            measures,
            dimensions,
            start_date: span[0],
            end_date: span[1],
            operators,
            vehicle_types,
            days: weekdays,
            hour_filters: hours,
            parking_limit: limit,
          })
          const response = await queryMetrics(
            { facts, reports, cache: new MetricsCache() },
            { scope, region, at: new Date(clock.now) },
            question,
          )
          const selectedHours = listHours(question, timezone, clock.now)
          const isSelected = (record: Interval | Trip): boolean =>
            (!operators.length || operators.includes(record.operator as never)) &&
            (!vehicle_types.length || vehicle_types.includes(record.type as never))
          const selectedIntervals = intervals.filter(isSelected)
          const selectedTrips = trips.filter(isSelected)
          const selectedParking = parking.filter(isSelected)
          const selectedEvents = events.filter(isSelected)
          const isHourly =
            hoursOfRange(question.hour_filters).length < 24 ||
            dimensions.some((dimension) => dimension === 'hour' || dimension === 'hour_of_day')
          for (const { keys, values } of response.period.rows) {
            const isKey = (hour: Hour): boolean =>
              dimensions.every(
                (dimension, index) => (timeKey[dimension]?.(hour) ?? keys[index]) === keys[index],
              )
            const isGroup = (record: Interval | Trip): boolean =>
              dimensions.every(
                (dimension, index) => (vehicleKey[dimension]?.(record) ?? keys[index]) === keys[index],
              )
            const plain = measures.map((measure) =>
              plainValue(
                measure,
                selectedHours.filter(isKey),
                selectedIntervals.filter(isGroup),
                selectedTrips.filter(isGroup),
                selectedParking.filter(isGroup),
                selectedEvents.filter(isGroup),
                { isHourly, timezone, now: clock.now, limit },
              ),
            )
            expect([keys, values.map(roundFigure)]).toEqual([keys, plain.map(roundFigure)])
          }
          // The newest hour depends on the selected hours, the newest fact on its operators.
          const newest = selectedHours.findLast(({ from, until }) =>
            [...selectedTrips.map(({ start }) => start), ...selectedEvents.map((event) => event.from)].some(
              (at) => at >= from && at < until,
            ),
          )
          const times = [
            ...trips.map(({ start, operator }) => ({ at: start, operator })),
            ...events.map(({ from, operator }) => ({ at: from, operator })),
          ]
            .filter(
              ({ at, operator }) =>
                newest &&
                at >= newest.from &&
                at < newest.until &&
                (!operators.length || operators.includes(operator as never)),
            )
            .map(({ at }) => at)
          expect(response.newest_fact).toBe(newest ? new Date(Math.max(...times)).toISOString() : null)
          // Every group with a trip has a row.
          const groups = new Set(
            selectedTrips
              .filter(({ start }) => selectedHours.some(({ from, until }) => start >= from && start < until))
              .map((trip) => {
                const tripHour = selectedHours.find(
                  ({ from, until }) => trip.start >= from && trip.start < until,
                )!
                return dimensions
                  .map((dimension) => timeKey[dimension]?.(tripHour) ?? vehicleKey[dimension]?.(trip))
                  .join(' ')
              }),
          )
          const rows = new Set(response.period.rows.map(({ keys }) => keys.join(' ')))
          expect([...groups].filter((key) => !rows.has(key))).toEqual([])
          expect(rows.size).toBe(response.period.rows.length)
          const totals = measures.map((measure) =>
            plainValue(
              measure,
              selectedHours,
              selectedIntervals,
              selectedTrips,
              selectedParking,
              selectedEvents,
              { isHourly: hoursOfRange(question.hour_filters).length < 24, timezone, now: clock.now, limit },
            ),
          )
          // Without any fact of an operator nothing is known.
          expect(response.period.totals.map(roundFigure)).toEqual(
            response.period.rows.length ? totals.map(roundFigure) : measures.map(() => null),
          )
          const ratios = ['trips_per_vehicle', 'wait_between_trips', 'active_share'] as const
          const isRatio = ratios.some((measure) => measures.includes(measure))
          const operatorsWithoutFleet = response.without_fleet.map(({ operator }) => operator)
          const hasTripsWithoutFleet = selectedTrips.some(
            ({ operator, start }) =>
              operator === 'crane' && selectedHours.some(({ from, until }) => start >= from && start < until),
          )
          expect(operatorsWithoutFleet.includes('crane')).toBe(isRatio && hasTripsWithoutFleet)
          expect(response.unfinished_day).toBe(span[1] === today ? today : null)
        },
      ),
      { numRuns: runs },
    )
  },
  240_000,
)

test('distributions have the counts, means and quantiles of a plain count', async () => {
  const timezone = 'America/New_York'
  const { regionId, scope, days, clock, trips, parking, derivation, reports } = await makeReportCity(
    state,
    facts,
    timezone,
  )
  await derivation.idle()
  const region = await findRegion(state, scope, regionId)
  const usualTrips = trips.filter(({ isOutlier }) => !isOutlier)
  const measuredTrips = usualTrips.filter(({ distance }) => !Number.isNaN(distance))
  type Value = { of: Trip | Interval; at: number; value: number; weight: number }
  const values: Record<DistributedValue, Value[]> = {
    trip_distance: measuredTrips.map((of) => ({ of, at: of.start, value: of.distance, weight: 1 })),
    trip_duration: usualTrips.map((of) => ({ of, at: of.start, value: of.duration, weight: 1 })),
    trip_speed: measuredTrips.map((of) => ({
      of,
      at: of.start,
      value: of.distance / of.duration,
      weight: of.duration,
    })),
    parked_duration: parking.map((of) => ({
      of,
      at: of.from,
      value: (Math.min(of.to, clock.now) - of.from) / 1000,
      weight: 1,
    })),
  }
  const binsByMeasure = {
    trip_distance: [0, 100, 1000.5, 4000],
    trip_duration: [0, 600, 3600, 7200.25],
    trip_speed: [0.1, 0.3, 1],
    parked_duration: [0, 3600, 7200, 14_400],
  }
  const groups = [null, 'operator', 'vehicle_type', 'propulsion_type', 'day', 'hour_of_day'] as const
  for (const value of Object.keys(values) as DistributedValue[])
    for (const [at, group] of groups.entries()) {
      const question = DistributionQuestion.parse({
        value,
        bins: binsByMeasure[value],
        group_by: group,
        start_date: days[0],
        end_date: days[2],
        operators: at % 3 === 2 ? ['lark'] : [],
        hour_filters: at % 2 ? [22, 5] : [0, 23],
      })
      const selectedHours = listHours(question, timezone, clock.now)
      const selectedSamples = values[value].flatMap((sample) => {
        const sampleHour = selectedHours.find(({ from, until }) => sample.at >= from && sample.at < until)
        return sampleHour && (!question.operators.length || question.operators.includes(sample.of.operator))
          ? [
              {
                ...sample,
                key: group ? (timeKey[group]?.(sampleHour) ?? vehicleKey[group]?.(sample.of) ?? '') : '',
              },
            ]
          : []
      })
      const countPlainly = (values: readonly Value[]) => ({
        n: values.length,
        counts: question.bins.map(
          (from, bin) =>
            values.filter(
              (sample) => sample.value >= from && sample.value < (question.bins[bin + 1] ?? Infinity),
            ).length,
        ),
        values: [
          divide(
            sum(values.map((sample) => sample.value * sample.weight)),
            sum(values.map(({ weight }) => weight)),
          ),
          ...[0, 0.25, 0.5, 0.75, 0.9, 1].map((level) =>
            getQuantile(
              values.map((sample) => sample.value),
              level,
            ),
          ),
        ].map(roundFigure),
      })
      const found = await queryDistribution(
        { facts, reports, cache: new DistributionCache() },
        { scope, region },
        question,
      )
      const toShownDistribution = ({ n, counts, ...rest }: Distribution) => ({
        n,
        counts,
        values: [
          rest.mean,
          rest.min,
          rest.lower_quartile,
          rest.median,
          rest.upper_quartile,
          rest.p90,
          rest.max,
        ].map(roundFigure),
      })
      expect(toShownDistribution(found.total)).toEqual(countPlainly(selectedSamples))
      expect(selectedSamples.length).toBeGreaterThan(3)
      expect(
        Object.fromEntries(found.groups.map((group) => [group.key, toShownDistribution(group)])),
      ).toEqual(
        group === null
          ? {}
          : Object.fromEntries(
              [...new Set(selectedSamples.map(({ key }) => key))].map((key) => [
                key,
                countPlainly(selectedSamples.filter((sample) => sample.key === key)),
              ]),
            ),
      )
    }
}, 240_000)
