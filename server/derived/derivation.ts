import { setTimeout as wait } from 'node:timers/promises'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import type { Log } from '#server/jobs/log.ts'
import { runAsCaller } from '#server/stores/query-counts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { DerivedProduct, DerivedRegion, DerivedRun } from './derived-product.ts'
import {
  countDirty,
  type DirtyCount,
  type DueSince,
  finishSpans,
  listDirty,
  type SpanProgress,
  spanProgress,
} from './dirty-spans.ts'

/** Writes of this process are seen in memory at once; those of another server after this time. */
const lookMs = 60_000
/** What failed is tried again after this time. */
const retryMs = 60_000
const defaultMaxRestMs = 10_000

interface DerivationOptions {
  state: State
  /** Ms since 1970. */
  now: () => number
  log: Log
}

/** A product of one region: what failed, and whether `advance` is due. */
interface Task {
  failed: Set<string>
  failedAt: number
  restsUntil: number
  mustAdvance: boolean
}

/** Prompt products are derived beside the others. */
export type ProductKind = 'prompt' | 'other'

/** Products that take turns; prompt ones have a lane of their own. */
interface Lane {
  isPrompt: boolean
  running: Promise<unknown> | null
  /** Writes to the table of spans that the last look saw. */
  seenChanges: number
  /** When a span is due that the last look saw, ms. */
  dueAt: number
  /** Writes to the tables that products watch, and the time, at the last look at all of them. */
  seenWatched: number
  lookedAt: number
}

/** What the runner did for a product in a region since the start of the process. */
interface WorkCount {
  portions: number
  ms: number
  lastProblem: string | null
}

/** How far a product is, by region. */
export interface ProductProgress {
  product: string
  description: string
  regions: (SpanProgress & WorkCount)[]
}

/** Whether a moment has come; otherwise the lane is checked again at that moment. */
function isDue(lane: Lane, moment: number, at: number): boolean {
  if (moment <= at) return true
  lane.dueAt = Math.min(lane.dueAt, moment)
  return false
}

/**
 * The one runner of derived data (decision 027). Regions take turns; each turn derives one portion of the first product with due spans,
 * newest spans first. Interrupted work stays dirty, because spans are finished only after their rows are stored.
 */
export class Derivation {
  readonly #options: DerivationOptions
  readonly #products: DerivedProduct[] = []
  readonly #tasks = new Map<string, Task>()
  readonly #work = new Map<string, WorkCount>()
  readonly #stopping = new AbortController()
  readonly #lanes: readonly Lane[] = [true, false].map((isPrompt) => ({
    isPrompt,
    running: null,
    seenChanges: -1,
    dueAt: Infinity,
    seenWatched: -1,
    lookedAt: -Infinity,
  }))
  #idleWaiters = 0
  #pauseAbort = new AbortController()

  constructor(options: DerivationOptions) {
    this.#options = options
  }

  /** Adds a product; those that were added first are derived first. */
  add(product: DerivedProduct): void {
    this.#products.push(product)
  }

  /** Whether prompt or other products may have something to derive. Looks at memory only. */
  isDue(kind: ProductKind): boolean {
    const lane = this.#laneOf(kind)
    if (this.#idleWaiters || lane.running) return false
    return (
      this.#isLookDue(lane) ||
      this.#options.state.changes.countFor(['derived_span']) !== lane.seenChanges ||
      this.#options.now() >= lane.dueAt
    )
  }

  /** Derives what is due of prompt or of other products. */
  async run(kind: ProductKind): Promise<void> {
    const lane = this.#laneOf(kind)
    const products = this.#productsOf(lane)
    if (this.#isLookDue(lane)) {
      for (const product of products)
        for (const [key, task] of this.#tasks) if (key.startsWith(`${product.name} `)) task.mustAdvance = true
      lane.seenWatched = this.#watchedChanges()
      lane.lookedAt = this.#options.now()
    }
    await this.#startRun(lane, products, false)
  }

  /** Stops after the current portion. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#whenResting()
  }

  #laneOf(kind: ProductKind): Lane {
    const [prompt, other] = this.#lanes as readonly [Lane, Lane]
    return kind === 'prompt' ? prompt : other
  }

  #productsOf(lane: Lane): DerivedProduct[] {
    return this.#products.filter(({ isPrompt = false }) => isPrompt === lane.isPrompt)
  }

  #watchedChanges(): number {
    return this.#options.state.changes.countFor(this.#products.flatMap(({ watches }) => watches ?? []))
  }

  /** Another server may have marked spans, and what products watch may have changed. */
  #isLookDue({ lookedAt, seenWatched }: Lane): boolean {
    const at = this.#options.now()
    return at - lookedAt >= lookMs || at < lookedAt || this.#watchedChanges() !== seenWatched
  }

  async #whenResting(): Promise<void> {
    await Promise.allSettled(this.#lanes.map(({ running }) => running))
  }

  /** Derives without pauses until nothing is dirty but what fails; with names only of these products. */
  async idle(names?: readonly string[]): Promise<void> {
    this.#idleWaiters++
    this.#pauseAbort.abort()
    try {
      await this.#whenResting()
      for (const [key, task] of this.#tasks)
        if (!names || names.includes(key.split(' ', 1)[0] as string)) {
          task.failed.clear()
          task.mustAdvance = true
        }
      // What one lane derives may make spans of the other dirty.
      for (let isBusy = true; isBusy;) {
        isBusy = false
        for (const lane of this.#lanes) {
          const products = this.#productsOf(lane).filter(({ name }) => names?.includes(name) ?? true)
          isBusy = (await this.#startRun(lane, products, true)) || isBusy
        }
      }
    } finally {
      if (--this.#idleWaiters === 0) this.#pauseAbort = new AbortController()
    }
  }

  /** How far each product is, in the regions of a Scope. */
  async progress(scope: Scope): Promise<ProductProgress[]> {
    const spans = await spanProgress(this.#options.state, scope)
    return this.#products.map(({ name, description }) => ({
      product: name,
      description,
      regions: spans
        .filter(({ product }) => product === name)
        .map((region) => ({ ...region, ...this.#workOf(name, region.regionId) })),
    }))
  }

  #workOf(name: string, regionId: string): WorkCount {
    const key = `${name} ${regionId}`
    let work = this.#work.get(key)
    if (!work) this.#work.set(key, (work = { portions: 0, ms: 0, lastProblem: null }))
    return work
  }

  /** Runs a lane; returns whether anything was derived. */
  async #startRun(lane: Lane, products: readonly DerivedProduct[], isIdle: boolean): Promise<boolean> {
    while (lane.running) await lane.running.catch(() => undefined)
    if (!products.length) return false
    const run = this.#run(lane, products, isIdle).finally(() => {
      lane.running = null
    })
    lane.running = run
    return run
  }

  async #run(lane: Lane, products: readonly DerivedProduct[], isIdle: boolean): Promise<boolean> {
    let hasDerived = false
    const regions = await this.#regions()
    const isOver = (): boolean => this.#stopping.signal.aborted || (!isIdle && this.#idleWaiters > 0)
    for (let isBusy = true; isBusy && !isOver();) {
      isBusy = false
      lane.seenChanges = this.#options.state.changes.countFor(['derived_span'])
      lane.dueAt = Infinity
      const dirty = await countDirty(this.#options.state, systemScope)
      for (const region of regions) {
        if (isOver()) return hasDerived
        const begin = performance.now()
        const product = await this.#deriveOne(lane, products, region, dirty, isIdle)
        if (!product) continue
        isBusy = hasDerived = true
        await this.#pause(product, region, performance.now() - begin)
      }
    }
    return hasDerived
  }

  /** Derives one portion of a region, or takes a step. Returns the product, or null if nothing was due. */
  async #deriveOne(
    lane: Lane,
    products: readonly DerivedProduct[],
    region: DerivedRegion,
    dirty: readonly DirtyCount[],
    isIdle: boolean,
  ): Promise<DerivedProduct | null> {
    const at = this.#options.now()
    for (const product of products) {
      const task = this.#task(product, region, at)
      if (task.failed.has('')) isDue(lane, task.failedAt + retryMs, at)
      if (task.failed.has('') || !isDue(lane, isIdle ? 0 : task.restsUntil, at)) continue
      const run: DerivedRun = { signal: this.#stopping.signal, failed: task.failed }
      if (product.advance && task.mustAdvance) {
        const hasMore = await this.#attempt(product, region, task, '', async () => {
          task.mustAdvance = (await product.advance?.(region, run)) ?? false
        })
        // What it marked is in the next look at the table.
        return hasMore ? product : null
      }
      const own = dirty.filter((each) => each.product === product.name && each.regionId === region.regionId)
      const { settleMs, settleAgainMs = settleMs } = product
      const due = isIdle ? null : { first: new Date(at - settleMs), again: new Date(at - settleAgainMs) }
      for (const { part, isAgain, since } of own) {
        if (task.failed.has(part)) isDue(lane, task.failedAt + retryMs, at)
        else if (isDue(lane, isIdle ? 0 : since + (isAgain ? settleAgainMs : settleMs), at))
          if (await this.#derivePart(product, region, task, run, part, due)) return product
      }
    }
    return null
  }

  async #derivePart(
    product: DerivedProduct,
    region: DerivedRegion,
    task: Task,
    run: DerivedRun,
    part: string,
    due: DueSince | null,
  ): Promise<boolean> {
    const { state, now } = this.#options
    const owner = { product: product.name, regionId: region.regionId, part }
    // Newer marks settle first: spans that are marked all the time would otherwise keep older ones from their turn.
    const spans = await listDirty(state, region.scope, owner, product.maxSpans, due)
    if (!spans.length) return false
    await this.#attempt(product, region, task, part, async () => {
      const derived = await product.derive(
        region,
        spans.map(({ span }) => span),
        run,
        part,
      )
      const finished = derived ? spans.filter(({ span }) => derived.includes(span)) : spans
      await finishSpans(state, region.scope, owner, finished, new Date(now()), product.isOnce)
    })
    return true
  }

  async #attempt(
    product: DerivedProduct,
    region: DerivedRegion,
    task: Task,
    part: string,
    work: () => Promise<void>,
  ): Promise<boolean> {
    const count = this.#workOf(product.name, region.regionId)
    const begin = performance.now()
    const before = task.failed.size
    try {
      await runAsCaller(`derived ${product.name}`, work)
    } catch (error) {
      task.failed.add(part)
      count.lastProblem = error instanceof Error ? error.message : String(error)
      this.#options.log(product.name, { regionId: region.regionId, error: count.lastProblem.slice(0, 500) })
    }
    if (task.failed.size > before) task.failedAt = this.#options.now()
    count.portions++
    count.ms += Math.round(performance.now() - begin)
    return true
  }

  #task({ name }: DerivedProduct, { regionId }: DerivedRegion, at: number): Task {
    const key = `${name} ${regionId}`
    let task = this.#tasks.get(key)
    if (!task)
      this.#tasks.set(key, (task = { failed: new Set(), failedAt: 0, restsUntil: 0, mustAdvance: true }))
    if (task.failed.size && at - task.failedAt >= retryMs) task.failed.clear()
    return task
  }

  /** Leaves the stores to calls: a product with a rest of its own only delays itself. */
  async #pause(product: DerivedProduct, region: DerivedRegion, workedMs: number): Promise<void> {
    if (this.#idleWaiters) return
    const restMs = Math.min(workedMs * (product.restFactor ?? 1), product.maxRestMs ?? defaultMaxRestMs)
    const at = this.#options.now()
    if (product.restFactor) this.#task(product, region, at).restsUntil = at + restMs
    await wait(Math.min(workedMs, restMs, defaultMaxRestMs), undefined, {
      signal: AbortSignal.any([this.#stopping.signal, this.#pauseAbort.signal]),
    }).catch(() => undefined)
  }

  async #regions(): Promise<DerivedRegion[]> {
    const rows = await this.#options.state
      .as(systemScope)
      .selectFrom('region')
      .select(['region_id', 'organization_id', 'timezone', 'lat', 'lon', 'lost_after_hours'])
      .orderBy('region_id')
      .execute()
    return rows.map((row) => ({
      regionId: row.region_id,
      organizationId: row.organization_id,
      scope: regionScope(row.organization_id, row.region_id),
      timezone: row.timezone,
      lat: row.lat,
      lon: row.lon,
      lostAfterHours: row.lost_after_hours,
    }))
  }
}
