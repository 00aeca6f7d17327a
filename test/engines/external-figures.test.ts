// Compares the figures of the external API with a plain count of raw facts, on days with clock changes.
import { expect, test } from 'vitest'
import { startOfDay, endOfDay } from '#contract/civil-clock.ts'
import { hourMs, localDay } from '#contract/period.ts'
import { findRegion } from '#server/regions/read-region.ts'
import {
  readAverageOperationalVehicles,
  readMobilityMetrics,
  readTripsSummary,
} from '#server/reporting/external/external-figures.ts'
import { MetricsCache } from '#server/reporting/query-metrics.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { roundFigure } from './metric-hours.ts'
import { clockChanges, type Interval, lostAfterHours, makeReportCity, type Trip } from './report-city.ts'
import { useStores } from './use-stores.ts'

let facts: Facts
let state: State
// oxlint-disable-next-line rules-of-hooks
useStores((...opened) => void ([facts, state] = opened))

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const computeMedian = (values: readonly number[]): number | null => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const lower = sorted[Math.floor(middle)]
  const upper = sorted[Math.ceil(middle)]
  return lower === undefined || upper === undefined ? null : (lower + upper) / 2
}
const roundValues = <Row extends object>(row: Row) =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, typeof value === 'number' ? roundFigure(value) : value]),
  )

test.each(clockChanges.slice(0, 3))(
  'external measures of operators in %s from %s equal a plain count',
  async (timezone, firstDay) => {
    const city = await makeReportCity(state, facts, timezone, firstDay)
    const { regionId, scope, days, clock, intervals, trips, derivation, reports } = city
    await derivation.idle()
    const caller = { scope, region: await findRegion(state, scope, regionId), at: new Date(clock.now) }
    const sources = { facts, reports, cache: new MetricsCache() }
    const query = { start_date: days[0]!, end_date: days[2]! }
    const groups = [...new Set(intervals.map(({ operator, type }) => `${operator} ${type}`))]
    const isInGroup = (group: string) => (record: Interval | Trip) =>
      `${record.operator} ${record.type}` === group
    const getBounds = (first: string, last: string) => ({
      from: startOfDay(first, timezone),
      until: endOfDay(last, timezone),
    })

    const byDay = await readTripsSummary(sources, caller, { ...query, period: 'day' })
    expect(byDay).toMatchObject({ ...query, pending_days: 0 })
    const plainTrips = groups.flatMap((group) =>
      days.flatMap((start) => {
        const tripsOfDay = trips.filter(
          (trip) => isInGroup(group)(trip) && localDay(new Date(trip.start), timezone) === start,
        )
        const usualTrips = tripsOfDay.filter(({ isOutlier }) => !isOutlier)
        const distances = usualTrips.map(({ distance }) => distance).filter((value) => !Number.isNaN(value))
        const durations = usualTrips.map(({ duration }) => duration)
        const [operator, vehicle_type] = group.split(' ')
        return {
          start,
          operator,
          vehicle_type,
          trips: tripsOfDay.length,
          total_distance_m: roundFigure(sum(distances)),
          median_distance_m: roundFigure(computeMedian(distances)),
          total_duration_s: roundFigure(sum(durations)),
          median_duration_s: roundFigure(computeMedian(durations)),
        }
      }),
    )
    expect(sum(plainTrips.map((plainTrip) => plainTrip.trips))).toBeGreaterThan(30)
    // Groups without vehicles on a day have no row.
    const rows = byDay.items.map(roundValues)
    expect(rows.length).toBeGreaterThan(9)
    expect(rows).toEqual(expect.arrayContaining(plainTrips.filter((plainTrip) => plainTrip.trips > 0)))
    expect(plainTrips).toEqual(expect.arrayContaining(rows))

    const averages = await readAverageOperationalVehicles(sources, caller, query)
    const { from, until } = getBounds(days[0]!, days[2]!)
    const clipToPeriod = (interval: Interval): number => {
      const end = Math.min(interval.to, interval.from + lostAfterHours * hourMs, until)
      return Math.max(0, end - Math.max(interval.from, from))
    }
    const computeAverage = (group: string, states: readonly string[]): number => {
      const counted = intervals.filter(({ state }) => states.includes(state)).filter(isInGroup(group))
      return sum(counted.map(clipToPeriod)) / (until - from)
    }
    expect(averages.items.map(roundValues).toSorted(compareGroups)).toEqual(
      groups
        .map((group) => ({
          start: null,
          operator: group.split(' ')[0],
          vehicle_type: group.split(' ')[1],
          average_operational_vehicles: roundFigure(
            computeAverage(group, ['available', 'reserved', 'on_trip', 'stopped']),
          ),
          average_non_operational_vehicles: roundFigure(computeAverage(group, ['non_operational'])),
        }))
        .toSorted(compareGroups),
    )

    const lark = await readMobilityMetrics(sources, caller, { ...query, operators: 'lark' })
    expect(lark.items.map(({ operator }) => operator)).toEqual(['lark'])
    expect(lark.items[0]!.metrics).toEqual(lark.totals)
    expect(lark.totals).toMatchObject({
      trips: trips.filter((trip) => {
        const day = localDay(new Date(trip.start), timezone)
        return trip.operator === 'lark' && days.includes(day)
      }).length,
    })
    expect(lark.units).toMatchObject({ trips: 'trips', distance_median: 'meters', utilization: 'share' })
  },
  120_000,
)

const toGroup = (row: Record<string, unknown>) => `${String(row['operator'])} ${String(row['vehicle_type'])}`
const compareGroups = (a: Record<string, unknown>, b: Record<string, unknown>): number =>
  toGroup(a) < toGroup(b) ? -1 : 1
