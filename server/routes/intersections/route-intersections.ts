import type { Layer } from '#contract/geography.ts'
import { readLayerShapes } from '#server/geography/membership/read-layer-shapes.ts'
import { LRUCache } from 'lru-cache'
import { ComputedCache } from '#server/stores/computed-cache.ts'
import { Problem } from '#server/http/problem.ts'
import { regionScope } from '#server/identity/scope.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts as tableOf, sql, latest } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { type DayRange, type PendingDay, pendingDays } from '../queries/shape-list-days.ts'
import { copyDays } from './copy-days.ts'
import { splitIntoPortions } from './portions.ts'
import { prepareDays, type PreparationContext } from './prepare-days.ts'
import { type ShapeList, buildShapeList } from './shape-list.ts'
import { type RouteIntersector, createRouteIntersector } from './route-intersector.ts'

/** Lists of one region at most: each holds a row per route. */
const maxLists = 16
/** Of one layer and buffer: as it is, and as it was before its last change. */
const maxVersionsPerList = 2

interface StoredList {
  list_id: string
  layer_id: string
  buffer: number
}

/** The lists that may be removed, from all of them by their creation, newest first. */
export function listsToDrop(
  lists: readonly StoredList[],
  layerIds: ReadonlySet<string>,
  maxCount = maxLists,
): string[] {
  const versions = new Map<string, number>()
  let retainedCount = 0
  return lists.flatMap(({ list_id: listId, layer_id: layerId, buffer }) => {
    const indexKey = `${layerId} ${buffer}`
    const before = versions.get(indexKey) ?? 0
    if (!layerIds.has(layerId) || before >= maxVersionsPerList || retainedCount >= maxCount) return [listId]
    versions.set(indexKey, before + 1)
    retainedCount++
    return []
  })
}

/** Removes lists that are unlikely to be requested again: of deleted layers, from before the last changes, and the oldest of too many. */
async function dropLists(state: State, facts: Facts, scope: Scope, regionId: string): Promise<void> {
  const region = sql`region_id = ${bind('String', regionId)}`
  const lists = await facts.rows<StoredList>(
    scope,
    sql`select toString(list_id) as list_id, toString(layer_id) as layer_id, buffer from ${latest('way_lists')} where ${region} order by made_time desc`,
  )
  const layers = await state
    .as(scope)
    .selectFrom('layer')
    .select('layer_id')
    .where('region_id', '=', regionId)
    .execute()
  const gone = listsToDrop(lists, new Set(layers.map(({ layer_id: id }) => id)))
  if (!gone.length) return
  // Days first: without them the rest is not used.
  for (const table of ['way_days', 'way_shapes', 'way_lists'] as const)
    await facts.remove(scope, table, sql`${region} and list_id in ${bind('Array(UUID)', gone)}`)
}

/** Whose routes are to be known. */
export interface IntersectionRequest {
  regionId: string
  layer: Layer
  buffer: number
  /** Local days, both in. */
  from: string
  until: string
  signal: AbortSignal
}

/** A list that can be queried in `way_shapes`; shape n is `shapeIds[n - 1]`. */
export type ReadyShapeList = Pick<ShapeList, 'listId' | 'shapeIds'>

/** Work on a list: how many of its days are done. */
interface PreparationJob {
  done: Promise<void>
  daysDone: number
  days: number
}

const limits = { limits: { seconds: 300 } }
/** More days per request would only add days without routes. */
const clampDay = (day: string): string =>
  day < '1970-01-01' ? '1970-01-01' : day > '2149-06-06' ? '2149-06-06' : day

/** Waits for a job until the viewer disconnects or it takes too long; the job continues. The number of days with routes is shown only to viewers who see all operators (`isWhole`). */
async function waitForJob(
  job: PreparationJob,
  seesAllOperators: boolean,
  signal: AbortSignal,
  timeout: AbortSignal,
): Promise<void> {
  const leaving = AbortSignal.any([signal, timeout])
  const abandoned = new Promise<never>((_, reject) => {
    const rejectWait = (): void =>
      reject(
        signal.aborted
          ? (signal.reason as Error)
          : new Problem(
              'being_prepared',
              `Which shapes the ways of these days intersect is being prepared${seesAllOperators ? `: ${job.daysDone} of ${job.days} days are done` : ''}. Ask again in a moment.`,
            ),
      )
    if (leaving.aborted) rejectWait()
    else leaving.addEventListener('abort', rejectWait, { once: true })
  })
  await Promise.race([job.done, abandoned])
}

/**
 * Knows which shapes of a layer the routes of trips intersect. Found when it is first requested, stored in the fact store by the layer's content and
 * buffer, and brought up to date where routes or shapes have changed since. Much of it is worked on one list after the other.
 */
export class RouteIntersections {
  readonly #state: State
  readonly #facts: Facts
  readonly #timeoutMs: number
  readonly #lists = new ComputedCache<ShapeList>({ max: 32 })
  readonly #intersectors = new LRUCache<string, RouteIntersector>({ max: 4 })
  readonly #jobs = new Map<string, PreparationJob>()
  #lastJob: Promise<void> = Promise.resolve()

  /** `#timeoutMs`: a viewer who waits longer receives the progress; the work continues. */
  constructor(state: State, facts: Facts, timeoutMs = 30_000) {
    this.#state = state
    this.#facts = facts
    this.#timeoutMs = timeoutMs
  }

  /** The list of a layer, once it has the current routes of the requested days. */
  async ready(scope: Scope, request: IntersectionRequest): Promise<ReadyShapeList> {
    const { regionId, layer, buffer, signal } = request
    // Computed for the whole region: what a viewer may not see is filtered when the list is read.
    const all = scope.organizationId === null ? scope : regionScope(scope.organizationId, regionId)
    const list = await this.#list(all, layer, buffer)
    const range: DayRange = { regionId, from: clampDay(request.from), until: clampDay(request.until) }
    const preparing: PreparationContext = { facts: this.#facts, scope: all, regionId, listId: list.listId }
    const key = `${regionId} ${list.listId}`
    const late = AbortSignal.timeout(this.#timeoutMs)
    for (;;) {
      const due = await this.#facts.rows<PendingDay>(all, pendingDays(range, list.listId), {
        ...limits,
        signal,
      })
      if (!due.length) return list
      const running = this.#jobs.get(key)
      const job = running ?? this.#startJob(key, preparing, list, range, due)
      await waitForJob(job, scope.operators === null, signal, late)
      // The running job may have been for other days.
      if (!running) return list
    }
  }

  #list(
    scope: Scope,
    { shape_layer_uuid: layerId, content_hash: content }: Layer,
    buffer: number,
  ): Promise<ShapeList> {
    return this.#lists.get(`${layerId} ${content} ${buffer}`, async () =>
      buildShapeList(layerId, buffer, await readLayerShapes(this.#state, scope, layerId, content)),
    )
  }

  #intersector(list: ShapeList): RouteIntersector {
    const cachedIntersector = this.#intersectors.get(list.listId)
    if (cachedIntersector) return cachedIntersector
    const made = createRouteIntersector(list)
    this.#intersectors.set(list.listId, made)
    return made
  }

  /** What is much waits its turn; a day's new routes need not wait for another list's months. */
  #startJob(
    key: string,
    preparing: PreparationContext,
    list: ShapeList,
    range: DayRange,
    due: readonly PendingDay[],
  ): PreparationJob {
    const job: PreparationJob = { done: Promise.resolve(), daysDone: 0, days: due.length }
    const work = (): Promise<void> => this.#runJob(job, preparing, list, range, due)
    const isMuch = splitIntoPortions(due).length > 1
    job.done = (isMuch ? this.#lastJob.then(work) : work()).finally(() => this.#jobs.delete(key))
    const settled = job.done.catch(() => undefined)
    if (isMuch) this.#lastJob = settled
    this.#jobs.set(key, job)
    return job
  }

  async #runJob(
    job: PreparationJob,
    preparing: PreparationContext,
    list: ShapeList,
    range: DayRange,
    due: readonly PendingDay[],
  ): Promise<void> {
    const { scope, regionId } = preparing
    const isNew = await this.#storeList(preparing, list)
    const intersector = this.#intersector(list)
    const left = await copyDays(preparing, list, range, due, intersector)
    job.daysDone = job.days - left.length
    for (const portion of splitIntoPortions(left)) {
      await prepareDays(preparing, portion, intersector)
      job.daysDone += portion.days.length
    }
    if (isNew) await dropLists(this.#state, this.#facts, scope, regionId)
  }

  /** Writes the list down, unless it is; answers whether it was not. */
  async #storeList(
    { facts, scope, regionId, listId }: PreparationContext,
    { layerId, buffer, keys }: ShapeList,
  ): Promise<boolean> {
    const [found] = await facts.rows<{ n: string }>(
      scope,
      sql`select count() as n from ${tableOf('way_lists')} where region_id = ${bind('String', regionId)} and list_id = ${bind('UUID', listId)}`,
    )
    if (found && found.n !== '0') return false
    await facts.add(
      scope,
      'way_lists',
      ['region_id', 'list_id', 'layer_id', 'buffer', 'keys', 'made_time'],
      sql`select ${bind('String', regionId)}, ${bind('UUID', listId)}, ${bind('UUID', layerId)}, ${bind('Float64', buffer)}, ${bind('Array(String)', keys)}, now64(3)`,
    )
    return true
  }
}
