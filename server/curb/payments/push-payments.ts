import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { civilClock } from '#contract/civil-clock.ts'
import { toMinor } from '#contract/money.ts'
import { PaymentPlaceKind } from '#contract/curb-payments.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import { encodeLines } from '#server/stores/row-text.ts'
import { bind, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import { linkPlaces, storeLocations } from './locations.ts'
import { createLocationId, maxStayMs, type Payment, type PaymentPlace } from './payment.ts'
import { paymentTableColumns, stagingColumns, stagingLine } from './payment-rows.ts'
import { markPayments, type Publishing } from './publish-payments.ts'
import { laneColumns, publishedLanes, publishedRows, type StagedImport } from './queries-import.ts'
import { hashLane } from '../hash-vehicle.ts'

/** Maximum number of payments in a push. */
export const maxPushed = 5000
const maxAheadMs = 86_400_000
/** Earlier payments are rejected. */
const firstTime = Date.UTC(1990, 0, 1)

const time = z.iso.datetime({ offset: true })
const text = z.string().trim().max(200)

/** A payment of a push. */
export const PushedPayment = z.object({
  /** The vendor's id of the payment. A payment with the same id replaces an earlier one. */
  payment_id: text.min(1),
  location_id: text.default(''),
  location_kind: PaymentPlaceKind.default('meter'),
  location_name: text.default(''),
  lat: z.number().min(-90).max(90).nullable().default(null),
  lon: z.number().min(-180).max(180).nullable().default(null),
  payment_time: time,
  start_time: time.nullable().default(null),
  end_time: time.nullable().default(null),
  purchased_minutes: z.number().min(0).max(100_000).nullable().default(null),
  /** In major units of the currency of the region; negative for refunds. */
  amount: z.number().min(-1_000_000).max(1_000_000),
  payment_type: text.default(''),
  status: z.enum(['approved', 'declined', 'cancelled', 'no_time', 'test', 'refund']).default('approved'),
  is_extension: z.boolean().default(false),
  /** Identifies the stay or the vehicle. Only its hash is stored, until the stitching window is over. */
  session_key: text.default(''),
  plate: text.default(''),
})
type PushedPayment = z.output<typeof PushedPayment>

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

const limits = { limits: { seconds: 120, memory: 2 * 2 ** 30 } }

/** A valid payment of a push, and its location. */
interface ReadPayment {
  payment: Payment
  place: PaymentPlace | null
}

/** Reads a payment of a push. A text says why it is rejected. */
function readPushed(
  item: PushedPayment,
  { vendor, key, currency }: { vendor: string; key: string; currency: string },
): ReadPayment | string {
  const [paid, start, end] = [item.payment_time, item.start_time, item.end_time].map((each) =>
    each === null ? null : Date.parse(each),
  ) as [number, number | null, number | null]
  const begin = start ?? paid
  const seconds = item.purchased_minutes === null ? null : Math.round(item.purchased_minutes * 60)
  const until = end ?? (seconds === null || seconds === 0 ? null : begin + seconds * 1000)
  if (paid < firstTime) return 'payment_time: is before 1990'
  if (Math.abs(begin - paid) > maxStayMs) return 'start_time: is more than 40 days from the payment'
  if (until !== null && until < begin) return 'end_time: is before the start'
  if (until !== null && until - begin > maxStayMs) return 'end_time: is more than 40 days after the start'
  const minor = toMinor(item.amount, currency)
  const isRefund = item.status === 'refund' || minor < 0
  const locationId = createLocationId(item.location_kind, item.location_id)
  const kind =
    item.status === 'approved' || item.status === 'refund'
      ? minor === 0
        ? 'zero'
        : isRefund
          ? 'refund'
          : 'counted'
      : item.status
  const { lat, lon } = item
  return {
    payment: {
      rowKey: `${vendor}:${item.payment_id}`,
      hasId: true,
      kind,
      amount: kind === 'refund' ? -Math.abs(minor) : minor,
      paidTime: paid,
      startTime: begin,
      endTime: until !== null && until > begin ? until : null,
      purchasedSeconds: seconds ?? (until === null ? null : Math.round((until - begin) / 1000)),
      locationId,
      paymentType: item.payment_type,
      rate: null,
      lane: hashLane(key, vendor, locationId, { session: item.session_key, plate: item.plate }),
      hint: item.is_extension ? 'extension' : '',
    },
    place:
      item.location_id === ''
        ? null
        : {
            locationId,
            kind: item.location_kind,
            name: item.location_name || item.location_id,
            lat: lon === null ? null : lat,
            lon: lat === null ? null : lon,
            spaces: null,
          },
  }
}

/** A fingerprint of the content of a payment, which distinguishes a repetition from a correction. */
const toFingerprint = ({
  payment: { kind, amount, paidTime, locationId, paymentType },
}: ReadPayment): string => [kind, amount, Math.floor(paidTime / 1000), locationId, paymentType].join(' ')

/**
 * The condition for stored payments with some keys. They are searched within `sameSeconds` of the times of a
 * push.
 */
const rowsWithKeys = (regionId: string, keys: readonly string[], { from, until }: Range): Sql => sql`
  region_id = ${bind('String', regionId)} and row_key in ${bind('Array(String)', keys)}
    and paid_time between toDateTime(${bind('UInt32', from - sameSeconds)}, 'UTC') and toDateTime(${bind('UInt32', until + sameSeconds)}, 'UTC')`
/** 15 days. */
const sameSeconds = 15 * 86_400

/** Times in seconds. */
interface Range {
  from: number
  until: number
}

const storedPayments = (regionId: string, keys: readonly string[], range: Range): Sql => sql`
  select row_key, concat(kind, ' ', toString(amount), ' ', toString(toUnixTimestamp(paid_time)), ' ', location_id, ' ', payment_type) as fingerprint,
    toUnixTimestamp(paid_time) as paid, toUnixTimestamp(end_time) as end
  from ${latest('curb_payments')}
  where ${rowsWithKeys(regionId, keys, range)}`

/** Deletion rows for stored payments that a push replaces. */
const replacedRows = (
  table: 'curb_payments' | 'curb_payment_lanes',
  columns: readonly string[],
  where: Sql,
  { importId, version }: { importId: string; version: bigint },
): Sql => sql`
  select ${joinSql(
    columns.map((name) =>
      name === 'is_deleted'
        ? sql`toUInt8(1)`
        : name === 'version'
          ? sql`${bind('UInt64', String(version))}`
          : name === 'import_id'
            ? sql`${bind('UUID', importId)}`
            : identifier(name),
    ),
    ', ',
  )}
  from ${latest(table)}
  where ${where}`

/** Stores payments that vendors push. Idempotent; a changed payment replaces its earlier version. */
export class PushedPayments {
  readonly #publishing: Publishing & { paymentKey: (regionId: string) => string }
  /**
   * The last push of each region. Pushes of a region are stored one after the other, because they may correct
   * each other.
   */
  readonly #last = new Map<string, Promise<unknown>>()

  constructor(publishing: Publishing & { paymentKey: (regionId: string) => string }) {
    this.#publishing = publishing
  }

  /** Stores the payments of a push, after earlier pushes of the same region. */
  async storePush(push: Push): Promise<PushResult> {
    const previous = this.#last.get(push.regionId) ?? Promise.resolve()
    const result = previous.then(() => this.#store(push))
    const settled = result.catch(() => undefined)
    this.#last.set(push.regionId, settled)
    try {
      return await result
    } finally {
      if (this.#last.get(push.regionId) === settled) this.#last.delete(push.regionId)
    }
  }

  async #store({ scope, regionId, vendor, items }: Push): Promise<PushResult> {
    const { state, now, paymentKey } = this.#publishing
    const region = await findRegion(state, scope, regionId)
    const at = now()
    const failures: PushResult['failures'] = []
    const payments = new Map<string, ReadPayment>()
    let valid = 0
    for (const [index, item] of items.entries()) {
      const parsed = PushedPayment.safeParse(item)
      const issue = parsed.error?.issues[0]
      const read: ReadPayment | string = parsed.success
        ? Date.parse(parsed.data.payment_time) > at.getTime() + maxAheadMs
          ? 'payment_time: is more than a day ahead'
          : readPushed(parsed.data, { vendor, key: paymentKey(regionId), currency: region.currencyCode })
        : `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is wrong'}`
      if (typeof read === 'string') {
        const id = (item as { payment_id?: unknown } | null)?.payment_id
        failures.push({ index, payment_id: typeof id === 'string' ? id.slice(0, 200) : null, reason: read })
      } else {
        valid++
        payments.set(read.payment.rowKey, read)
      }
    }
    const stored = payments.size
      ? await this.#storePayments({ scope, regionId, vendor }, region.timezone, payments)
      : 0
    return { accepted: stored, repeated: valid - stored, failures }
  }

  /** Stores payments that are new or changed, and returns their number. */
  async #storePayments(
    { scope, regionId, vendor }: Omit<Push, 'items'>,
    timezone: string,
    payments: Map<string, ReadPayment>,
  ): Promise<number> {
    const { facts, state, now, nextVersion } = this.#publishing
    const times = [...payments.values()].map(({ payment }) => Math.floor(payment.paidTime / 1000))
    const range: Range = { from: Math.min(...times), until: Math.max(...times) }
    const stored = await facts.rows<{
      row_key: string
      fingerprint: string
      paid: number
      end: number | null
    }>(scope, storedPayments(regionId, [...payments.keys()], range), limits)
    const replaced: string[] = []
    for (const { row_key: key, fingerprint, paid, end } of stored) {
      const pushed = payments.get(key)
      if (!pushed) continue
      const endTime = pushed.payment.endTime
      if (toFingerprint(pushed) === fingerprint && (endTime === null || Math.floor(endTime / 1000) === end))
        payments.delete(key)
      else {
        replaced.push(key)
        range.from = Math.min(range.from, paid)
        range.until = Math.max(range.until, paid)
      }
    }
    if (!payments.size) return 0
    const staged: StagedImport = { regionId, importId: randomUUID(), vendor, countsRepeated: false }
    const { importId } = staged
    if (replaced.length) {
      const version = nextVersion()
      const where = rowsWithKeys(regionId, replaced, range)
      for (const [table, columns] of [
        ['curb_payment_lanes', laneColumns],
        ['curb_payments', paymentTableColumns],
      ] as const)
        await facts.add(scope, table, {
          columns,
          rows: replacedRows(table, columns, where, { importId, version }),
          ...limits,
        })
    }
    const at = now()
    const places = [
      ...new Map(
        [...payments.values()].flatMap(({ place }) => (place ? [[place.locationId, place]] : [])),
      ).values(),
    ]
    const links = await linkPlaces(state.as(scope), regionId, places, at)
    await storeLocations(state.as(scope), regionId, places, links, at)
    const batch = {
      regionId,
      vendor,
      source: 'push' as const,
      importId,
      isCumulative: false,
      clock: civilClock(timezone),
    }
    const lines = encodeLines(
      [...payments.values()].map(({ payment }, row) => stagingLine(payment, row + 1, batch)),
      (line) => line,
    )
    await facts.insert(scope, 'curb_payments_staging', { columns: stagingColumns, regionId, lines })
    const version = nextVersion()
    await facts.add(scope, 'curb_payments', {
      columns: paymentTableColumns,
      rows: publishedRows(staged, links, version),
      ...limits,
    })
    await facts.add(scope, 'curb_payment_lanes', {
      columns: laneColumns,
      rows: publishedLanes(staged, Math.floor(at.getTime() / 1000), version),
      ...limits,
    })
    await markPayments(this.#publishing, scope, regionId, { importId, ...range })
    await facts.emptyStaging(importId, ['curb_payments_staging'])
    return payments.size
  }
}
