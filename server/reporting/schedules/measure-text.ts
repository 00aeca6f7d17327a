import { type MeasureKey, measures } from '#contract/metrics.ts'
import { distanceUnit, toDistanceUnit } from '#contract/units.ts'

/** Names of measures in reports. */
export const measureNames: Readonly<Record<MeasureKey, string>> = {
  trips: 'Trips',
  trips_per_vehicle: 'Trips per vehicle and day',
  fleet_avg: 'Vehicles, average',
  fleet_max: 'Vehicles, maximum',
  fleet_sae_max: 'Vehicles, largest hourly average',
  fleet_daytime_avg: 'Vehicles, daytime average',
  vehicles_available: 'Available vehicles',
  vehicles_reserved: 'Reserved vehicles',
  vehicles_on_trip: 'Vehicles on a trip',
  vehicles_non_operational: 'Non-operational vehicles',
  active_share: 'Active vehicles',
  utilization: 'Utilization',
  idle_share: 'Idle time',
  non_operational_share: 'Non-operational time',
  low_battery_time: 'Time with a low battery',
  wait_between_trips: 'Wait between trips',
  distance_total: 'Total distance',
  distance_mean: 'Mean distance',
  distance_median: 'Median distance',
  distance_p90: 'Distance, 90th percentile',
  duration_total: 'Total duration',
  duration_mean: 'Mean duration',
  duration_median: 'Median duration',
  duration_p90: 'Duration, 90th percentile',
  speed_mean: 'Mean speed',
  parking_events: 'Parking events',
  parked_time: 'Parked time',
  parking_over_limit: 'Parking events over 24 hours',
  parked_mean: 'Mean parked time',
  parked_median: 'Median parked time',
  drop_offs: 'Drop-offs',
  rebalancing: 'Rebalancing pick-ups',
}

/** Text of a value that is not known. */
export const unknownText = 'n/a'

const formatted = (value: number, digits: number): string =>
  new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
    value,
  )

/** Measures in hours: vehicles are parked for hours and days, and totals are large. */
const hourMeasures: readonly MeasureKey[] = ['parked_mean', 'parked_median', 'duration_total']

/** The unit of a measure with a space before it; none for counts and shares. */
export function unitOf(key: MeasureKey, isMetric: boolean): string {
  switch (measures[key].unit) {
    case 'meters':
      return ` ${distanceUnit(isMetric)}`
    case 'seconds':
      return hourMeasures.includes(key) ? ' h' : ' min'
    case 'vehicle_seconds':
      return ' h'
    case 'meters_per_second':
      return isMetric ? ' km/h' : ' mph'
    case 'share':
      return ' %'
    default:
      return ''
  }
}

/** A value in the unit of `unitOf`. */
export function shownValue(key: MeasureKey, value: number, isMetric: boolean): number {
  switch (measures[key].unit) {
    case 'share':
      return value * 100
    case 'meters':
      return toDistanceUnit(value, isMetric)
    case 'seconds':
      return value / (hourMeasures.includes(key) ? 3600 : 60)
    case 'vehicle_seconds':
      return value / 3600
    case 'meters_per_second':
      return toDistanceUnit(value * 3600, isMetric)
    default:
      return value
  }
}

function digitsOf(key: MeasureKey): number {
  const { unit } = measures[key]
  if (unit === 'trips' || unit === 'events' || key === 'fleet_max' || key === 'distance_total') return 0
  return unit === 'trips_per_vehicle' || unit === 'meters' ? 2 : 1
}

/** A value of a measure with its unit, in the region's units. */
export const measureText = (key: MeasureKey, value: number | null, isMetric: boolean): string =>
  value === null
    ? unknownText
    : `${formatted(shownValue(key, value, isMetric), digitsOf(key))}${unitOf(key, isMetric)}`

/** By how much a value changed, in percent of the one before. */
export function changeText(value: number | null, before: number | null): string {
  if (value === null || before === null || before === 0) return unknownText
  const change = ((value - before) / before) * 100
  return `${change > 0 ? '+' : ''}${formatted(change, 1)} %`
}
