import {
  measureKeys,
  measures,
  type MeasureKey,
  type MetricsResponse,
  MetricsQuestion,
} from '#contract/metrics.ts'
import { type LocalDay, localDay, addDays } from '#contract/period.ts'
import type { VehicleType } from '#contract/mobility.ts'
import { Problem } from '#server/http/problem.ts'
import { type MetricsCaller, type MetricsSources, queryMetrics } from '../query-metrics.ts'

/** The parameters that all calls have in common. Operators are slugs separated by commas. */
interface ExternalQuery {
  start_date?: LocalDay | undefined
  end_date?: LocalDay | undefined
  operators?: string | undefined
  vehicle_type?: VehicleType | undefined
}
type Period = 'day' | 'week' | 'month'

/** Number of full days before today that are used if no period is requested. */
const defaultDays = 30

/** Chooses the days of a question, with defaults. */
function chooseDays({ start_date, end_date }: ExternalQuery, { region, at }: MetricsCaller) {
  const yesterday = addDays(localDay(at, region.timezone), -1)
  const end = end_date ?? yesterday
  return { start_date: start_date ?? addDays(end, 1 - defaultDays), end_date: end }
}

/** Queries metrics. @throws Problem if the question is not valid. */
async function queryFigures(
  sources: MetricsSources,
  caller: MetricsCaller,
  query: ExternalQuery,
  request: { measures: readonly MeasureKey[]; dimensions: readonly string[] },
): Promise<MetricsResponse> {
  const question = MetricsQuestion.safeParse({
    ...request,
    ...chooseDays(query, caller),
    operators: query.operators?.split(',').filter(Boolean) ?? [],
    vehicle_types: query.vehicle_type ? [query.vehicle_type] : [],
  })
  if (!question.success)
    throw new Problem('validation_error', question.error.issues.map(({ message }) => message).join('; '))
  return queryMetrics(sources, caller, question.data)
}

const tripMeasures = [
  'trips',
  'distance_total',
  'distance_median',
  'duration_total',
  'duration_median',
] as const satisfies readonly MeasureKey[]
const stateMeasures = [
  'vehicles_available',
  'vehicles_reserved',
  'vehicles_on_trip',
  'vehicles_non_operational',
] as const satisfies readonly MeasureKey[]

/** Returns the values by operator, vehicle type and, if requested, period. */
async function queryByGroup(
  sources: MetricsSources,
  caller: MetricsCaller,
  { period, ...query }: ExternalQuery & { period?: Period | undefined },
  request: readonly MeasureKey[],
) {
  const dimensions = ['operator', 'vehicle_type', ...(period ? [period] : [])]
  const result = await queryFigures(sources, caller, query, { measures: request, dimensions })
  return {
    start_date: result.period.start_date,
    end_date: result.period.end_date,
    pending_days: result.pending_days,
    rows: result.period.rows.map(({ keys: [operator = '', vehicle_type = '', start], values }) => ({
      group: { start: (start as LocalDay | undefined) ?? null, operator, vehicle_type },
      values,
    })),
  }
}

/** Returns trips, distances and durations by operator, vehicle type and, if requested, period. */
export async function readTripsSummary(
  sources: MetricsSources,
  caller: MetricsCaller,
  query: ExternalQuery & { period?: Period | undefined },
) {
  const { rows, ...period } = await queryByGroup(sources, caller, query, tripMeasures)
  return {
    ...period,
    items: rows.map(({ group, values: [trips, distance, distanceMedian, duration, durationMedian] }) => ({
      ...group,
      trips: trips ?? 0,
      total_distance_m: distance ?? null,
      median_distance_m: distanceMedian ?? null,
      total_duration_s: duration ?? null,
      median_duration_s: durationMedian ?? null,
    })),
  }
}

/** Returns the sum of average vehicles by state, all over the same time; null if one of them is unknown. */
const sumOrNull = (values: readonly (number | null | undefined)[]): number | null =>
  values.reduce<number | null>(
    (sum, value) => (sum === null || value === null || value === undefined ? null : sum + value),
    0,
  )

/** Returns the mean numbers of vehicles by state, operator, vehicle type and, if requested, period. */
export async function readAverageOperationalVehicles(
  sources: MetricsSources,
  caller: MetricsCaller,
  query: ExternalQuery & { period?: Period | undefined },
) {
  const { rows, ...period } = await queryByGroup(sources, caller, query, stateMeasures)
  return {
    ...period,
    items: rows.map(({ group, values: [available, reserved, onTrip, nonOperational] }) => ({
      ...group,
      average_operational_vehicles: sumOrNull([available, reserved, onTrip]),
      average_non_operational_vehicles: nonOperational ?? null,
    })),
  }
}

/** Returns all measures of a period, by operator and in total. */
export async function readMobilityMetrics(
  sources: MetricsSources,
  caller: MetricsCaller,
  query: ExternalQuery,
) {
  const result = await queryFigures(sources, caller, query, {
    measures: measureKeys,
    dimensions: ['operator'],
  })
  const groupByMeasure = (values: readonly (number | null)[]): Record<string, number | null> =>
    Object.fromEntries(measureKeys.map((key, index) => [key, values[index] ?? null]))
  const { start_date, end_date, rows, totals } = result.period
  return {
    start_date,
    end_date,
    items: rows.map(({ keys: [operator = ''], values }) => ({ operator, metrics: groupByMeasure(values) })),
    totals: groupByMeasure(totals),
    units: Object.fromEntries(measureKeys.map((key) => [key, measures[key].unit])),
    pending_days: result.pending_days,
  }
}
