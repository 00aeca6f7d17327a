import type { Layer } from '#contract/geography.ts'
import { layerShapesInTurns } from '#server/geography/membership/layer-shapes-in-turns.ts'
import { LruCache } from '#server/stores/lru-cache.ts'
import { Problem } from '#server/http/problem.ts'
import { regionScope } from '#server/identity/scope.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts as tableOf, sql, latest } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { type DayRange, type DueDay, dueDays } from '../queries/way-days.ts'
import { copyDays } from './copy-days.ts'
import { portionsOf } from './portions-of.ts'
import { prepareDays, type Preparing } from './prepare-days.ts'
import { type WayList, wayList } from './way-list.ts'
import { type WayToucher, wayToucher } from './way-toucher.ts'

/** Lists of one region that are kept: each holds a row a way. */
const mostLists = 16
/** Of one layer and buffer: as it is, and as it was before its last change. */
const mostVersions = 2

interface MadeList {
  list_id: string
  layer_id: string
  buffer: number
}

/** The lists that need not be kept, of all by when they were made, the newest first. */
export function listsToDrop(
  lists: readonly MadeList[],
  layerIds: ReadonlySet<string>,
  most = mostLists,
): string[] {
  const versions = new Map<string, number>()
  let kept = 0
  return lists.flatMap(({ list_id: listId, layer_id: layerId, buffer }) => {
    const of = `${layerId} ${buffer}`
    const before = versions.get(of) ?? 0
    if (!layerIds.has(layerId) || before >= mostVersions || kept >= most) return [listId]
    versions.set(of, before + 1)
    kept++
    return []
  })
}

/** Removes what is known of lists that nobody is likely to ask for again: of layers that are gone, of before the last changes, and the oldest of too many. */
async function dropLists(state: State, facts: Facts, scope: Scope, regionId: string): Promise<void> {
  const region = sql`region_id = ${bind('String', regionId)}`
  const lists = await facts.rows<MadeList>(
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
  // Days first: without them nobody takes the rest for known.
  for (const table of ['way_days', 'way_shapes', 'way_lists'] as const)
    await facts.remove(scope, table, sql`${region} and list_id in ${bind('Array(UUID)', gone)}`)
}

/** Whose ways are to be known. */
export interface TouchesAsked {
  regionId: string
  layer: Layer
  buffer: number
  /** Local days, both in. */
  from: string
  until: string
  signal: AbortSignal
}

/** A list as it can be asked in `way_shapes`; shape n is `shapeIds[n - 1]`. */
export type ReadyWays = Pick<WayList, 'listId' | 'shapeIds'>

/** Work on a list: how many of its days are done. */
interface Job {
  done: Promise<void>
  daysDone: number
  days: number
}

const limits = { limits: { seconds: 300 } }
/** Asking for more days at once would only ask for more that hold no ways. */
const clamped = (day: string): string =>
  day < '1970-01-01' ? '1970-01-01' : day > '2149-06-06' ? '2149-06-06' : day

/** Waits for a job, until the asker goes away or it takes too long: it goes on all the same. How many days have ways is told to who sees all of them (`isWhole`). */
async function patiently(job: Job, isWhole: boolean, signal: AbortSignal, late: AbortSignal): Promise<void> {
  const leaving = AbortSignal.any([signal, late])
  const left = new Promise<never>((_, reject) => {
    const say = (): void =>
      reject(
        signal.aborted
          ? (signal.reason as Error)
          : new Problem(
              'being_prepared',
              `Which shapes the ways of these days touch is being prepared${isWhole ? `: ${job.daysDone} of ${job.days} days are done` : ''}. Ask again in a moment.`,
            ),
      )
    if (leaving.aborted) say()
    else leaving.addEventListener('abort', say, { once: true })
  })
  await Promise.race([job.done, left])
}

/**
 * Knows which shapes of a layer the ways of trips touch. Found when it is first asked for, kept in the fact store by the layer's content and
 * buffer, and brought up to date where ways or shapes have changed since. Much of it is worked on one list after the other.
 */
export class WayTouches {
  readonly #state: State
  readonly #facts: Facts
  readonly #patienceMs: number
  readonly #lists = new LruCache<Promise<WayList>>(32)
  readonly #touchers = new LruCache<WayToucher>(4)
  readonly #jobs = new Map<string, Job>()
  #last: Promise<void> = Promise.resolve()

  /** `patienceMs`: an asker who waits longer than that is told how far the work is; it goes on. */
  constructor(state: State, facts: Facts, patienceMs = 30_000) {
    this.#state = state
    this.#facts = facts
    this.#patienceMs = patienceMs
  }

  /** The list of a layer, once it knows the ways of the asked days as they are now. */
  async ready(scope: Scope, asked: TouchesAsked): Promise<ReadyWays> {
    const { regionId, layer, buffer, signal } = asked
    // What a viewer may not see is found for those who may: a list is of the whole region.
    const all = scope.organizationId === null ? scope : regionScope(scope.organizationId, regionId)
    const list = await this.#list(all, layer, buffer)
    const range: DayRange = { regionId, from: clamped(asked.from), until: clamped(asked.until) }
    const preparing: Preparing = { facts: this.#facts, scope: all, regionId, listId: list.listId }
    const key = `${regionId} ${list.listId}`
    const late = AbortSignal.timeout(this.#patienceMs)
    for (;;) {
      const due = await this.#facts.rows<DueDay>(all, dueDays(range, list.listId), { ...limits, signal })
      if (!due.length) return list
      const running = this.#jobs.get(key)
      const job = running ?? this.#start(key, preparing, list, range, due)
      await patiently(job, scope.operators === null, signal, late)
      // What was under way may have been of other days.
      if (!running) return list
    }
  }

  #list(
    scope: Scope,
    { shape_layer_uuid: layerId, content_hash: content }: Layer,
    buffer: number,
  ): Promise<WayList> {
    return this.#lists.getOrCreate(`${layerId} ${content} ${buffer}`, async () =>
      wayList(layerId, buffer, await layerShapesInTurns(this.#state, scope, layerId, content)),
    )
  }

  #toucher(list: WayList): WayToucher {
    const kept = this.#touchers.get(list.listId)
    if (kept) return kept
    const made = wayToucher(list)
    this.#touchers.set(list.listId, made)
    return made
  }

  /** What is much waits its turn; a day's new ways need not wait for another list's months. */
  #start(key: string, preparing: Preparing, list: WayList, range: DayRange, due: readonly DueDay[]): Job {
    const job: Job = { done: Promise.resolve(), daysDone: 0, days: due.length }
    const work = (): Promise<void> => this.#work(job, preparing, list, range, due)
    const isMuch = portionsOf(due).length > 1
    job.done = (isMuch ? this.#last.then(work) : work()).finally(() => this.#jobs.delete(key))
    const settled = job.done.catch(() => undefined)
    if (isMuch) this.#last = settled
    this.#jobs.set(key, job)
    return job
  }

  async #work(
    job: Job,
    preparing: Preparing,
    list: WayList,
    range: DayRange,
    due: readonly DueDay[],
  ): Promise<void> {
    const { scope, regionId } = preparing
    const isNew = await this.#keepList(preparing, list)
    const toucher = this.#toucher(list)
    const left = await copyDays(preparing, list, range, due, toucher)
    job.daysDone = job.days - left.length
    for (const portion of portionsOf(left)) {
      await prepareDays(preparing, portion, toucher)
      job.daysDone += portion.days.length
    }
    if (isNew) await dropLists(this.#state, this.#facts, scope, regionId)
  }

  /** Writes the list down, unless it is; answers whether it was not. */
  async #keepList(
    { facts, scope, regionId, listId }: Preparing,
    { layerId, buffer, keys }: WayList,
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
