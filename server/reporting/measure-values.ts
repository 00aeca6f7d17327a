import type { MeasureKey } from '#contract/metrics.ts'
import type { LocalDay } from '#contract/period.ts'
import type {
  ParkingSums,
  ReportDaySums,
  ReportFleet,
  ReportSums,
} from '#server/fleet/reports/read-report-facts.ts'

/** The facts of one group, from which measures are computed. */
export interface GroupFacts {
  sums: ReportSums | undefined
  days: readonly ReportDaySums[]
  /** The largest mean fleet of an hour. */
  largestHour: number | null
  fleet: ReportFleet | undefined
  parking: ParkingSums | undefined
  /** Elapsed time of the group's selection. */
  elapsedMs: number
  /** Elapsed time within operating hours. */
  operatingMs: number
  /** Elapsed time of each day, ms. */
  elapsedOfDay: ReadonlyMap<LocalDay, number>
  isHourly: boolean
}

/** Returns a quotient; null if the denominator is not positive. */
export const computeRatio = (numerator: number, denominator: number): number | null =>
  denominator > 0 ? numerator / denominator : null
/** Adds some sums of a row; 0 without a row. */
export const addSums = (sums: ReportSums | undefined, ...names: readonly (keyof ReportSums)[]): number =>
  names.reduce((total, name) => total + Number(sums?.[name] ?? 0), 0)
const sumDeployed = (sums: ReportSums | undefined): number =>
  addSums(
    sums,
    'available_ms',
    'reserved_ms',
    'on_trip_ms',
    'stopped_ms',
    'non_operational_ms',
    'non_contactable_ms',
  )
/** Computes the average number of vehicles in some states; null without vehicles in the right of way. */
const computeAverage = (group: GroupFacts, ...names: readonly (keyof ReportSums)[]): number | null =>
  sumDeployed(group.sums) > 0 ? computeRatio(addSums(group.sums, ...names), group.elapsedMs) : null
const computeShareOfDeployed = (
  { sums }: GroupFacts,
  ...names: readonly (keyof ReportSums)[]
): number | null => computeRatio(addSums(sums, ...names), sumDeployed(sums))
/** Converts mm to m, or ms to s. */
const toBaseUnits = (value: number | null | undefined): number | null => (value == null ? null : value / 1000)
/** Computes a quantile; null if no trip has the value. */
const computeQuantile = (
  sums: ReportSums | undefined,
  name: 'distance_median' | 'distance_p90' | 'duration_median' | 'duration_p90',
): number | null =>
  addSums(sums, name.startsWith('distance') ? 'distances' : 'durations') > 0
    ? toBaseUnits(sums?.[name])
    : null

/** How each measure is computed from the facts of a group; null if it is unknown. */
export const measureFormulas: Readonly<Record<MeasureKey, (group: GroupFacts) => number | null>> = {
  trips: ({ sums }) => addSums(sums, 'trip_count'),
  trips_per_vehicle: ({ days, elapsedOfDay }) => {
    const values = days.flatMap(({ on_day, trip_count, deployed_ms }) => {
      const fleet = computeRatio(Number(deployed_ms), elapsedOfDay.get(on_day) ?? 0)
      return fleet ? [Number(trip_count) / fleet] : []
    })
    return computeRatio(
      values.reduce((sum, value) => sum + value, 0),
      values.length,
    )
  },
  fleet_avg: (group) => computeRatio(sumDeployed(group.sums), group.elapsedMs) || null,
  fleet_max: ({ fleet }) => Number(fleet?.max ?? 0) || null,
  fleet_sae_max: ({ largestHour }) => largestHour || null,
  fleet_daytime_avg: (group) =>
    group.isHourly ? null : computeRatio(Number(group.fleet?.daytime_ms ?? 0), group.operatingMs) || null,
  vehicles_available: (group) => computeAverage(group, 'available_ms'),
  vehicles_reserved: (group) => computeAverage(group, 'reserved_ms'),
  vehicles_on_trip: (group) => computeAverage(group, 'on_trip_ms', 'stopped_ms'),
  vehicles_non_operational: (group) => computeAverage(group, 'non_operational_ms'),
  active_share: ({ fleet, isHourly }) =>
    isHourly ? null : computeRatio(Number(fleet?.active ?? 0), Number(fleet?.deployed ?? 0)),
  utilization: (group) => computeShareOfDeployed(group, 'on_trip_ms', 'stopped_ms'),
  idle_share: (group) => computeShareOfDeployed(group, 'available_ms'),
  non_operational_share: (group) => computeShareOfDeployed(group, 'non_operational_ms'),
  low_battery_time: ({ sums }) => (sumDeployed(sums) > 0 ? addSums(sums, 'low_battery_ms') / 1000 : null),
  wait_between_trips: ({ days }) => {
    const sum = (name: 'available_ms' | 'trip_count'): number =>
      days.reduce((total, day) => total + Number(day[name]), 0)
    return toBaseUnits(computeRatio(sum('available_ms'), sum('trip_count')))
  },
  distance_total: ({ sums }) => addSums(sums, 'distance_mm') / 1000,
  distance_mean: ({ sums }) =>
    toBaseUnits(computeRatio(addSums(sums, 'distance_mm'), addSums(sums, 'distances'))),
  distance_median: ({ sums }) => computeQuantile(sums, 'distance_median'),
  distance_p90: ({ sums }) => computeQuantile(sums, 'distance_p90'),
  duration_total: ({ sums }) => addSums(sums, 'duration_ms') / 1000,
  duration_mean: ({ sums }) =>
    toBaseUnits(computeRatio(addSums(sums, 'duration_ms'), addSums(sums, 'durations'))),
  duration_median: ({ sums }) => computeQuantile(sums, 'duration_median'),
  duration_p90: ({ sums }) => computeQuantile(sums, 'duration_p90'),
  // mm/ms equals m/s.
  speed_mean: ({ sums }) => computeRatio(addSums(sums, 'paired_mm'), addSums(sums, 'paired_ms')),
  parking_events: ({ sums }) => addSums(sums, 'parking_begins'),
  parked_time: ({ sums }) => addSums(sums, 'parked_ms') / 1000,
  parking_over_limit: ({ parking }) => Number(parking?.over ?? 0),
  parked_mean: ({ parking }) =>
    toBaseUnits(computeRatio(Number(parking?.duration_ms ?? 0), Number(parking?.events ?? 0))),
  parked_median: ({ parking }) => toBaseUnits(parking?.duration_median),
  drop_offs: ({ sums }) => addSums(sums, 'drop_offs'),
  rebalancing: ({ sums }) => addSums(sums, 'pick_ups'),
}
