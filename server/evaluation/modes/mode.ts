import { minuteMs } from '#contract/period.ts'
import type {
  ShapeFigures,
  SpatialAggregation,
  SpatialMode,
  SpatialUnit,
  TimeBucket,
  RouteCoverage,
} from '#contract/spatial.ts'
import type { Layer } from '#contract/geography.ts'
import type { StoredIndex } from '#server/geography/membership/face-sql.ts'
import type { Filters } from '#server/fleet/trip-filter-sql.ts'
import type { CubeSum } from '#server/fleet/cubes/cube-columns.ts'
import type { Sql } from '#server/stores/sql.ts'
import type { QueryTime, Span } from '../query-time.ts'

/** The part of a question from which a mode builds its SQL. */
export interface QueryContext {
  aggregation: SpatialAggregation
  filters: Filters & { start_date: string; end_date: string }
  time: QueryTime
  bucket: TimeBucket | null
  /** Minimum duration of parking events, minutes. */
  parkedMinutes: number
  /** A vehicle without contact for this many hours is lost and no longer counted. */
  lostAfterHours: number
  /** Time of the request, ms, rounded down to a minute. Open intervals end here. */
  now: number
}

/** How shapes of points are found: the indexes of the layer, and the number of the selected shape, if any. */
export interface ShapeLookup {
  indexes: readonly StoredIndex[]
  selected: number | null
  /** The list in `way_shapes` with the routes of the period; set if the mode needs routes. */
  listId?: string
}

/** A row of sums by shape as returned by the fact store; 64-bit integers are text. */
export type StoredRow = Readonly<Record<string, string | number>>

/** Sums of a shape (or of NO_SHAPE_ID, ALL_SHAPES_ID) by the column names of the mode's query. */
export interface SumRow {
  shape: number
  /** Empty if the question has no bucket. */
  bucket: string
  operator: string | null
  sums: Readonly<Record<string, number>>
}

const keyColumns: ReadonlySet<string> = new Set(['shape', 'bucket', 'day', 'hour', 'operator'])

/** Reads a row of any mode's query: a day or hour becomes the bucket, all columns but the keys are sums. */
export function readSumRow(row: StoredRow): SumRow {
  const bucket = row['bucket'] ?? row['day'] ?? row['hour'] ?? ''
  const sums: Record<string, number> = {}
  for (const name in row) if (!keyColumns.has(name)) sums[name] = Number(row[name])
  return {
    shape: Number(row['shape']),
    bucket: String(bucket),
    operator: row['operator'] === undefined ? null : String(row['operator']),
    sums,
  }
}

/** Adds up one sum over rows; 0 if there are none. */
export const sumRows = (rows: readonly SumRow[], name: string): number =>
  rows.reduce((sum, row) => sum + (row.sums[name] ?? 0), 0)

/** The input from which the figures of one shape are computed. */
export interface FigureInput {
  rows: readonly SumRow[]
  /** The rows of the region (ALL_SHAPES_ID), which count every fact once. */
  regionRows: readonly SumRow[]
  span: Span
}

/** A query for the cubes: the cube's name of each sum, by its name in the mode's rows. */
export interface CubeQuery {
  sums: Readonly<Record<string, CubeSum>>
  byOperator: boolean
}

/** A map that gives each shape of a layer a value: one file per mode, one line in modes.ts. */
export interface Mode {
  name: SpatialMode
  /** Throws a Problem if the layer does not support the aggregation. */
  check?: (aggregation: SpatialAggregation, layer: Layer) => void
  getUnit(aggregation: SpatialAggregation): SpatialUnit
  /** Whether the values are means, so that those of shapes do not add up to the value of the region. */
  isMean(aggregation: SpatialAggregation): boolean
  /**
   * Everything that the rows depend on besides filters and bucket, as a JSON value; null if nothing. It is
   * part of the cache key: each minimum duration of parking events has its own rows, and so does the
   * aggregation `intersect`. It also shows whether a result is settled: the basis of rows with open intervals
   * contains the time at which these are cut, so it changes every minute until the period has ended.
   */
  basis(context: QueryContext): unknown
  /** Whether the routes of trips must be indexed before the query runs. */
  needsRoutes?: (aggregation: SpatialAggregation) => boolean
  query(context: QueryContext, lookup: ShapeLookup): Sql
  /** The query for the cubes; null if they do not contain all sums that the aggregation needs. */
  cubed?: (context: QueryContext) => CubeQuery | null
  figures(aggregation: SpatialAggregation, input: FigureInput): ShapeFigures
  /** Counts the trips of the region with and without routes; null if the aggregation does not use routes. */
  routeCounts?: (aggregation: SpatialAggregation, regionRows: readonly SumRow[]) => RouteCoverage | null
  /** SQL for the extent of facts: `facts`, `first_day`, `last_day`, `operators`, `vehicle_types`. */
  extent(regionId: string, timezone: string): Sql
}

/**
 * Returns the instant at which open parking events are cut: now, until the result is settled. A result
 * is settled when every event that began in the period has reached the minimum duration or ended. A mean
 * includes full durations, so it is never settled.
 */
export const getSettledMs = ({ aggregation, now, time, parkedMinutes }: QueryContext): number =>
  aggregation === 'average_parked_duration' ? now : Math.min(now, time.until + parkedMinutes * minuteMs)
