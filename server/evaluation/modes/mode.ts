import type {
  ShapeFigures,
  SpatialAggregation,
  SpatialMode,
  SpatialUnit,
  TimeBucket,
  RouteCoverage,
} from '#contract/spatial.ts'
import type { Layer } from '#contract/geography.ts'
import type { Filters } from '#server/mobility/trip-filter-sql.ts'
import type { CubeSum } from '#server/mobility/cubes/cube-columns.ts'
import type { Sql } from '#server/stores/sql.ts'
import type { ShapeLookup } from '../shape-queries.ts'
import type { QueryTime, Span } from '../query-time.ts'

/** A question as a mode makes SQL of it. */
export interface QueryContext {
  aggregation: SpatialAggregation
  filters: Filters & { start_date: string; end_date: string }
  time: QueryTime
  bucket: TimeBucket | null
  /** Minutes that a rest must have lasted. */
  parkedMinutes: number
  /** After so many hours of silence a vehicle counts no longer. */
  lostAfterHours: number
  /** The moment of the asking, ms: nothing behind it has happened. */
  now: number
}

/** Sums of a shape (0: none, ALL_SHAPES_ID: everything once), by the names of the mode's query. */
export interface SumRow {
  shape: number
  bucket: string
  operator: string | null
  sums: Readonly<Record<string, number>>
}

/** What a shape's figures are made of. */
export interface Basis {
  rows: readonly SumRow[]
  /** The same of the whole region. */
  whole: readonly SumRow[]
  span: Span
}

/** How hourly cubes answer a question: the query's sums by their names there. */
export interface CubeQuery {
  sums: Readonly<Record<string, CubeSum>>
  byOperator: boolean
}

/** A map that gives each shape of a layer a value: one file a mode, one line in modes.ts. */
export interface Mode {
  name: SpatialMode
  /** Refuses what a layer cannot be asked, by a Problem. */
  check?: (aggregation: SpatialAggregation, layer: Layer) => void
  unitOf(aggregation: SpatialAggregation): SpatialUnit
  /** Averages add up to nothing. */
  isMean(aggregation: SpatialAggregation): boolean
  /** What the rows depend on beside filters and bucket. */
  basis(posed: QueryContext): unknown
  /** Whether the ways of trips must be known first. */
  needsRoutes?: (aggregation: SpatialAggregation) => boolean
  query(posed: QueryContext, placing: ShapeLookup): Sql
  /** Where the cubes hold all that the aggregation needs of a whole layer; null where they do not. */
  cubed?: (posed: QueryContext) => CubeQuery | null
  figures(aggregation: SpatialAggregation, of: Basis): ShapeFigures
  /** Of the rows of the whole region: on how many ways the figures rest. Null where they rest on none. */
  routeCounts?: (aggregation: SpatialAggregation, whole: readonly SumRow[]) => RouteCoverage | null
  /** Of all facts of a region: `facts`, `first_day`, `last_day`, `operators`, `vehicle_types`. */
  extent(regionId: string, timezone: string): Sql
}

/** One of the sums over rows; 0 where there is none. */
export const sumOf = (rows: readonly SumRow[], name: string): number =>
  rows.reduce((sum, row) => sum + (row.sums[name] ?? 0), 0)

const minuteMs = 60_000

/**
 * The moment from which on a question's answer changes no more: rests that go on are cut at it. A mean asks for whole lengths, which never settle
 * while a rest goes on.
 */
export const settledAt = ({ aggregation, now, time, parkedMinutes }: QueryContext): number =>
  aggregation === 'average_parked_duration' ? now : Math.min(now, time.until + parkedMinutes * minuteMs)
