import { setTimeout as wait } from 'node:timers/promises'
import { getErrorMessage } from '#contract/problem-text.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import type { Log } from '#server/jobs/log.ts'
import { runAsCaller } from '#server/stores/query-counts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { DerivedProduct, DerivedRegion, DerivedRun } from './derived-product.ts'
import {
  countDirty,
  type DirtyCount,
  type DueThresholds,
  finishSpans,
  listDirty,
  type SpanProgress,
  readSpanProgress,
} from './dirty-spans.ts'

/** Changes by this process are seen immediately, those of other servers after this time. */
const checkIntervalMs = 60_000
/** Failed work is retried after this time. */
const retryMs = 60_000
const defaultMaxPauseMs = 10_000
/** Longer messages of errors are truncated in the log. */
const maxLoggedLength = 500

interface DerivationOptions {
  state: State
  nowMs: () => number
  log: Log
}

/** The state of a product in one region. */
interface DerivationTask {
  /** Parts that failed; '' is `advance` or the product itself. */
  failed: Set<string>
  /** Time of the last failure. */
  failedMs: number
  /** End of the pause. */
  pausedUntilMs: number
  /** Whether `advance` is due. */
  mustAdvance: boolean
}

/** Prompt products are derived in a group of their own. */
export type ProductKind = 'prompt' | 'other'

/** Products that take turns. There is one group for prompt products and one for all others. */
interface ProductGroup {
  isPrompt: boolean
  running: Promise<unknown> | null
  /** Number of changes of the table of spans at the last run. */
  seenChanges: number
  /** The earliest time at which a known span or task becomes due, ms. */
  dueMs: number
  /** Number of changes of the watched tables, and the time (ms), at the last check of all products. */
  seenWatched: number
  checkedMs: number
}

/** Work of the runner for a product in a region since the start of the process; `ms` is its duration. */
interface WorkCount {
  portions: number
  ms: number
  lastProblem: string | null
}

/** The progress of a product in the regions of a Scope. */
export interface ProductProgress {
  product: string
  description: string
  regions: (SpanProgress & WorkCount)[]
}

/** The turn of a region in a group. */
interface Turn {
  group: ProductGroup
  products: readonly DerivedProduct[]
  region: DerivedRegion
  /** Counts of dirty spans in all regions. */
  dirtyCounts: readonly DirtyCount[]
  /** Whether a caller of `idle` waits, so that pauses and settle times are skipped. */
  isIdle: boolean
}

/** A part of a product with due spans to derive. */
interface PartWork {
  product: DerivedProduct
  region: DerivedRegion
  task: DerivationTask
  run: DerivedRun
  part: string
  due: DueThresholds | null
}

/** Returns whether work is due. If not, the group runs again when it is. Times are ms. */
function isDue(group: ProductGroup, dueMs: number, now: number): boolean {
  if (dueMs <= now) return true
  group.dueMs = Math.min(group.dueMs, dueMs)
  return false
}

/**
 * The runner of all derived data (decision 027). Regions take turns. Each turn derives one portion of the
 * first product with due spans, newest spans first. Spans are finished only after their rows are stored, so
 * interrupted ones remain dirty.
 */
export class Derivation {
  readonly #options: DerivationOptions
  readonly #products: DerivedProduct[] = []
  /** Tasks by `product region`. */
  readonly #tasks = new Map<string, DerivationTask>()
  /** Work counts by `product region`. */
  readonly #workCounts = new Map<string, WorkCount>()
  readonly #stopController = new AbortController()
  readonly #groups: readonly ProductGroup[] = [true, false].map((isPrompt) => ({
    isPrompt,
    running: null,
    seenChanges: -1,
    dueMs: Infinity,
    seenWatched: -1,
    checkedMs: -Infinity,
  }))
  /** Callers of `idle`. While there are any, regular runs wait and pauses are skipped. */
  #idleWaiters = 0
  #pauseAbort = new AbortController()

  constructor(options: DerivationOptions) {
    this.#options = options
  }

  /** Adds a product. Products are derived in the order in which they were added. */
  add(product: DerivedProduct): void {
    this.#products.push(product)
  }

  /** Returns whether prompt or other products may have something to derive. Reads no store. */
  isDue(kind: ProductKind): boolean {
    const group = this.#getGroup(kind)
    if (this.#idleWaiters || group.running) return false
    return (
      this.#isCheckDue(group) ||
      this.#options.state.changes.countFor(['derived_span']) !== group.seenChanges ||
      this.#options.nowMs() >= group.dueMs
    )
  }

  /** Derives all due spans of prompt or of other products. */
  async run(kind: ProductKind): Promise<void> {
    const group = this.#getGroup(kind)
    const products = this.#getProducts(group)
    if (this.#isCheckDue(group)) {
      for (const product of products)
        for (const [key, task] of this.#tasks) if (key.startsWith(`${product.name} `)) task.mustAdvance = true
      group.seenWatched = this.#countWatchedChanges()
      group.checkedMs = this.#options.nowMs()
    }
    await this.#startRun(group, products, false)
  }

  /** Ends all work after the current portion. */
  async stop(): Promise<void> {
    this.#stopController.abort()
    await this.#waitForRuns()
  }

  #getGroup(kind: ProductKind): ProductGroup {
    const [prompt, other] = this.#groups as readonly [ProductGroup, ProductGroup]
    return kind === 'prompt' ? prompt : other
  }

  #getProducts(group: ProductGroup): DerivedProduct[] {
    return this.#products.filter(({ isPrompt = false }) => isPrompt === group.isPrompt)
  }

  #countWatchedChanges(): number {
    return this.#options.state.changes.countFor(this.#products.flatMap(({ watches }) => watches ?? []))
  }

  /** Whether all products must be checked: others may have marked spans, or a watched table changed. */
  #isCheckDue({ checkedMs, seenWatched }: ProductGroup): boolean {
    const now = this.#options.nowMs()
    return (
      now - checkedMs >= checkIntervalMs || now < checkedMs || this.#countWatchedChanges() !== seenWatched
    )
  }

  async #waitForRuns(): Promise<void> {
    await Promise.allSettled(this.#groups.map(({ running }) => running))
  }

  /** Derives all dirty spans without pauses, or those of the named products. Spans that fail remain dirty. */
  async idle(names?: readonly string[]): Promise<void> {
    this.#idleWaiters++
    this.#pauseAbort.abort()
    try {
      await this.#waitForRuns()
      for (const [key, task] of this.#tasks)
        if (!names || names.includes(key.split(' ', 1)[0] as string)) {
          task.failed.clear()
          task.mustAdvance = true
        }
      // Products of one group may mark spans of products of the other.
      for (let isBusy = true; isBusy;) {
        isBusy = false
        for (const group of this.#groups) {
          const products = this.#getProducts(group).filter(({ name }) => names?.includes(name) ?? true)
          isBusy = (await this.#startRun(group, products, true)) || isBusy
        }
      }
    } finally {
      if (--this.#idleWaiters === 0) this.#pauseAbort = new AbortController()
    }
  }

  /** Reads the progress of each product in the regions of a Scope. */
  async readProgress(scope: Scope): Promise<ProductProgress[]> {
    const spans = await readSpanProgress(this.#options.state, scope)
    return this.#products.map(({ name, description }) => ({
      product: name,
      description,
      regions: spans
        .filter(({ product }) => product === name)
        .map((region) => ({ ...region, ...this.#getWorkCount(name, region.regionId) })),
    }))
  }

  #getWorkCount(name: string, regionId: string): WorkCount {
    const key = `${name} ${regionId}`
    let work = this.#workCounts.get(key)
    if (!work) this.#workCounts.set(key, (work = { portions: 0, ms: 0, lastProblem: null }))
    return work
  }

  /** Runs a group after its current run. Returns whether anything was derived. */
  async #startRun(
    group: ProductGroup,
    products: readonly DerivedProduct[],
    isIdle: boolean,
  ): Promise<boolean> {
    while (group.running) await group.running.catch(() => undefined)
    if (!products.length) return false
    const run = this.#run(group, products, isIdle).finally(() => {
      group.running = null
    })
    group.running = run
    return run
  }

  async #run(group: ProductGroup, products: readonly DerivedProduct[], isIdle: boolean): Promise<boolean> {
    let hasDerived = false
    const regions = await this.#listRegions()
    const mustStop = (): boolean => this.#stopController.signal.aborted || (!isIdle && this.#idleWaiters > 0)
    for (let isBusy = true; isBusy && !mustStop();) {
      isBusy = false
      group.seenChanges = this.#options.state.changes.countFor(['derived_span'])
      group.dueMs = Infinity
      const dirtyCounts = await countDirty(this.#options.state, systemScope)
      for (const region of regions) {
        if (mustStop()) return hasDerived
        const beginMs = performance.now()
        const product = await this.#takeTurn({ group, products, region, dirtyCounts, isIdle })
        if (!product) continue
        isBusy = hasDerived = true
        await this.#pause(product, region, performance.now() - beginMs)
      }
    }
    return hasDerived
  }

  /** Derives one portion of a region, or advances a product. Returns the product; null if nothing was due. */
  async #takeTurn({ group, products, region, dirtyCounts, isIdle }: Turn): Promise<DerivedProduct | null> {
    const now = this.#options.nowMs()
    for (const product of products) {
      const task = this.#getTask(product, region, now)
      if (task.failed.has('')) isDue(group, task.failedMs + retryMs, now)
      if (task.failed.has('') || !isDue(group, isIdle ? 0 : task.pausedUntilMs, now)) continue
      const run: DerivedRun = { signal: this.#stopController.signal, failed: task.failed }
      if (product.advance && task.mustAdvance) {
        await this.#attempt({ product, region, task, part: '' }, async () => {
          task.mustAdvance = (await product.advance?.(region, run)) ?? false
        })
        // Spans that it marked are found in the next turn.
        return product
      }
      const productCounts = dirtyCounts.filter(
        (count) => count.product === product.name && count.regionId === region.regionId,
      )
      const { settleMs, settleAgainMs = settleMs } = product
      const due = isIdle ? null : { first: new Date(now - settleMs), again: new Date(now - settleAgainMs) }
      for (const { part, isAgain, since } of productCounts) {
        if (task.failed.has(part)) isDue(group, task.failedMs + retryMs, now)
        else if (isDue(group, isIdle ? 0 : since + (isAgain ? settleAgainMs : settleMs), now))
          if (await this.#derivePart({ product, region, task, run, part, due })) return product
      }
    }
    return null
  }

  /** Derives a portion of a part's due spans (`due` null: all dirty ones). Returns whether there were any. */
  async #derivePart({ product, region, task, run, part, due }: PartWork): Promise<boolean> {
    const { state, nowMs } = this.#options
    const owner = { product: product.name, regionId: region.regionId, part }
    // Only settled spans: spans that are marked all the time would otherwise always be the newest ones.
    const spans = await listDirty(state, region.scope, owner, { limit: product.maxSpans, due })
    if (!spans.length) return false
    await this.#attempt({ product, region, task, part }, async () => {
      const requestedSpans = spans.map(({ span }) => span)
      const derivedSpans = await product.derive(region, requestedSpans, run, part)
      await finishSpans(state, region.scope, owner, {
        spans: derivedSpans ? spans.filter(({ span }) => derivedSpans.includes(span)) : spans,
        time: new Date(nowMs()),
        isOnce: product.isOnce,
      })
    })
    return true
  }

  /** Runs work, counts it, and records and logs a failure. */
  async #attempt(
    { product, region, task, part }: Pick<PartWork, 'product' | 'region' | 'task' | 'part'>,
    work: () => Promise<void>,
  ): Promise<void> {
    const count = this.#getWorkCount(product.name, region.regionId)
    const beginMs = performance.now()
    const failedBefore = task.failed.size
    try {
      await runAsCaller(`derived ${product.name}`, work)
    } catch (error) {
      task.failed.add(part)
      count.lastProblem = getErrorMessage(error)
      this.#options.log(product.name, {
        regionId: region.regionId,
        error: count.lastProblem.slice(0, maxLoggedLength),
      })
    }
    if (task.failed.size > failedBefore) task.failedMs = this.#options.nowMs()
    count.portions++
    count.ms += Math.round(performance.now() - beginMs)
  }

  /** Returns the task of a product and region; clears failures after `retryMs`. */
  #getTask({ name }: DerivedProduct, { regionId }: DerivedRegion, now: number): DerivationTask {
    const key = `${name} ${regionId}`
    let task = this.#tasks.get(key)
    if (!task)
      this.#tasks.set(key, (task = { failed: new Set(), failedMs: 0, pausedUntilMs: 0, mustAdvance: true }))
    if (task.failed.size && now - task.failedMs >= retryMs) task.failed.clear()
    return task
  }

  /** Pauses so that requests can use the stores. A pause by a `pauseFactor` delays only that product. */
  async #pause(product: DerivedProduct, region: DerivedRegion, workedMs: number): Promise<void> {
    if (this.#idleWaiters) return
    const pauseMs = Math.min(workedMs * (product.pauseFactor ?? 1), product.maxPauseMs ?? defaultMaxPauseMs)
    const now = this.#options.nowMs()
    if (product.pauseFactor) this.#getTask(product, region, now).pausedUntilMs = now + pauseMs
    await wait(Math.min(workedMs, pauseMs, defaultMaxPauseMs), undefined, {
      signal: AbortSignal.any([this.#stopController.signal, this.#pauseAbort.signal]),
    }).catch(() => undefined)
  }

  async #listRegions(): Promise<DerivedRegion[]> {
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
