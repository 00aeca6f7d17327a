import { LRUCache } from 'lru-cache'
import type { Layer } from '#contract/geography.ts'
import { readLayerShapes } from '#server/geography/membership/read-layer-shapes.ts'
import { Problem } from '#server/http/problem.ts'
import { regionScope } from '#server/identity/scope.ts'
import { ComputedCache } from '#server/stores/computed-cache.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts as factTable, sql, latest } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { type DayRange, type PendingDay, pendingDaysSql } from '../queries/shape-list-days.ts'
import { copyDays } from './copy-days.ts'
import { splitIntoPortions } from './portions.ts'
import { prepareDays, type PreparationContext } from './prepare-days.ts'
import { type ShapeList, buildShapeList } from './shape-list.ts'
import { type RouteIntersector, createRouteIntersector } from './route-intersector.ts'

/** The maximum number of stored lists per region. Each has a row per route. */
const maxLists = 16
/** For each layer and buffer the current list and the previous one, which the next can be copied from. */
const maxVersionsPerList = 2

interface StoredList {
  list_id: string
  layer_id: string
  buffer: number
}

/**
 * Returns the ids of the lists to remove.
 * @param lists all lists of a region, newest first
 * @param layerIds the layers that exist
 */
export function findListsToDrop(
  lists: readonly StoredList[],
  layerIds: ReadonlySet<string>,
  maxCount = maxLists,
): string[] {
  const versions = new Map<string, number>()
  let retainedCount = 0
  return lists.flatMap(({ list_id: listId, layer_id: layerId, buffer }) => {
    const key = `${layerId} ${buffer}`
    const newerVersions = versions.get(key) ?? 0
    if (!layerIds.has(layerId) || newerVersions >= maxVersionsPerList || retainedCount >= maxCount)
      return [listId]
    versions.set(key, newerVersions + 1)
    retainedCount++
    return []
  })
}

/** Removes lists that are unlikely to be requested again: of deleted layers, earlier versions, the oldest. */
async function dropLists(state: State, facts: Facts, scope: Scope, regionId: string): Promise<void> {
  const region = sql`region_id = ${bind('String', regionId)}`
  const lists = await facts.rows<StoredList>(
    scope,
    sql`
      select toString(list_id) as list_id, toString(layer_id) as layer_id, buffer
      from ${latest('way_lists')}
      where ${region}
      order by made_time desc`,
  )
  const layers = await state
    .as(scope)
    .selectFrom('layer')
    .select('layer_id')
    .where('region_id', '=', regionId)
    .execute()
  const droppedIds = findListsToDrop(lists, new Set(layers.map(({ layer_id: id }) => id)))
  if (!droppedIds.length) return
  // Days first: a list without days is never read, so an interruption leaves nothing inconsistent.
  for (const table of ['way_days', 'way_shapes', 'way_lists'] as const)
    await facts.remove(scope, table, sql`${region} and list_id in ${bind('Array(UUID)', droppedIds)}`)
}

/** The layer and the days for which intersections are requested. */
export interface IntersectionRequest {
  regionId: string
  layer: Layer
  /** The distance in meters by which shapes are extended. */
  buffer: number
  /** The first and the last local day, inclusive. */
  from: string
  until: string
  signal: AbortSignal
}

/** A list that can be queried in `way_shapes`; shape n is `shapeIds[n - 1]`. */
export type ReadyShapeList = Pick<ShapeList, 'listId' | 'shapeIds'>

/** What a preparation works on: the results of a list for the pending days. */
interface Preparation {
  context: PreparationContext
  list: ShapeList
  range: DayRange
  pending: readonly PendingDay[]
}

/** The progress of the preparation of a list. */
interface PreparationJob {
  done: Promise<void>
  daysDone: number
  days: number
}

/** Limits a day to the range of the fact store's type Date. */
function clampDay(day: string): string {
  if (day < '1970-01-01') return '1970-01-01'
  return day > '2149-06-06' ? '2149-06-06' : day
}

/**
 * Waits for a job until the viewer disconnects or the timeout; the job continues. Only viewers who see all
 * operators get the number of days, because it includes days on which only other operators have routes.
 */
async function waitForJob(
  job: PreparationJob,
  seesAllOperators: boolean,
  signal: AbortSignal,
  timeout: AbortSignal,
): Promise<void> {
  const stopWaiting = AbortSignal.any([signal, timeout])
  const abandoned = new Promise<never>((_, reject) => {
    const rejectWait = (): void =>
      reject(
        signal.aborted
          ? (signal.reason as Error)
          : new Problem(
              'being_prepared',
              `The shapes that the routes of these days intersect are being determined${seesAllOperators ? `: ${job.daysDone} of ${job.days} days are done` : ''}. Try again in a moment.`,
            ),
      )
    if (stopWaiting.aborted) rejectWait()
    else stopWaiting.addEventListener('abort', rejectWait, { once: true })
  })
  await Promise.race([job.done, abandoned])
}

/**
 * Prepares the table of which shapes of a layer the routes of trips intersect. Results are computed on first
 * request, stored by the layer's content and buffer, and updated where routes or shapes have changed. Large
 * updates run one at a time.
 */
export class RouteIntersections {
  readonly #state: State
  readonly #facts: Facts
  readonly #timeoutMs: number
  readonly #lists = new ComputedCache<ShapeList>({ max: 32 })
  readonly #intersectors = new LRUCache<string, RouteIntersector>({ max: 4 })
  readonly #jobs = new Map<string, PreparationJob>()
  #lastJob: Promise<void> = Promise.resolve()

  /** A viewer who waits longer than `timeoutMs` receives the progress as an error; the work continues. */
  constructor(state: State, facts: Facts, timeoutMs = 30_000) {
    this.#state = state
    this.#facts = facts
    this.#timeoutMs = timeoutMs
  }

  /** Returns the list of a layer once its results are up to date for the requested days. */
  async prepare(scope: Scope, request: IntersectionRequest): Promise<ReadyShapeList> {
    const { regionId, layer, buffer, signal } = request
    // Computed for all operators; those that the viewer may not see are filtered when the results are read.
    const regionWide = scope.organizationId === null ? scope : regionScope(scope.organizationId, regionId)
    const list = await this.#getList(regionWide, layer, buffer)
    const range: DayRange = { regionId, from: clampDay(request.from), until: clampDay(request.until) }
    const context: PreparationContext = {
      facts: this.#facts,
      scope: regionWide,
      regionId,
      listId: list.listId,
    }
    const key = `${regionId} ${list.listId}`
    const timeout = AbortSignal.timeout(this.#timeoutMs)
    for (;;) {
      const pending = await this.#facts.rows<PendingDay>(regionWide, pendingDaysSql(range, list.listId), {
        limits: { seconds: 300 },
        signal,
      })
      if (!pending.length) return list
      const running = this.#jobs.get(key)
      const job = running ?? this.#startJob(key, { context, list, range, pending })
      await waitForJob(job, scope.operators === null, signal, timeout)
      // The running job may have been for other days.
      if (!running) return list
    }
  }

  #getList(
    scope: Scope,
    { shape_layer_uuid: layerId, content_hash: content }: Layer,
    buffer: number,
  ): Promise<ShapeList> {
    return this.#lists.get(`${layerId} ${content} ${buffer}`, async () =>
      buildShapeList(layerId, buffer, await readLayerShapes(this.#state, scope, layerId, content)),
    )
  }

  #getIntersector(list: ShapeList): RouteIntersector {
    const cachedIntersector = this.#intersectors.get(list.listId)
    if (cachedIntersector) return cachedIntersector
    const intersector = createRouteIntersector(list)
    this.#intersectors.set(list.listId, intersector)
    return intersector
  }

  /** Starts a job. Jobs of several portions run one after the other; a small one does not wait for them. */
  #startJob(key: string, preparation: Preparation): PreparationJob {
    const { pending } = preparation
    const job: PreparationJob = { done: Promise.resolve(), daysDone: 0, days: pending.length }
    const run = (): Promise<void> => this.#runJob(job, preparation)
    const isLarge = splitIntoPortions(pending).length > 1
    job.done = (isLarge ? this.#lastJob.then(run) : run()).finally(() => this.#jobs.delete(key))
    const settled = job.done.catch(() => undefined)
    if (isLarge) this.#lastJob = settled
    this.#jobs.set(key, job)
    return job
  }

  async #runJob(job: PreparationJob, { context, list, range, pending }: Preparation): Promise<void> {
    const { scope, regionId } = context
    const isNew = await this.#storeList(context, list)
    const intersector = this.#getIntersector(list)
    const remaining = await copyDays(context, { list, range, pending, intersector })
    job.daysDone = job.days - remaining.length
    for (const portion of splitIntoPortions(remaining)) {
      await prepareDays(context, portion, intersector)
      job.daysDone += portion.days.length
    }
    if (isNew) await dropLists(this.#state, this.#facts, scope, regionId)
  }

  /** Stores the list unless it is stored. Returns whether it is new. */
  async #storeList(
    { facts, scope, regionId, listId }: PreparationContext,
    { layerId, buffer, keys }: ShapeList,
  ): Promise<boolean> {
    const [stored] = await facts.rows<{ row_count: string }>(
      scope,
      sql`
        select count() as row_count
        from ${factTable('way_lists')}
        where region_id = ${bind('String', regionId)} and list_id = ${bind('UUID', listId)}`,
    )
    if (stored && stored.row_count !== '0') return false
    await facts.add(scope, 'way_lists', {
      columns: ['region_id', 'list_id', 'layer_id', 'buffer', 'keys', 'made_time'],
      rows: sql`
        select
          ${bind('String', regionId)}, ${bind('UUID', listId)}, ${bind('UUID', layerId)},
          ${bind('Float64', buffer)}, ${bind('Array(String)', keys)},
          now64(3)`,
    })
    return true
  }
}
