// A question by shape takes four steps: resolve, plan and run in this file, and present in present.ts.
import type { Layer } from '#contract/geography.ts'
import type { Region } from '#contract/regions.ts'
import { maxTimeValues, type SpatialRequest, type TimeBucket } from '#contract/spatial.ts'
import { findLayer } from '#server/geography/layers/find-layer.ts'
import type { ReadyLayers } from '#server/fleet/cubes/ready-layer.ts'
import type { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import { Problem } from '#server/http/problem.ts'
import { RouteIntersections } from '#server/routes/intersections/route-intersections.ts'
import { factsVersion } from '#server/regions/facts-version.ts'
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
import { bucketsOf, querySpans, readQueryTime, type Span } from './query-time.ts'

/** Who asks, when, and until when they wait. */
export interface Requester {
  scope: Scope
  at: Date
  signal: AbortSignal
}

/** What the steps read from. */
export interface EvaluationSources {
  state: State
  facts: Facts
  membership: LayerMembership
  intersections: RouteIntersections
  cubes: CubedRows
}

/** A question with everything it refers to. */
export interface ResolvedQuestion {
  request: SpatialRequest
  region: Region
  layer: Layer
  mode: Mode
  context: QueryContext
  /** Version of the region's facts; rows are at least as new. */
  factsVersion: string
}

/** How a question is answered. */
export interface QueryPlan {
  /** Questions with the same key have the same rows. */
  key: string
  /** The question to the cubes, which is tried first; null if only facts can answer. */
  cubed: CubeQuery | null
  /** Whether the routes of the period must be indexed before facts are queried. */
  needsRoutes: boolean
}

/** A question with its rows, from which every answer is presented. */
export interface Evaluation {
  request: SpatialRequest
  mode: Mode
  rows: SumRow[]
  /** Shape number n of rows is `shapeIds[n - 1]`. */
  shapeIds: readonly string[]
  /** Version of the facts and of the layer, separated by a dot: a settled answer depends on nothing else. */
  version: string
  /** Whether the passing of time no longer changes the answer. */
  isSettled: boolean
  /** The time that the values of each bucket are divided by, under '' without buckets. */
  spans: ReadonlyMap<string, Span>
  from: 'facts' | 'cubes' | 'cache'
}

const minuteMs = 60_000
const dayMs = 86_400_000

/** Finds the region and layer of a question. Throws a Problem if the Scope or the mode forbids it. */
export async function resolveQuestion(
  { state }: EvaluationSources,
  { scope, at }: Requester,
  regionId: string,
  request: SpatialRequest,
  bucket: TimeBucket | null,
): Promise<ResolvedQuestion> {
  const region = await findRegion(state, scope, regionId)
  const layer = await findLayer(state, scope, regionId, request.shape_layer_uuid)
  if (bucket) checkSize(request, layer, bucket)
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
    // Whole minutes: a map that includes today is computed at most once a minute.
    now: Math.floor(at.getTime() / minuteMs) * minuteMs,
  }
  return {
    request,
    region,
    layer,
    mode,
    context,
    factsVersion: await factsVersion(state, scope, regionId),
  }
}

/** Refuses questions with more values than one answer may contain. */
function checkSize(request: SpatialRequest, layer: Layer, bucket: TimeBucket): void {
  const buckets =
    bucket === 'day'
      ? (Date.parse(request.end_date) - Date.parse(request.start_date)) / dayMs + 1
      : bucketsOf(request, bucket).length
  const values = buckets * (layer.shape_count + 2)
  if (values > maxTimeValues)
    throw new Problem(
      'validation_error',
      `That would be ${values.toLocaleString('en-US')} values, but a response contains at most ${maxTimeValues.toLocaleString('en-US')}. Choose fewer days, or a layer with fewer shapes.`,
    )
}

/** Decides where the rows come from, and which earlier answers have the same rows. */
export function planQuery(
  { request, region, layer, mode, context, factsVersion }: ResolvedQuestion,
  { operators: visibleOperators }: Scope,
): QueryPlan {
  const { filters, bucket } = context
  // Cubes have the sums of all shapes of a layer, without a buffer.
  const canUseCubes = request.buffer === 0 && request.shape_filter === null
  const cubed = canUseCubes ? (mode.cubed?.(context) ?? null) : null
  const basis = mode.basis(context)
  const key = JSON.stringify([
    factsVersion,
    region.regionId,
    layer.shape_layer_uuid,
    layer.content_hash,
    request.buffer,
    request.shape_filter,
    visibleOperators,
    mode.name,
    bucket,
    filters.start_date,
    filters.end_date,
    filters.operators.toSorted(),
    filters.vehicle_type,
    filters.vehicle_types?.toSorted() ?? [],
    filters.days.toSorted(),
    filters.hour_filters,
    cubed && Object.keys(cubed.sums),
    ...(basis === null ? [] : [region.timezone, basis]),
  ])
  return { key, cubed, needsRoutes: mode.needsRoutes?.(request.aggregation) ?? false }
}

const limits = { seconds: 60 }

/** Rows, the shapes that their numbers stand for, and the source that they were read from. */
export interface FoundRows {
  rows: StoredRow[]
  shapeIds: readonly string[]
  from: 'facts' | 'cubes'
}

/** Reads the rows of a plan from the cubes or else from the facts. */
export async function runPlan(
  { facts, cubes, membership, intersections }: EvaluationSources,
  { scope, signal }: Pick<Requester, 'scope' | 'signal'>,
  { request, region, layer, mode, context }: ResolvedQuestion,
  { cubed, needsRoutes }: QueryPlan,
): Promise<FoundRows> {
  const found = cubed && (await cubes.read({ scope, region, layer, mode, context, cubed, signal }))
  if (found) return { ...found, from: 'cubes' }
  const { indexes, shapeIds } = await membership.of(scope, layer, request.buffer)
  const selected = request.shape_filter === null ? null : shapeIds.indexOf(request.shape_filter) + 1
  if (selected === 0) throw new Problem('not_found', 'The selected shape is not in this layer.')
  const lookup: ShapeLookup = { indexes, selected }
  const query = async (sql: Sql): Promise<FoundRows> => ({
    rows: await facts.rows<StoredRow>(scope, sql, { limits, signal }),
    shapeIds,
    from: 'facts',
  })
  if (!needsRoutes) return query(mode.query(context, lookup))
  const routes = await intersections.ready(scope, {
    regionId: region.regionId,
    layer,
    buffer: request.buffer,
    from: request.start_date,
    until: request.end_date,
    signal,
  })
  if (routes.shapeIds.length !== shapeIds.length || routes.shapeIds.some((id, at) => id !== shapeIds[at]))
    throw new Problem('conflict', 'The layer is being changed. Try again.')
  return query(mode.query(context, { ...lookup, listId: routes.listId }))
}

/** Rows of all cached answers together, and what an answer weighs besides its rows. */
const maxCachedRows = 250_000
const answerWeight = 100

/** Answers questions by shape. Cached rows are keyed by the version of facts and layer, so they are never stale. */
export class Evaluator {
  readonly #sources: EvaluationSources
  readonly #cache = new ComputedCache<FoundRows>({
    maxSize: maxCachedRows,
    sizeOf: ({ rows }) => rows.length + answerWeight,
  })
  constructor(sources: EvaluationSources) {
    this.#sources = sources
  }

  async evaluate(
    requester: Requester,
    regionId: string,
    request: SpatialRequest,
    bucket: TimeBucket | null,
  ): Promise<Evaluation> {
    const question = await resolveQuestion(this.#sources, requester, regionId, request, bucket)
    const { rows, shapeIds, from } = await this.#run(requester, question)
    const { mode, context, layer, factsVersion } = question
    const later = { ...context, now: context.now + minuteMs }
    return {
      request,
      mode,
      rows: rows.map(readSumRow),
      shapeIds,
      version: `${factsVersion}.${layer.content_hash}`,
      isSettled: JSON.stringify(mode.basis(context)) === JSON.stringify(mode.basis(later)),
      spans: querySpans(request, context.time, bucket, context.now),
      from,
    }
  }

  async #run(
    requester: Requester,
    question: ResolvedQuestion,
  ): Promise<Omit<FoundRows, 'from'> & Pick<Evaluation, 'from'>> {
    const plan = planQuery(question, requester.scope)
    let hasRun = false
    const run = (): Promise<FoundRows> => {
      hasRun = true
      return runPlan(this.#sources, requester, question, plan)
    }
    const found = await this.#cache.get(plan.key, run).catch((error: unknown) => {
      // A shared read is canceled for all who wait for it when the requester that started it leaves.
      if (hasRun || requester.signal.aborted) throw error
      return this.#cache.get(plan.key, run)
    })
    return hasRun ? found : { ...found, from: 'cache' }
  }
}

/** `layers` must be the instance that the cubes are computed with. */
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

/** The method of an answer: the same name, version and parameters give the same answer elsewhere. */
export const methodOf = ({
  request,
}: Pick<Evaluation, 'request'>): { name: string; version: number; buffer: number } => ({
  name: request.aggregation,
  version: methodVersion,
  buffer: request.buffer,
})

/** Milliseconds since a `performance.now()`, with one decimal. */
export const millisecondsSince = (start: number): number => Math.round((performance.now() - start) * 10) / 10
