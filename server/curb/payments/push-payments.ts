import { randomUUID } from 'node:crypto'
import { civilClock } from '#contract/civil-clock.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import { encodeLines } from '#server/stores/row-text.ts'
import { bind, columnsWith, latest, type Sql, sql, versionValue } from '#server/stores/sql.ts'
import { storeLocations } from './locations.ts'
import { paymentTableColumns, stagingColumns, toStagingLine } from './payment-rows.ts'
import { markPaymentsDirty, type Publishing } from './publish-payments.ts'
import { laneColumns, publishedLaneRows, publishedRows, type StagedImport } from './queries.ts'
import { type ReadPayment, readPushedPayment } from './read-pushed-payment.ts'

/** Maximum number of payments in a push. */
export const maxPushed = 5000
/** Characters of an id in a response. */
const maxIdLength = 200

/** Numbers of payments that were stored or known before, and those that cannot be read, by position. */
export interface PushResult {
  accepted: number
  repeated: number
  failures: { index: number; payment_id: string | null; reason: string }[]
}

interface Push {
  scope: Scope
  regionId: string
  vendor: string
  /** Payments that have not been validated. */
  items: readonly unknown[]
}

const queryOptions = { limits: { seconds: 120, memory: 2 * 2 ** 30 } }

/** Returns a fingerprint of the content of a payment, which distinguishes a repetition from a correction. */
const toFingerprint = ({
  payment: { kind, amount, paidTime, locationId, paymentType },
}: ReadPayment): string => [kind, amount, Math.floor(paidTime / 1000), locationId, paymentType].join(' ')

/** The first and last time of some payments, in seconds since 1970. */
interface TimeRange {
  from: number
  until: number
}

/** Stored versions of pushed payments are searched within 15 days of the times of a push. */
const searchedSeconds = 15 * 86_400

/** Builds the condition for stored payments with some keys near the times of a push. */
const rowsWithKeysCondition = (
  regionId: string,
  keys: readonly string[],
  { from, until }: TimeRange,
): Sql => sql`
  region_id = ${bind('String', regionId)}
    and row_key in ${bind('Array(String)', keys)}
    and paid_time between toDateTime(${bind('UInt32', from - searchedSeconds)}, 'UTC')
      and toDateTime(${bind('UInt32', until + searchedSeconds)}, 'UTC')`

/** Builds SQL for the stored versions of pushed payments. */
const storedPaymentsSql = (regionId: string, keys: readonly string[], range: TimeRange): Sql => sql`
  select
    row_key,
    concat(
      kind, ' ', toString(amount), ' ', toString(toUnixTimestamp(paid_time)), ' ', location_id, ' ', payment_type
    ) as fingerprint,
    toUnixTimestamp(paid_time) as paid,
    toUnixTimestamp(end_time) as end
  from ${latest('curb_payments')}
  where ${rowsWithKeysCondition(regionId, keys, range)}`

interface StoredPayment {
  row_key: string
  fingerprint: string
  paid: number
  end: number | null
}

/** Builds SQL that deletes stored payments that a push replaces. The rows belong to the import of the push. */
const replacedRows = (
  table: 'curb_payments' | 'curb_payment_lanes',
  where: Sql,
  { importId, version }: { importId: string; version: bigint },
): Sql => sql`
  select ${columnsWith(columnsByTable[table], {
    import_id: sql`${bind('UUID', importId)}`,
    is_deleted: sql`toUInt8(1)`,
    version: versionValue(version),
  })}
  from ${latest(table)}
  where ${where}`

const columnsByTable = { curb_payment_lanes: laneColumns, curb_payments: paymentTableColumns }

/** Stores payments that vendors push. Idempotent; a changed payment replaces its earlier version. */
export class PushedPayments {
  readonly #publishing: Publishing & { paymentKey: (regionId: string) => string }
  /** The last push of each region. Pushes of a region are stored in order: they may correct each other. */
  readonly #lastPushes = new Map<string, Promise<unknown>>()

  constructor(publishing: Publishing & { paymentKey: (regionId: string) => string }) {
    this.#publishing = publishing
  }

  /** Stores the payments of a push, after earlier pushes of the same region. */
  async storePush(push: Push): Promise<PushResult> {
    const previous = this.#lastPushes.get(push.regionId) ?? Promise.resolve()
    const result = previous.then(() => this.#store(push))
    const settled = result.catch(() => undefined)
    this.#lastPushes.set(push.regionId, settled)
    try {
      return await result
    } finally {
      if (this.#lastPushes.get(push.regionId) === settled) this.#lastPushes.delete(push.regionId)
    }
  }

  async #store(push: Push): Promise<PushResult> {
    const { scope, regionId, vendor, items } = push
    const { state, now, paymentKey } = this.#publishing
    const region = await findRegion(state, scope, regionId)
    const context = { vendor, key: paymentKey(regionId), currency: region.currencyCode, at: now() }
    const failures: PushResult['failures'] = []
    /** Valid payments by key; the last one with a key counts. */
    const payments = new Map<string, ReadPayment>()
    let validCount = 0
    for (const [index, item] of items.entries()) {
      const result = readPushedPayment(item, context)
      if (typeof result === 'string') {
        const id = (item as { payment_id?: unknown } | null)?.payment_id
        const paymentId = typeof id === 'string' ? id.slice(0, maxIdLength) : null
        failures.push({ index, payment_id: paymentId, reason: result })
      } else {
        validCount++
        payments.set(result.payment.rowKey, result)
      }
    }
    const storedCount = payments.size ? await this.#storePayments(push, region.timezone, payments) : 0
    return { accepted: storedCount, repeated: validCount - storedCount, failures }
  }

  /** Stores payments that are new or changed, and returns their number. */
  async #storePayments(
    push: Push,
    timezone: string,
    payments: ReadonlyMap<string, ReadPayment>,
  ): Promise<number> {
    const { scope, regionId, vendor } = push
    const { facts, state, now } = this.#publishing
    const { changed, replacedKeys, range } = await this.#compareWithStored(push, payments)
    if (!changed.length) return 0
    const staged: StagedImport = { regionId, importId: randomUUID(), vendor, countsRepeated: false }
    if (replacedKeys.length)
      await this.#deleteReplaced(scope, staged, rowsWithKeysCondition(regionId, replacedKeys, range))
    const at = now()
    const places = new Map(changed.flatMap(({ place }) => (place ? [[place.locationId, place]] : [])))
    const links = await storeLocations(state.as(scope), regionId, [...places.values()], at)
    await this.#stage(scope, staged, changed, timezone)
    await this.#publish(scope, staged, links, at)
    await markPaymentsDirty(this.#publishing, scope, regionId, { importId: staged.importId, ...range })
    await facts.emptyStaging(staged.importId, ['curb_payments_staging'])
    return changed.length
  }

  /** Returns changed payments, the keys of those that replace others, and the times of all of these. */
  async #compareWithStored({ scope, regionId }: Push, payments: ReadonlyMap<string, ReadPayment>) {
    const times = [...payments.values()].map(({ payment }) => Math.floor(payment.paidTime / 1000))
    const range: TimeRange = { from: Math.min(...times), until: Math.max(...times) }
    const storedPayments = await this.#publishing.facts.rows<StoredPayment>(
      scope,
      storedPaymentsSql(regionId, [...payments.keys()], range),
      queryOptions,
    )
    const changed = new Map(payments)
    const replacedKeys: string[] = []
    for (const { row_key: key, fingerprint, paid, end } of storedPayments) {
      const pushedPayment = changed.get(key)
      if (!pushedPayment) continue
      const { endTime } = pushedPayment.payment
      const hasSameEnd = endTime === null || Math.floor(endTime / 1000) === end
      if (hasSameEnd && toFingerprint(pushedPayment) === fingerprint) changed.delete(key)
      else {
        replacedKeys.push(key)
        range.from = Math.min(range.from, paid)
        range.until = Math.max(range.until, paid)
      }
    }
    return { changed: [...changed.values()], replacedKeys, range }
  }

  async #deleteReplaced(scope: Scope, { importId }: StagedImport, where: Sql): Promise<void> {
    const { facts, nextVersion } = this.#publishing
    const version = nextVersion()
    for (const table of ['curb_payment_lanes', 'curb_payments'] as const) {
      const rows = replacedRows(table, where, { importId, version })
      await facts.add(scope, table, { columns: columnsByTable[table], rows, ...queryOptions })
    }
  }

  async #stage(
    scope: Scope,
    { regionId, importId, vendor }: StagedImport,
    payments: readonly ReadPayment[],
    timezone: string,
  ): Promise<void> {
    const batch = {
      regionId,
      vendor,
      source: 'push' as const,
      importId,
      isCumulative: false,
      clock: civilClock(timezone),
    }
    const lines = encodeLines(
      payments.map(({ payment }, index) => toStagingLine(payment, index + 1, batch)),
      (line) => line,
    )
    await this.#publishing.facts.insert(scope, 'curb_payments_staging', {
      columns: stagingColumns,
      regionId,
      lines,
    })
  }

  async #publish(
    scope: Scope,
    staged: StagedImport,
    links: ReadonlyMap<string, string>,
    at: Date,
  ): Promise<void> {
    const { facts, nextVersion } = this.#publishing
    const version = nextVersion()
    const rows = publishedRows(staged, links, version)
    await facts.add(scope, 'curb_payments', { columns: paymentTableColumns, rows, ...queryOptions })
    const lanes = publishedLaneRows(staged, Math.floor(at.getTime() / 1000), version)
    await facts.add(scope, 'curb_payment_lanes', { columns: laneColumns, rows: lanes, ...queryOptions })
  }
}
