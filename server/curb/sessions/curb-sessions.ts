import { randomUUID } from 'node:crypto'
import type { LocalDay } from '#contract/period.ts'
import type { DerivedProduct } from '#server/derived/derived-product.ts'
import { markDirty } from '#server/derived/dirty-spans.ts'
import { regionScope } from '#server/identity/scope.ts'
import { findFirstOpenMs, findRemovedBefore } from '#server/regions/fact-limits.ts'
import { createVersionCounter, type Facts } from '#server/stores/facts.ts'
import { runAsCaller } from '#server/stores/query-counts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import { hashVehicle, openHashKeys } from '../hash-vehicle.ts'
import { curbHours, curbSessions } from '../product-names.ts'
import { storeCdsPayments } from '../payments/cds-payments.ts'
import { paymentSums } from '../payments/sums/payment-sums-product.ts'
import type { CurbEvent } from './curb-event.ts'
import { deriveSessions } from './derive-sessions.ts'
import { eventColumns, toEventLines } from './event-rows.ts'
import {
  type BatchSpan,
  readSpan,
  repeatedEventsSql,
  formatSpan,
  supersededRows,
} from './queries/sessions.ts'

/** Events that arrived together from one feed. */
export interface CurbBatch {
  organizationId: string
  regionId: string
  feedId: string
  /** Milliseconds since 1970. */
  received: number
  events: readonly CurbEvent[]
}

/** Numbers of events of a batch. */
export interface CurbBatchResult {
  accepted: number
  /** Already stored, or twice in the batch. */
  repeated: number
}

interface CurbSessionsOptions {
  state: State
  facts: Facts
  secretBox: Pick<SecretBox, 'derive'>
  /** Milliseconds since 1970. */
  nowMs: () => number
}

/** A batch that waits to be stored, and the promise of its result. */
interface WaitingBatch {
  batch: CurbBatch
  resolve: (result: CurbBatchResult) => void
  reject: (error: unknown) => void
}

/** WaitingBatch batches are stored together up to this number of events. */
const maxEventsPerGroup = 20_000
const queryOptions = { limits: { seconds: 300, memory: 4 * 2 ** 30 } }

/** Stores curb events as they arrive. The runner of derived data derives sessions from them. */
export class CurbSessions {
  readonly #options: CurbSessionsOptions
  readonly #keys: ReturnType<typeof openHashKeys>
  readonly #queues = new Map<string, WaitingBatch[]>()
  readonly #watchers = new Set<(regionId: string, days: ReadonlySet<LocalDay>) => void>()
  readonly #nextVersion: () => bigint

  constructor(options: CurbSessionsOptions) {
    this.#options = options
    this.#nextVersion = createVersionCounter(options.nowMs)
    this.#keys = openHashKeys(options.secretBox)
  }

  /** Stores a batch. Idempotent. Batches that arrive while another is stored are stored together. */
  storeBatch(batch: CurbBatch): Promise<CurbBatchResult> {
    if (!batch.events.length) return Promise.resolve({ accepted: 0, repeated: 0 })
    return new Promise((resolve, reject) => {
      const waiting: WaitingBatch = { batch, resolve, reject }
      const queue = this.#queues.get(batch.regionId)
      if (queue) return void queue.push(waiting)
      this.#queues.set(batch.regionId, [waiting])
      void this.#runQueue(batch.regionId)
    })
  }

  /** Calls back with the changed days after sessions of a region were derived. Returns a function to stop. */
  watch(watcher: (regionId: string, days: ReadonlySet<LocalDay>) => void): () => void {
    this.#watchers.add(watcher)
    return () => void this.#watchers.delete(watcher)
  }

  /** Returns the stored identity of a vehicle: a hash with the key of the region. */
  hashVehicle(regionId: string, vehicle: string): string {
    return hashVehicle(this.#keys.vehicleKey(regionId), vehicle)
  }

  /**
   * Returns the derived product. It reads `curb_events`, writes `curb_sessions` and their payments, withdraws
   * sessions that the events no longer support, and marks the days with sums that may have changed.
   */
  product(): DerivedProduct {
    const { state, facts, nowMs } = this.#options
    return {
      name: curbSessions,
      description: 'Curb sessions: starts and ends of vehicles at the curb',
      settleMs: 250,
      maxSpans: 500,
      pauseFactor: 3,
      maxPauseMs: 5000,
      isOnce: true,
      isPrompt: true,
      derive: async ({ regionId, scope, timezone }, spans) => {
        const region = { regionId, timezone, version: this.#nextVersion() }
        const { days, hasPayments } = await deriveSessions(facts, scope, region, spans.map(readSpan))
        if (hasPayments) {
          await storeCdsPayments(facts, scope, region, days)
          await markDirty(
            state,
            scope,
            { product: paymentSums, regionId },
            { spans: [...days], time: new Date(nowMs()) },
          )
        }
        await markDirty(
          state,
          scope,
          { product: curbHours, regionId },
          { spans: [...days], time: new Date(nowMs()) },
        )
        for (const watcher of this.#watchers) watcher(regionId, days)
      },
    }
  }

  async #runQueue(regionId: string): Promise<void> {
    const queue = this.#queues.get(regionId) ?? []
    while (queue.length) {
      const group: WaitingBatch[] = []
      let count = 0
      while (queue[0] && (!group.length || count + queue[0].batch.events.length <= maxEventsPerGroup)) {
        const nextBatch = queue.shift() as WaitingBatch
        count += nextBatch.batch.events.length
        group.push(nextBatch)
      }
      await this.#storeGroup(group)
    }
    this.#queues.delete(regionId)
  }

  /** Inserts the events of all batches before it looks for repetitions, to find those within the group. */
  async #storeGroup(group: readonly WaitingBatch[]): Promise<void> {
    const stored: { waiting: WaitingBatch; span: BatchSpan }[] = []
    for (const waiting of group)
      try {
        const batch = await this.#excludeRemovedDays(waiting.batch)
        if (batch.events.length)
          stored.push({
            waiting: { ...waiting, batch },
            span: await runAsCaller('curb events', () => this.#insert(batch)),
          })
        else waiting.resolve({ accepted: 0, repeated: 0 })
      } catch (error) {
        waiting.reject(error)
      }
    for (const { waiting, span } of stored)
      try {
        waiting.resolve(await runAsCaller('curb events', () => this.#completeBatch(waiting.batch, span)))
      } catch (error) {
        waiting.reject(error)
      }
  }

  /** Returns the batch without events of days with rows removed from the region. */
  async #excludeRemovedDays(batch: CurbBatch): Promise<CurbBatch> {
    const { state } = this.#options
    const scope = regionScope(batch.organizationId, batch.regionId)
    const removed = await findRemovedBefore(state, scope, batch.regionId)
    if (!removed.sessions && !removed.plates) return batch
    const { timezone } = await state
      .as(scope)
      .selectFrom('region')
      .select('timezone')
      .where('region_id', '=', batch.regionId)
      .executeTakeFirstOrThrow()
    const since = findFirstOpenMs(removed, ['sessions', 'plates'], timezone)
    return { ...batch, events: batch.events.filter(({ time }) => time >= since) }
  }

  /** Inserts the events with hashed vehicles, and marks the batch for derivation. */
  async #insert({ organizationId, regionId, feedId, received, events }: CurbBatch): Promise<BatchSpan> {
    const scope = regionScope(organizationId, regionId)
    const batchId = randomUUID()
    let from = Infinity
    let until = -Infinity
    for (const { time } of events) {
      if (time < from) from = time
      if (time > until) until = time
    }
    const span = { batchId, from, until }
    // Marked before the insert, so that the events are derived even if the process ends right after it.
    // `#completeBatch` marks again.
    await this.#markForDerivation(scope, regionId, span)
    const zones = await this.#findZonesOfSpaces(scope, regionId, events)
    const hashedEvents = events.map((event) => ({
      ...event,
      zoneId: event.zoneId || (zones.get(event.spaceId) ?? ''),
      vehicle: this.hashVehicle(regionId, event.vehicle),
    }))
    await this.#options.facts.insert(scope, 'curb_events', {
      columns: eventColumns,
      regionId,
      lines: toEventLines(hashedEvents, { regionId, feedId, batchId, received }),
    })
    return span
  }

  /** Returns the zone of each space that occurs in events without a zone. */
  async #findZonesOfSpaces(
    scope: Scope,
    regionId: string,
    events: readonly CurbEvent[],
  ): Promise<ReadonlyMap<string, string>> {
    const spaces = new Set(events.flatMap(({ zoneId, spaceId }) => (zoneId || !spaceId ? [] : [spaceId])))
    if (!spaces.size) return new Map()
    const rows = await this.#options.state
      .as(scope)
      .selectFrom('curb_place')
      .select(['place_id', 'curb_zone_id'])
      .where('region_id', '=', regionId)
      .where('kind', '=', 'space')
      .where('place_id', 'in', [...spaces])
      .where('curb_zone_id', 'is not', null)
      .orderBy('start_time')
      .execute()
    return new Map(rows.map((row) => [row.place_id, row.curb_zone_id ?? '']))
  }

  #markForDerivation(scope: Scope, regionId: string, span: BatchSpan): Promise<void> {
    const { state, nowMs } = this.#options
    return markDirty(
      state,
      scope,
      { product: curbSessions, regionId },
      { spans: [formatSpan(span)], time: new Date(nowMs()) },
    )
  }

  /**
   * Marks the versions of events that the batch supersedes, and marks the batch for derivation again, because
   * it may have been derived before this. Returns how many of its events are new.
   */
  async #completeBatch(
    { organizationId, regionId, events }: CurbBatch,
    span: BatchSpan,
  ): Promise<CurbBatchResult> {
    const { facts } = this.#options
    const scope: Scope = regionScope(organizationId, regionId)
    const [counts] = await facts.rows<{ repeated: string; moved: string }>(
      scope,
      repeatedEventsSql(regionId, span),
      queryOptions,
    )
    if (Number(counts?.moved ?? 0) > 0)
      await facts.add(scope, 'curb_events', {
        columns: eventColumns,
        rows: supersededRows(regionId, span),
        ...queryOptions,
      })
    await this.#markForDerivation(scope, regionId, span)
    const accepted = Math.max(
      0,
      new Set(events.map(({ eventId }) => eventId)).size - Number(counts?.repeated ?? 0),
    )
    return { accepted, repeated: events.length - accepted }
  }
}
