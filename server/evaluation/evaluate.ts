// A question by shape takes four steps: resolve, plan and run in this file, and convert (results.ts).
import type { Layer } from '#contract/geography.ts'
import { dayMs, minuteMs } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { maxTimeValues, type SpatialRequest, type TimeBucket } from '#contract/spatial.ts'
import { findLayer } from '#server/geography/layers/find-layer.ts'
import type { ReadyLayers } from '#server/fleet/cubes/ready-layer.ts'
import type { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import { Problem } from '#server/http/problem.ts'
import { RouteIntersections } from '#server/routes/intersections/route-intersections.ts'
import { readFactsVersion } from '#server/regions/facts-version.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { ComputedCache } from '#server/stores/computed-cache.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { Sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { CubedRows } from './cubed-rows.ts'
import {
  type CubeQuery,
  type Mode,
  type QueryContext,
  readSumRow,
  type ShapeLookup,
  type StoredRow,
  type SumRow,
} from './modes/mode.ts'
import { modes } from './modes/modes.ts'
import { listBuckets, computeSpans, readQueryTime, type Span } from './query-time.ts'

/** The viewer of a request, the time of the request, and the signal that cancels it. */
export interface Requester {
  scope: Scope
  at: Date
  signal: AbortSignal
}

/** The stores and caches that the steps read. */
export interface EvaluationSources {
  state: State
  facts: Facts
  membership: LayerMembership
  intersections: RouteIntersections
  cubes: CubedRows
}

/** A question with the region, layer and mode that it refers to. */
export interface ResolvedQuestion {
  request: SpatialRequest
  region: Region
  layer: Layer
  mode: Mode
  context: QueryContext
  /** Version of the region's facts. The rows may be newer, never older. */
  factsVersion: string
}

/** How the rows of a question are read. */
export interface QueryPlan {
  /** Questions with the same key have the same rows. */
  key: string
  /** The query for the cubes, which is tried first; null if the rows must come from facts. */
  cubed: CubeQuery | null
  /** Whether the routes of the period must be indexed before facts are queried. */
  needsRoutes: boolean
}

/** A question with its rows, from which responses of all formats are built (results.ts). */
export interface Evaluation {
  request: SpatialRequest
  mode: Mode
  rows: SumRow[]
  /** Shape number n of rows is `shapeIds[n - 1]`. */
  shapeIds: readonly string[]
  /** Versions of the facts and of the layer, separated by a dot. A settled result depends on nothing else. */
  version: string
  /** Whether the result no longer changes with time. */
  isSettled: boolean
  /** The time by which the values of each bucket are divided; key '' if there are no buckets. */
  spans: ReadonlyMap<string, Span>
  from: 'facts' | 'cubes' | 'cache'
}

/** What is asked: values by shape of a region, in one bucket or by time bucket. */
export interface EvaluationQuery {
  regionId: string
  request: SpatialRequest
  bucket: TimeBucket | null
}

/** Finds the region and layer of a question. @throws Problem if the Scope or the mode forbids it. */
export async function resolveQuestion(
  { state }: EvaluationSources,
  { scope, at }: Requester,
  { regionId, request, bucket }: EvaluationQuery,
): Promise<ResolvedQuestion> {
  const region = await findRegion(state, scope, regionId)
  const layer = await findLayer(state, scope, regionId, request.shape_layer_uuid)
  if (bucket) checkValueCount(request, layer, bucket)
  const mode = modes[request.mode]
  mode.check?.(request.aggregation, layer)
  const { start_date, end_date, operators, vehicle_type, vehicle_types, days, hour_filters } = request
  const context: QueryContext = {
    aggregation: request.aggregation,
    filters: {
      region_id: regionId,
      start_date,
      end_date,
      operators,
      vehicle_type,
      vehicle_types,
      days,
      hour_filters,
    },
    time: readQueryTime(request, region.timezone),
    bucket,
    parkedMinutes: request.parked_duration,
    lostAfterHours: region.lostAfterHours,
    // Rounded to minutes, so that a map that includes today is computed at most once a minute.
    now: Math.floor(at.getTime() / minuteMs) * minuteMs,
  }
  return {
    request,
    region,
    layer,
    mode,
    context,
    factsVersion: await readFactsVersion(state, scope, regionId),
  }
}

/** Rejects questions with more values than one response may contain. */
function checkValueCount(request: SpatialRequest, layer: Layer, bucket: TimeBucket): void {
  const bucketCount =
    bucket === 'day'
      ? (Date.parse(request.end_date) - Date.parse(request.start_date)) / dayMs + 1
      : listBuckets(request, bucket).length
  // Besides the shapes, each bucket has a value for NOT_IN_SHAPE and a total.
  const valueCount = bucketCount * (layer.shape_count + 2)
  if (valueCount > maxTimeValues)
    throw new Problem(
      'validation_error',
      `That would be ${valueCount.toLocaleString('en-US')} values, but a response contains at most ${maxTimeValues.toLocaleString('en-US')}. Choose fewer days, or a layer with fewer shapes.`,
    )
}

/** Decides whether the rows can come from cubes, and which cached rows can be reused. */
export function planQuery(
  { request, region, layer, mode, context, factsVersion }: ResolvedQuestion,
  { operators: visibleOperators }: Scope,
): QueryPlan {
  const { filters, bucket } = context
  // Cubes contain the sums of all shapes of a layer, without a buffer.
  const canUseCubes = request.buffer === 0 && request.shape_filter === null
  const cubed = canUseCubes ? (mode.cubed?.(context) ?? null) : null
  const basis = mode.basis(context)
  const key = JSON.stringify({
    factsVersion,
    regionId: region.regionId,
    layerId: layer.shape_layer_uuid,
    layerContent: layer.content_hash,
    buffer: request.buffer,
    selectedShape: request.shape_filter,
    visibleOperators,
    mode: mode.name,
    bucket,
    startDate: filters.start_date,
    endDate: filters.end_date,
    operators: filters.operators.toSorted(),
    vehicleType: filters.vehicle_type,
    vehicleTypes: filters.vehicle_types?.toSorted() ?? [],
    days: filters.days.toSorted(),
    hours: filters.hour_filters,
    cubeSums: cubed && Object.keys(cubed.sums),
    // Rows without a basis depend on local days and hours as stored with the facts.
    ...(basis === null ? {} : { timezone: region.timezone, basis }),
  })
  return { key, cubed, needsRoutes: mode.needsRoutes?.(request.aggregation) ?? false }
}

const limits = { seconds: 60 }

/** Rows, the ids of the shapes by number, and the source of the rows. */
export interface RowsResult {
  rows: StoredRow[]
  shapeIds: readonly string[]
  from: 'facts' | 'cubes'
}

/** Reads the rows of a plan from the cubes if possible, otherwise from the facts. */
export async function runPlan(
  { facts, cubes, membership, intersections }: EvaluationSources,
  { scope, signal }: Pick<Requester, 'scope' | 'signal'>,
  { request, region, layer, mode, context }: ResolvedQuestion,
  { cubed, needsRoutes }: QueryPlan,
): Promise<RowsResult> {
  const rowsFromCubes = cubed && (await cubes.read({ scope, region, layer, mode, context, cubed, signal }))
  if (rowsFromCubes) return { ...rowsFromCubes, from: 'cubes' }
  const { indexes, shapeIds } = await membership.forLayer(scope, layer, request.buffer)
  const selected = request.shape_filter === null ? null : shapeIds.indexOf(request.shape_filter) + 1
  if (selected === 0) throw new Problem('not_found', 'The selected shape is not in this layer.')
  const lookup: ShapeLookup = { indexes, selected }
  const readFacts = async (sql: Sql): Promise<RowsResult> => ({
    rows: await facts.rows<StoredRow>(scope, sql, { limits, signal }),
    shapeIds,
    from: 'facts',
  })
  if (!needsRoutes) return readFacts(mode.query(context, lookup))
  const routes = await intersections.prepare(scope, {
    regionId: region.regionId,
    layer,
    buffer: request.buffer,
    from: request.start_date,
    until: request.end_date,
    signal,
  })
  if (
    routes.shapeIds.length !== shapeIds.length ||
    routes.shapeIds.some((id, index) => id !== shapeIds[index])
  )
    throw new Problem('conflict', 'The layer is being changed. Try again.')
  return readFacts(mode.query(context, { ...lookup, listId: routes.listId }))
}

/** Size of the cache, in rows. An entry counts as its rows and an overhead. */
const maxCachedRows = 250_000
const entryOverheadRows = 100

/** Evaluates questions by shape. Rows are cached by the versions of facts and layer: never stale. */
export class Evaluator {
  readonly #sources: EvaluationSources
  readonly #cache = new ComputedCache<RowsResult>({
    maxSize: maxCachedRows,
    getSize: ({ rows }) => rows.length + entryOverheadRows,
  })
  constructor(sources: EvaluationSources) {
    this.#sources = sources
  }

  async evaluate(requester: Requester, { regionId, request, bucket }: EvaluationQuery): Promise<Evaluation> {
    const question = await resolveQuestion(this.#sources, requester, { regionId, request, bucket })
    const { rows, shapeIds, from } = await this.#readRows(requester, question)
    const { mode, context, layer, factsVersion } = question
    const minuteLater = { ...context, now: context.now + minuteMs }
    return {
      request,
      mode,
      rows: rows.map(readSumRow),
      shapeIds,
      version: `${factsVersion}.${layer.content_hash}`,
      isSettled: JSON.stringify(mode.basis(context)) === JSON.stringify(mode.basis(minuteLater)),
      spans: computeSpans(request, context.time, bucket, context.now),
      from,
    }
  }

  /** Returns cached rows, or runs the plan of the question. */
  async #readRows(
    requester: Requester,
    question: ResolvedQuestion,
  ): Promise<Omit<RowsResult, 'from'> & Pick<Evaluation, 'from'>> {
    const plan = planQuery(question, requester.scope)
    let hasRun = false
    const run = (): Promise<RowsResult> => {
      hasRun = true
      return runPlan(this.#sources, requester, question, plan)
    }
    const result = await this.#cache.get(plan.key, run).catch((error: unknown) => {
      // Equal questions share one read. If the request that started it is canceled, others start their own.
      if (hasRun || requester.signal.aborted) throw error
      return this.#cache.get(plan.key, run)
    })
    return hasRun ? result : { ...result, from: 'cache' }
  }
}

/** Opens the evaluator. `layers` must be the same instance that computes the cubes. */
export const openEvaluator = (
  state: State,
  facts: Facts,
  membership: LayerMembership,
  layers: ReadyLayers,
): Evaluator =>
  new Evaluator({
    state,
    facts,
    membership,
    intersections: new RouteIntersections(state, facts),
    cubes: new CubedRows(state, facts, layers),
  })

/** Version of the method by which values are computed (docs/metrics.md, Evaluation aggregations). */
const methodVersion = 1

/** Returns the method of a result: the same name, version and parameters give the same values everywhere. */
export const describeMethod = ({
  request,
}: Pick<Evaluation, 'request'>): { name: string; version: number; buffer: number } => ({
  name: request.aggregation,
  version: methodVersion,
  buffer: request.buffer,
})

/** Returns the milliseconds since `start`, a value of `performance.now()`, rounded to one decimal. */
export const getMsSince = (start: number): number => Math.round((performance.now() - start) * 10) / 10
