import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { maxParkedMinutes } from './map-names.ts'
import { VehicleType } from './mobility.ts'
import { pageSchema, pageQuery } from './page.ts'
import { dayMs, fullDay, HourRange, LocalDay, Weekday } from './period.ts'
import type { VehicleState } from './vehicle-states.ts'

/**
 * How a measure is aggregated over a selection. `sum`: sum over facts; `ratio`: sum divided by sum, never a
 * mean of ratios; `mean_of_days`: mean of the values of local days; `max`: largest value; `quantile`: exact,
 * over all facts.
 */
export type Aggregation = 'sum' | 'ratio' | 'mean_of_days' | 'max' | 'quantile'

export type MeasureUnit =
  | 'trips'
  | 'vehicles'
  | 'trips_per_vehicle'
  | 'share'
  | 'meters'
  | 'seconds'
  | 'meters_per_second'
  | 'events'
  | 'vehicle_seconds'

interface MeasureDeclaration {
  unit: MeasureUnit
  aggregation: Aggregation
  /** Definition in English; the web app has translations. */
  definition: string
  /** Incremented when a change of the method changes values. */
  version: number
}

const measure = (
  unit: MeasureUnit,
  aggregation: Aggregation,
  definition: string,
  version = 1,
): MeasureDeclaration => ({ unit, aggregation, definition, version })

/** Every figure of reports, home page, exports and scheduled reports (docs/metrics.md). */
export const measures = {
  trips: measure('trips', 'sum', 'Trips that start in the period'),
  trips_per_vehicle: measure(
    'trips_per_vehicle',
    'mean_of_days',
    'Trips of a day divided by its average fleet; for a longer period, the mean of its days. Trips of operators without vehicles on a day do not count',
    2,
  ),
  fleet_avg: measure(
    'vehicles',
    'ratio',
    'Average number of vehicles in the public right of way over the period',
  ),
  fleet_max: measure(
    'vehicles',
    'max',
    'Largest number of vehicles in the public right of way at any minute',
  ),
  fleet_sae_max: measure(
    'vehicles',
    'max',
    'Largest of the hourly averages of vehicles in the public right of way',
  ),
  fleet_daytime_avg: measure(
    'vehicles',
    'ratio',
    'Average number of vehicles in the public right of way during the operating hours of the region',
  ),
  vehicles_available: measure('vehicles', 'ratio', 'Average number of available vehicles'),
  vehicles_reserved: measure('vehicles', 'ratio', 'Average number of reserved vehicles'),
  vehicles_on_trip: measure(
    'vehicles',
    'ratio',
    'Average number of vehicles on a trip, or stopped during one',
  ),
  vehicles_non_operational: measure('vehicles', 'ratio', 'Average number of non-operational vehicles'),
  active_share: measure(
    'share',
    'ratio',
    'Vehicles that start a trip divided by vehicles in the public right of way at any time of the day, for operators with vehicles there',
    2,
  ),
  utilization: measure('share', 'ratio', 'Time on trips divided by time in the public right of way'),
  idle_share: measure('share', 'ratio', 'Time available divided by time in the public right of way'),
  non_operational_share: measure(
    'share',
    'ratio',
    'Time non-operational divided by time in the public right of way',
  ),
  low_battery_time: measure(
    'vehicle_seconds',
    'sum',
    'Time of vehicles non-operational because of a low battery',
  ),
  wait_between_trips: measure(
    'seconds',
    'ratio',
    'Time available divided by trips, for operators with vehicles on the day',
    2,
  ),
  distance_total: measure('meters', 'sum', 'Total distance of trips, without outliers'),
  distance_mean: measure('meters', 'ratio', 'Mean distance of trips, without outliers'),
  distance_median: measure('meters', 'quantile', 'Median distance of trips, without outliers'),
  distance_p90: measure(
    'meters',
    'quantile',
    'Distance that nine of ten trips do not exceed, without outliers',
  ),
  duration_total: measure('seconds', 'sum', 'Total duration of trips, without outliers'),
  duration_mean: measure('seconds', 'ratio', 'Mean duration of trips, without outliers'),
  duration_median: measure('seconds', 'quantile', 'Median duration of trips, without outliers'),
  duration_p90: measure(
    'seconds',
    'quantile',
    'Duration that nine of ten trips do not exceed, without outliers',
  ),
  speed_mean: measure(
    'meters_per_second',
    'ratio',
    'Distance divided by duration, for trips whose distance and duration are known, without outliers',
  ),
  parking_events: measure('events', 'sum', 'Parking events that begin in the period'),
  parked_time: measure('vehicle_seconds', 'sum', 'Time of parking events within the period'),
  parking_over_limit: measure(
    'events',
    'sum',
    'Parking events that begin in the period and last at least as long as the limit',
  ),
  parked_mean: measure(
    'seconds',
    'ratio',
    'Mean duration of parking events that begin in the period, of open ones until now',
  ),
  parked_median: measure(
    'seconds',
    'quantile',
    'Median duration of parking events that begin in the period, of open ones until now',
  ),
  drop_offs: measure('events', 'sum', 'Vehicles put out by operators or the agency'),
  rebalancing: measure('events', 'sum', 'Vehicles picked up by operators for rebalancing'),
} as const satisfies Record<string, MeasureDeclaration>
export type MeasureKey = keyof typeof measures
export const measureKeys = Object.keys(measures) as [MeasureKey, ...MeasureKey[]]

/** States that `vehicles_*` measures count; `stopped` is a stop during a trip. */
export const measureStates = {
  vehicles_available: ['available'],
  vehicles_reserved: ['reserved'],
  vehicles_on_trip: ['on_trip', 'stopped'],
  vehicles_non_operational: ['non_operational'],
} as const satisfies Record<string, readonly VehicleState[]>

/** Periods of a time series. Weeks start on Monday. `hour_of_day` and `day_of_week` aggregate all days. */
export const timeDimensions = ['hour', 'day', 'week', 'month', 'hour_of_day', 'day_of_week'] as const
/** Properties by which vehicles are grouped. */
export const fleetDimensions = ['operator', 'vehicle_type', 'propulsion_type'] as const
export const metricDimensions = [...timeDimensions, ...fleetDimensions] as const
export type MetricDimension = (typeof metricDimensions)[number]
export type TimeDimension = (typeof timeDimensions)[number]

/** Maximum number of local days per request: five years. */
export const maxMetricDays = 5 * 366
/** Maximum number of rows in a response. */
export const maxMetricRows = 50_000

/** Minutes from which a parking event is over the limit. */
export const ParkingLimit = z.number().int().min(1).max(maxParkedMinutes).default(1440)

/** Filters of all requests for measures, besides the period. */
export const metricFilters = {
  operators: z.array(z.string()).max(200).default([]),
  vehicle_types: z.array(VehicleType).max(20).default([]),
  /** ISO weekdays; empty: all. */
  days: z.array(Weekday).max(7).default([]),
  /** First and last hour of the local day, both included; `[22, 5]` runs overnight. */
  hour_filters: HourRange.default(fullDay),
}
const selection = { start_date: LocalDay, end_date: LocalDay, ...metricFilters }
const hasOrderedDays = ({ start_date, end_date }: { start_date: LocalDay; end_date: LocalDay }): boolean =>
  start_date <= end_date
const reversedDaysError = { path: ['end_date'], message: 'The last day is before the first' }
const isWithinMaxDays = ({ start_date, end_date }: { start_date: LocalDay; end_date: LocalDay }): boolean =>
  (Date.parse(end_date) - Date.parse(start_date)) / dayMs < maxMetricDays
const tooManyDaysError = { path: ['end_date'], message: 'A period has at most five years' }

export const MetricsQuestion = z
  .object({
    measures: z.array(z.enum(measureKeys)).min(1).max(measureKeys.length),
    dimensions: z.array(z.enum(metricDimensions)).max(4).default([]),
    ...selection,
    /** A period to compare with; both days or none. */
    compare_start_date: LocalDay.nullable().default(null),
    compare_end_date: LocalDay.nullable().default(null),
    parking_limit: ParkingLimit,
  })
  .refine(hasOrderedDays, reversedDaysError)
  .refine(isWithinMaxDays, tooManyDaysError)
  .refine(
    ({ compare_start_date: start, compare_end_date: end }) =>
      start === null || end === null
        ? start === end
        : start <= end && isWithinMaxDays({ start_date: start, end_date: end }),
    {
      path: ['compare_end_date'],
      message: 'A compared period has both days, in order, at most five years apart',
    },
  )
  .refine(({ dimensions }) => new Set(dimensions).size === dimensions.length, {
    path: ['dimensions'],
    message: 'Each dimension may occur only once',
  })
  .refine(
    ({ dimensions }) =>
      dimensions.filter((dimension) => (timeDimensions as readonly string[]).includes(dimension)).length <= 2,
    { path: ['dimensions'], message: 'At most two dimensions of time' },
  )
export type MetricsQuestion = z.output<typeof MetricsQuestion>

/** Values in the order of the requested measures. Null: unknown, such as a fleet without a feed; not zero. */
const Values = z.array(z.number().nullable())
const MetricsPeriod = z.object({
  start_date: LocalDay,
  end_date: LocalDay,
  /** One row per group that has facts; its keys are in the order of the requested dimensions. */
  rows: z.array(z.object({ keys: z.array(z.string()), values: Values })),
  /** Values over the entire selection. */
  totals: Values,
})
export const MetricsResponse = z
  .object({
    period: MetricsPeriod,
    comparison: MetricsPeriod.nullable(),
    methods: z.array(
      z.object({
        measure: z.enum(measureKeys),
        unit: z.string(),
        aggregation: z.string(),
        definition: z.string(),
        version: z.number().int(),
      }),
    ),
    /** Region settings on which the values depend. */
    parameters: z.object({
      timezone: z.string(),
      lost_after_hours: z.number(),
      operating_hours: z.object({ from: z.string(), until: z.string() }),
      /** Minutes. */
      parking_limit: z.number(),
    }),
    /** Time of the newest fact of the period; null: there is none. */
    newest_fact: z.iso.datetime().nullable(),
    /** The first day with facts of the selected operators, also before the period; null: there is none. */
    first_day: LocalDay.nullable(),
    /** The current local day, if the period includes it: its values are incomplete. */
    unfinished_day: LocalDay.nullable(),
    /** Days of the period with changed facts. Their values are outdated until they are derived again. */
    pending_days: z.number().int(),
    /** Number of trips of the period that distances, durations and speeds exclude as outliers. */
    excluded_trips: z.number().int(),
    /** Share of the hours that usually have data in which the operator's feed had data; null: no feed. */
    coverage: z.array(z.object({ operator: z.string(), share: z.number().nullable() })),
    /**
     * Operators that had trips but no vehicles in the public right of way, with the number of such days.
     * Ratios of trips to vehicles exclude these trips. Empty if no such ratio is requested.
     */
    without_fleet: z.array(z.object({ operator: z.string(), days: z.number().int() })),
  })
  .meta({ id: 'MetricsResponse' })
export type MetricsResponse = z.output<typeof MetricsResponse>

export const queryMetrics = endpoint({
  route: 'POST /regions/{region_id}/metrics/query',
  cost: 'heavy',
  permission: 'signed_in',
  scope: 'metrics:read',
  reads: true,
  summary: 'Any measures of mobility by any dimensions, with their methods and the coverage of the data',
  request: { params: z.object({ region_id: z.string() }), body: MetricsQuestion },
  response: MetricsResponse,
})

/** Values with distributions, with their units. Outliers of trips are excluded. */
export const distributedValues = {
  trip_distance: 'meters',
  trip_duration: 'seconds',
  trip_speed: 'meters_per_second',
  parked_duration: 'seconds',
} as const satisfies Record<string, MeasureUnit>
export type DistributedValue = keyof typeof distributedValues
/** Maximum number of bins of one distribution. */
export const maxBins = 200

export const DistributionQuestion = z
  .object({
    value: z.enum(Object.keys(distributedValues) as [DistributedValue, ...DistributedValue[]]),
    /** Lower bounds of the bins (inclusive) in the unit of the value. The last bin has no upper bound. */
    bins: z.array(z.number()).min(1).max(maxBins),
    group_by: z.enum(metricDimensions).nullable().default(null),
    ...selection,
  })
  .refine(hasOrderedDays, reversedDaysError)
  .refine(isWithinMaxDays, tooManyDaysError)
  .refine(({ bins }) => bins.every((bin, index) => index === 0 || bin > bins[index - 1]!), {
    path: ['bins'],
    message: 'Bounds of bins must ascend',
  })
export type DistributionQuestion = z.output<typeof DistributionQuestion>

const Distribution = z.object({
  /** Key of the group; empty for all. */
  key: z.string(),
  /** Number of values, in total and by bin. Values below the first bin are in no bin. */
  n: z.number().int(),
  counts: z.array(z.number().int()),
  /** For speeds: total distance divided by total duration. Like the others, null if there are no values. */
  mean: z.number().nullable(),
  min: z.number().nullable(),
  lower_quartile: z.number().nullable(),
  median: z.number().nullable(),
  upper_quartile: z.number().nullable(),
  p90: z.number().nullable(),
  max: z.number().nullable(),
})
export type Distribution = z.output<typeof Distribution>

export const DistributionResponse = z
  .object({
    unit: z.string(),
    groups: z.array(Distribution),
    total: Distribution,
    /** Number of trips of the selection without such a value, or with an outlier. */
    excluded: z.number().int(),
    /** Days of the period with changed facts. Their values are outdated until they are derived again. */
    pending_days: z.number().int(),
  })
  .meta({ id: 'DistributionResponse' })
export type DistributionResponse = z.output<typeof DistributionResponse>

export const queryDistribution = endpoint({
  route: 'POST /regions/{region_id}/metrics/distribution',
  cost: 'heavy',
  permission: 'signed_in',
  scope: 'metrics:read',
  reads: true,
  summary: 'How distances, durations and speeds of trips and durations of parking events are distributed',
  request: { params: z.object({ region_id: z.string() }), body: DistributionQuestion },
  response: DistributionResponse,
})

/** Kinds of records that measures are computed from. */
export const recordKinds = ['trips', 'parking_events', 'parked_time', 'events', 'states'] as const
export type RecordKind = (typeof recordKinds)[number]
const stateMeasures = [
  'fleet_avg',
  'fleet_max',
  'fleet_sae_max',
  'fleet_daytime_avg',
  'vehicles_available',
  'vehicles_reserved',
  'vehicles_on_trip',
  'vehicles_non_operational',
  'active_share',
  'utilization',
  'idle_share',
  'non_operational_share',
  'low_battery_time',
] as const satisfies readonly MeasureKey[]
const recordKindByMeasure: Partial<Record<MeasureKey, RecordKind>> = {
  ...Object.fromEntries(stateMeasures.map((key) => [key, 'states' as const])),
  parking_events: 'parking_events',
  parking_over_limit: 'parking_events',
  parked_mean: 'parking_events',
  parked_median: 'parking_events',
  parked_time: 'parked_time',
  drop_offs: 'events',
  rebalancing: 'events',
}
export const getRecordKind = (measure: MeasureKey): RecordKind => recordKindByMeasure[measure] ?? 'trips'

export const MetricRecordsQuestion = z
  .object({ measure: z.enum(measureKeys), ...selection, parking_limit: ParkingLimit, ...pageQuery(50, 1000) })
  .refine(hasOrderedDays, reversedDaysError)
  .refine(isWithinMaxDays, tooManyDaysError)
export type MetricRecordsQuestion = z.output<typeof MetricRecordsQuestion>

/** A record that a measure counts: a trip, parking event, event, or interval of a vehicle in one state. */
export const MetricRecord = z
  .object({
    operator: z.string(),
    /** Number on the vehicle, or its device id if the number is unknown. */
    vehicle_id: z.string(),
    vehicle_type: z.string(),
    from_time: z.string(),
    /** Null: not ended, or unknown. */
    until_time: z.string().nullable(),
    /** State of the vehicle, or types of the event; empty for other records. */
    state: z.string(),
    distance_m: z.number().nullable(),
    /** Seconds; for states and parked time only those within the selection, which the measure adds up. */
    duration_s: z.number().nullable(),
    /** Whether it is an outlier that distances, durations and speeds exclude. */
    is_excluded: z.boolean(),
  })
  .meta({ id: 'MetricRecord' })
export type MetricRecord = z.output<typeof MetricRecord>

export const listMetricRecords = endpoint({
  route: 'POST /regions/{region_id}/metrics/records',
  cost: 'heavy',
  permission: 'signed_in',
  personal: true,
  reads: true,
  summary:
    'The records that a measure counts, newest first. For those who edit policies, and for an operator its own',
  request: { params: z.object({ region_id: z.string() }), body: MetricRecordsQuestion },
  response: pageSchema(MetricRecord).extend({ kind: z.enum(recordKinds) }),
})
