import { dayFromNumber, dayNumber, type LocalDay, localDay } from '#contract/period.ts'
import type { DerivedProduct } from '#server/derived/derived-product.ts'
import { markDirty } from '#server/derived/dirty-spans.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { curbHours } from '../../product-names.ts'
import { sessionColumns } from '../../sessions/session-rows.ts'
import type { PurchaseHint } from '../payment.ts'
import { paymentTableColumns } from '../payment-rows.ts'
import { laneColumns } from '../queries-import.ts'
import { paymentSums } from '../sums/payment-sums-product.ts'
import {
  type Assignment,
  lanePurchases,
  lanesWithPayments,
  oldLanes,
  paidSessions,
  type PaymentSpan,
  readSpan,
  reassignedLanes,
  reassignedPayments,
  sessionRange,
  withdrawnSessions,
} from './queries-stitch.ts'
import { stitchLane } from './stitch-lane.ts'

/** Paid sessions, a derived product. Its spans are imports and batches of payments. */
export const paymentSessions = 'curb_payment_sessions'

/**
 * Hashed plates and session keys are deleted this long after receipt. Payments that arrive later are not
 * stitched to earlier ones.
 */
export const stitchingWindowMs = 7 * 86_400_000
/** Number of lanes in memory at once. */
const lanesAtOnce = 2000
/** Number of rows that one statement changes. */
const rowsAtOnce = 5000
const limits = { limits: { seconds: 600, memory: 4 * 2 ** 30 }, areDistinct: true }

interface Options {
  state: State
  facts: Facts
  nextVersion: () => bigint
  /** Ms since 1970. */
  now: () => number
}

interface PurchaseRow {
  lane: string
  row_key: string
  kind: string
  paid: number
  start: number | null
  end: number | null
  purchased: number | null
  hint: PurchaseHint
  is_cumulative: number
  session_id: string
  starts_session: number
  net: number | null
}

const ms = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1000)
const seconds = (value: number | null): number | null => (value === null ? null : Math.floor(value / 1000))

/**
 * Purchases of a lane with a new session or net time, and those with an end derived from other purchases.
 */
export function changedPurchases(
  lane: string,
  rows: readonly PurchaseRow[],
): { assignment: Assignment; before: string }[] {
  const byKey = new Map(rows.map((row) => [row.row_key, row]))
  const stitched = stitchLane(
    rows.map((row) => ({
      key: row.row_key,
      isRefund: row.kind === 'refund',
      paid: row.paid * 1000,
      start: ms(row.start),
      end: ms(row.end),
      purchased: row.purchased,
      hint: row.hint,
      isCumulative: row.is_cumulative === 1,
    })),
    { needsHint: lane.startsWith('place ') },
  )
  const changes = stitched.filter(({ key, sessionId, startsSession, net }) => {
    const row = byKey.get(key) as PurchaseRow
    return row.session_id !== sessionId || (row.starts_session === 1) !== startsSession || row.net !== net
  })
  if (!changes.length) return []
  // An end that is not reported depends on earlier purchases, so it may have changed too.
  const derivedEnds = stitched.filter(
    ({ key, sessionId }) => sessionId !== '' && byKey.get(key)?.end === null,
  )
  return [...new Set([...changes, ...derivedEnds])].map(
    ({ key, sessionId, startsSession, start, end, net }) => ({
      assignment: { rowKey: key, sessionId, startsSession, start: seconds(start), end: seconds(end), net },
      before: byKey.get(key)?.session_id ?? '',
    }),
  )
}

/**
 * Reads `curb_payments` and `curb_payment_lanes`, writes the sessions of payments and `curb_sessions`, and
 * deletes old lanes.
 */
export function paymentSessionsProduct({ state, facts, nextVersion, now }: Options): DerivedProduct {
  /** When the old lanes of each region were last removed, ms. */
  const lanesRemoved = new Map<string, number>()

  /** Stitches the lanes of imports. Returns the changed sessions, and the local days of changed payments. */
  async function stitch(
    scope: Scope,
    { regionId, timezone }: { regionId: string; timezone: string },
    spans: readonly PaymentSpan[],
    version: bigint,
  ) {
    const changedSessions = new Set<string>()
    const days = new Set<LocalDay>()
    const lanes = await facts.rows<{ lane: string }>(scope, lanesWithPayments(regionId, spans), limits)
    for (let from = 0; from < lanes.length; from += lanesAtOnce) {
      const part = lanes.slice(from, from + lanesAtOnce).map(({ lane }) => lane)
      const rowsByLane = new Map<string, PurchaseRow[]>()
      for (const row of await facts.rows<PurchaseRow>(scope, lanePurchases(regionId, part), limits)) {
        const list = rowsByLane.get(row.lane)
        if (list) list.push(row)
        else rowsByLane.set(row.lane, [row])
      }
      const changed = [...rowsByLane].flatMap(([lane, rows]) => {
        const paid = new Map(rows.map((row) => [row.row_key, row.paid]))
        return changedPurchases(lane, rows).map((each) => ({
          ...each,
          paid: paid.get(each.assignment.rowKey) ?? 0,
        }))
      })
      for (const { assignment, before, paid } of changed) {
        for (const id of [assignment.sessionId, before]) if (id !== '') changedSessions.add(id)
        for (const time of [paid, assignment.start])
          if (time !== null) days.add(localDay(new Date(time * 1000), timezone))
      }
      for (let start = 0; start < changed.length; start += rowsAtOnce) {
        const list = changed.slice(start, start + rowsAtOnce).map(({ assignment }) => assignment)
        await facts.add(scope, 'curb_payments', {
          columns: paymentTableColumns,
          rows: reassignedPayments(regionId, spans, list, version),
          ...limits,
        })
        // Written after the payments, so that rows that are missing after a crash are found as changed again.
        await facts.add(scope, 'curb_payment_lanes', {
          columns: laneColumns,
          rows: reassignedLanes(regionId, part, list, version),
          ...limits,
        })
      }
    }
    return { changedSessions, days }
  }

  async function storeSessions(
    scope: Scope,
    regionId: string,
    spans: readonly PaymentSpan[],
    changed: readonly string[],
    version: bigint,
  ): Promise<void> {
    // The empty part is that of the sessions of the imports themselves.
    const parts: string[][] = [[]]
    for (let from = 0; from < changed.length; from += rowsAtOnce)
      parts.push(changed.slice(from, from + rowsAtOnce))
    for (const others of parts) {
      await facts.add(scope, 'curb_sessions', {
        columns: sessionColumns,
        rows: paidSessions(regionId, spans, others, version),
        ...limits,
      })
      await facts.add(scope, 'curb_sessions', {
        columns: sessionColumns,
        rows: withdrawnSessions(regionId, spans, others, version),
        ...limits,
      })
    }
  }

  return {
    name: paymentSessions,
    description: 'Paid sessions: payments that continue each other, to curb_sessions',
    settleMs: 1000,
    maxSpans: 20,
    isOnce: true,
    async derive({ regionId, scope, timezone }, texts) {
      const spans = texts.map(readSpan)
      const version = nextVersion()
      const { changedSessions, days } = await stitch(scope, { regionId, timezone }, spans, version)
      await storeSessions(scope, regionId, spans, [...changedSessions], version)
      const ranges = await facts.rows<{ first: number; last: number }>(
        scope,
        sessionRange(regionId, spans, version),
        limits,
      )
      const sessionDays = new Set<LocalDay>()
      for (const { first, last } of ranges) {
        const until = dayNumber(localDay(new Date(last * 1000), timezone))
        for (let day = dayNumber(localDay(new Date(first * 1000), timezone)); day <= until; day++)
          sessionDays.add(dayFromNumber(day))
      }
      const at = new Date(now())
      await markDirty(state, scope, { product: curbHours, regionId }, [...sessionDays], at)
      await markDirty(state, scope, { product: paymentSums, regionId }, [...days], at)
    },
    async advance({ regionId, scope }) {
      const at = now()
      if (at - (lanesRemoved.get(regionId) ?? 0) < 3_600_000) return false
      lanesRemoved.set(regionId, at)
      await facts.remove(
        scope,
        'curb_payment_lanes',
        oldLanes(regionId, Math.floor((at - stitchingWindowMs) / 1000)),
      )
      return false
    },
  }
}
