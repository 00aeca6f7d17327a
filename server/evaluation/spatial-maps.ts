import { maxTimeValues, type SpatialRequest, type TimeBucket } from '#contract/spatial.ts'
import { findLayer } from '#server/geography/find-layer.ts'
import { Problem } from '#server/http/problem.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { RouteIntersections } from '#server/mobility/trip-routes/intersections/route-intersections.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { FoundRows, ShapeQueries, QueryPlan, StoredRow } from './shape-queries.ts'
import { readQueryTime, bucketsOf, type Span, querySpans } from './query-time.ts'
import type { CubedRows } from './cubed-rows.ts'
import type { Mode, QueryContext, SumRow } from './modes/mode.ts'
import { modes } from './modes/modes.ts'
import type { z } from 'zod'
import type { TripFilters } from '#contract/evaluation.ts'

type FilterInput = z.output<typeof TripFilters>

/** The filters in one form: whoever asks the same in other words asks the same. */
const normalizeFilters = ({
  start_date,
  end_date,
  operators,
  vehicle_type,
  days,
  hour_filters,
}: FilterInput): unknown => [
  start_date,
  end_date,
  operators.toSorted(),
  vehicle_type,
  days.toSorted(),
  hour_filters,
]

/** Columns that tell rows apart: the others are sums. */
const groupColumns: ReadonlySet<string> = new Set(['shape', 'bucket', 'day', 'hour', 'operator'])

/** A row of any mode's query; rows of days and hours have them as their bucket. */
export function readSumRow(row: StoredRow): SumRow {
  const bucket = row['bucket'] ?? row['day'] ?? row['hour'] ?? ''
  const sums: Record<string, number> = {}
  for (const name in row) if (!groupColumns.has(name)) sums[name] = Number(row[name])
  return {
    shape: Number(row['shape']),
    bucket: String(bucket),
    operator: row['operator'] === undefined ? null : String(row['operator']),
    sums,
  }
}

/** Who asks, when, and how long they wait. */
export interface Requester {
  scope: Scope
  at: Date
  signal: AbortSignal
}

/** What the facts said to a question of any map. */
export interface MapRows {
  ask: SpatialRequest
  mode: Mode
  rows: SumRow[]
  shapeIds: string[]
  /** Of the layer and of the facts: where both are the same, so is the answer, if it is settled. */
  version: string
  /** Whether the time that goes by changes nothing any more. */
  isSettled: boolean
  spans: ReadonlyMap<string, Span>
  from: FoundRows['from']
}

const minuteMs = 60_000

/** Asks the facts of any map, by shape of a layer. */
export class SpatialMaps {
  readonly #state: State
  readonly #byShape: ShapeQueries
  readonly #intersections: RouteIntersections
  readonly #cubes: CubedRows
  constructor(state: State, byShape: ShapeQueries, intersections: RouteIntersections, cubes: CubedRows) {
    this.#state = state
    this.#cubes = cubes
    this.#byShape = byShape
    this.#intersections = intersections
  }

  async rows(
    { scope, at, signal }: Requester,
    regionId: string,
    ask: SpatialRequest,
    bucket: TimeBucket | null,
  ): Promise<MapRows> {
    const region = await findRegion(this.#state, scope, regionId)
    const mode = modes[ask.mode]
    if (bucket) await this.#checkSize(scope, regionId, ask, bucket)
    const time = readQueryTime(ask, region.timezone)
    const { start_date, end_date, operators, vehicle_type, days, hour_filters } = ask
    const context: QueryContext = {
      aggregation: ask.aggregation,
      filters: { region_id: regionId, start_date, end_date, operators, vehicle_type, days, hour_filters },
      time,
      bucket,
      parkedMinutes: ask.parked_duration,
      lostAfterHours: region.lostAfterHours,
      // Whole minutes, so that a map of today is asked once a minute at most.
      now: Math.floor(at.getTime() / minuteMs) * minuteMs,
    }
    const basis = mode.basis(context)
    // Of a layer as it is drawn, whole.
    const isWhole = ask.buffer === 0 && ask.shape_filter === null
    const cubed = isWhole ? (mode.cubed?.(context) ?? null) : null
    const key = [
      mode.name,
      bucket,
      normalizeFilters(context.filters),
      cubed !== null,
      ...(basis === null ? [] : [region.timezone, basis]),
    ]
    const found = await this.#byShape.run(
      scope,
      { ...ask, region_id: regionId },
      (layer): QueryPlan => {
        mode.check?.(ask.aggregation, layer)
        if (!mode.needsRoutes?.(ask.aggregation))
          return {
            key,
            query: (placing) => mode.query(context, placing),
            ...(cubed
              ? {
                  rows: (placing, shapeIds) =>
                    this.#cubes.of({
                      scope,
                      region,
                      layer,
                      mode,
                      context,
                      cubed,
                      lookup: placing,
                      shapeIds,
                      signal,
                    }),
                }
              : {}),
          }
        return {
          key,
          query: async (placing, shapeIds) => {
            const shapeList = await this.#intersections.ready(scope, {
              regionId,
              layer,
              buffer: ask.buffer,
              from: start_date,
              until: end_date,
              signal,
            })
            if (
              shapeList.shapeIds.length !== shapeIds.length ||
              shapeList.shapeIds.some((id, at) => id !== shapeIds[at])
            )
              throw new Problem('conflict', 'The layer is being changed. Ask again.')
            return mode.query(context, { ...placing, listId: shapeList.listId })
          },
        }
      },
      signal,
    )
    return {
      ask,
      mode,
      rows: found.rows.map(readSumRow),
      shapeIds: found.shapeIds,
      from: found.from,
      version: `${found.version}.${found.layer.content_hash}`,
      isSettled:
        JSON.stringify(basis) === JSON.stringify(mode.basis({ ...context, now: context.now + minuteMs })),
      spans: querySpans(ask, time, bucket, context.now),
    }
  }

  /** Refuses more values than one answer may hold, before anything is asked. */
  async #checkSize(scope: Scope, regionId: string, ask: SpatialRequest, bucket: TimeBucket): Promise<void> {
    const layer = await findLayer(this.#state, scope, regionId, ask.shape_layer_uuid)
    const buckets =
      bucket === 'day'
        ? (Date.parse(ask.end_date) - Date.parse(ask.start_date)) / 86_400_000 + 1
        : bucketsOf(ask, bucket).length
    const values = buckets * (layer.shape_count + 2)
    if (values > maxTimeValues)
      throw new Problem(
        'validation_error',
        `That would be ${values.toLocaleString('en-US')} values, and one answer holds ${maxTimeValues.toLocaleString('en-US')}. Ask for fewer days, or for a layer with fewer shapes.`,
      )
  }
}

/** Version of the way the numbers of maps are made (metrics.md, Evaluation aggregations). */
const methodVersion = 1

/** How an answer was made: the same name, version and parameters give the same answer elsewhere. */
export const methodOf = ({
  ask,
}: Pick<MapRows, 'ask'>): { name: string; version: number; buffer: number } => ({
  name: ask.aggregation,
  version: methodVersion,
  buffer: ask.buffer,
})

/** Ms since a moment of the process's clock, to a tenth. */
export const millisecondsSince = (start: number): number => Math.round((performance.now() - start) * 10) / 10
