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

/** Inputs of a question from which a mode builds its SQL. */
export interface QueryContext {
  aggregation: SpatialAggregation
  filters: Filters & { start_date: string; end_date: string }
  time: QueryTime
  bucket: TimeBucket | null
  /** Minimum duration of parking events, minutes. */
  parkedMinutes: number
  /** A vehicle without contact for this many hours is lost and no longer counted. */
  lostAfterHours: number
  /** Time of the request, ms; later facts do not exist yet. */
  now: number
}

/** How points find their shapes: the indexes of the layer, and the number of the selected shape in them. */
export interface ShapeLookup {
  indexes: readonly StoredIndex[]
  selected: number | null
  /** The list in `way_shapes` with the routes of the period; set if the mode needs routes. */
  listId?: string
}

/** A row of sums by shape as the fact store returns it; 64-bit integers are text. */
export type StoredRow = Readonly<Record<string, string | number>>

/** Sums of a shape (or NO_SHAPE_ID, ALL_SHAPES_ID) under the names of the mode's query. */
export interface SumRow {
  shape: number
  /** Empty if the question has no bucket. */
  bucket: string
  operator: string | null
  sums: Readonly<Record<string, number>>
}

const keyColumns: ReadonlySet<string> = new Set(['shape', 'bucket', 'day', 'hour', 'operator'])

/** Reads a row of any mode's query: days and hours become the bucket, all other columns are sums. */
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
export const sumOf = (rows: readonly SumRow[], name: string): number =>
  rows.reduce((sum, row) => sum + (row.sums[name] ?? 0), 0)

/** What the figures of a shape are computed from. */
export interface FigureInput {
  rows: readonly SumRow[]
  /** The rows of the whole region, with every fact counted once. */
  regionRows: readonly SumRow[]
  span: Span
}

/** How cubes answer a question: the name of each sum of the query in the cubes. */
export interface CubeQuery {
  sums: Readonly<Record<string, CubeSum>>
  byOperator: boolean
}

/** A map that gives each shape of a layer a value: one file per mode, one line in modes.ts. */
export interface Mode {
  name: SpatialMode
  /** Throws a Problem if the layer does not support the aggregation. */
  check?: (aggregation: SpatialAggregation, layer: Layer) => void
  unitOf(aggregation: SpatialAggregation): SpatialUnit
  /** Means of shapes do not add up to the value of the region. */
  isMean(aggregation: SpatialAggregation): boolean
  /** Inputs of the rows besides filters and bucket, for the cache key; null if there are none. */
  basis(context: QueryContext): unknown
  /** Whether the routes of trips must be indexed before the query runs. */
  needsRoutes?: (aggregation: SpatialAggregation) => boolean
  query(context: QueryContext, lookup: ShapeLookup): Sql
  /** The question to the cubes; null if they do not contain all that the aggregation needs. */
  cubed?: (context: QueryContext) => CubeQuery | null
  figures(aggregation: SpatialAggregation, input: FigureInput): ShapeFigures
  /** How many trips of the region have routes; null if the aggregation does not use routes. */
  routeCounts?: (aggregation: SpatialAggregation, regionRows: readonly SumRow[]) => RouteCoverage | null
  /** Extent of all facts of a region: `facts`, `first_day`, `last_day`, `operators`, `vehicle_types`. */
  extent(regionId: string, timezone: string): Sql
}

const minuteMs = 60_000

/**
 * The moment from which the answer no longer changes; open parking events are cut at it. A mean includes full
 * lengths, so it does not settle while a parking event is open.
 */
export const settledAt = ({ aggregation, now, time, parkedMinutes }: QueryContext): number =>
  aggregation === 'average_parked_duration' ? now : Math.min(now, time.until + parkedMinutes * minuteMs)
