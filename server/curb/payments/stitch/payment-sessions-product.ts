import { groupBy } from '#contract/group-by.ts'
import { dayFromNumber, dayMs, dayNumber, hourMs, type LocalDay, localDay } from '#contract/period.ts'
import type { DerivedProduct, DerivedRegion } from '#server/derived/derived-product.ts'
import { markDirty } from '#server/derived/dirty-spans.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { curbHours } from '../../product-names.ts'
import { sessionColumns } from '../../sessions/session-rows.ts'
import type { PurchaseHint } from '../payment.ts'
import { paymentTableColumns } from '../payment-rows.ts'
import { laneColumns } from '../queries.ts'
import { paymentSums } from '../sums/payment-sums-product.ts'
import {
  type Assignment,
  lanePurchasesSql,
  lanesWithPaymentsSql,
  oldLanesCondition,
  paidSessionRows,
  type PaymentSpan,
  readSpan,
  reassignedLaneRows,
  reassignedPaymentRows,
  sessionRangesSql,
  sessionDeletionRows,
} from './queries.ts'
import { stitchLane } from './stitch-lane.ts'

/** Paid sessions, a derived product. Its spans are imports and batches of payments. */
export const paymentSessions = 'curb_payment_sessions'

/** Hashed plates and session keys are deleted this long after receipt. Later payments are not stitched. */
export const stitchingWindowMs = 7 * dayMs
/** Number of lanes in memory at once. */
const lanesAtOnce = 2000
/** Number of rows that one statement changes. */
const rowsAtOnce = 5000
const queryOptions = { limits: { seconds: 600, memory: 4 * 2 ** 30 }, areDistinct: true }

interface PaymentSessionsOptions {
  state: State
  facts: Facts
  nextVersion: () => bigint
  /** Milliseconds since 1970. */
  nowMs: () => number
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

const toMs = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1000)
const toSeconds = (value: number | null): number | null => (value === null ? null : Math.floor(value / 1000))

/** A purchase with a new assignment, its previous session ('' without one) and its time (seconds). */
interface ChangedPurchase {
  assignment: Assignment
  previousSession: string
  paid: number
}

/** Finds purchases of a lane with a new session or net time, and those with a derived end. */
function findChangedPurchases(lane: string, rows: readonly PurchaseRow[]): ChangedPurchase[] {
  const rowsByKey = new Map(rows.map((row) => [row.row_key, row]))
  const stitched = stitchLane(
    rows.map((row) => ({
      key: row.row_key,
      isRefund: row.kind === 'refund',
      paid: row.paid * 1000,
      start: toMs(row.start),
      end: toMs(row.end),
      purchased: row.purchased,
      hint: row.hint,
      isCumulative: row.is_cumulative === 1,
    })),
    { needsHint: lane.startsWith('place ') },
  )
  const changes = stitched.filter(({ key, sessionId, startsSession, net }) => {
    const row = rowsByKey.get(key) as PurchaseRow
    return row.session_id !== sessionId || (row.starts_session === 1) !== startsSession || row.net !== net
  })
  if (!changes.length) return []
  // An end that is not reported depends on earlier purchases, so it may have changed too.
  const derivedEnds = stitched.filter(
    ({ key, sessionId }) => sessionId !== '' && rowsByKey.get(key)?.end === null,
  )
  return [...new Set([...changes, ...derivedEnds])].map(
    ({ key, sessionId, startsSession, start, end, net }) => ({
      assignment: {
        rowKey: key,
        sessionId,
        startsSession,
        start: toSeconds(start),
        end: toSeconds(end),
        net,
      },
      previousSession: rowsByKey.get(key)?.session_id ?? '',
      paid: rowsByKey.get(key)?.paid ?? 0,
    }),
  )
}

/**
 * Creates the product of paid sessions. It reads `curb_payments` and `curb_payment_lanes`, writes the sessions of
 * payments and `curb_sessions`, and deletes old lanes.
 */
export function createPaymentSessionsProduct({
  state,
  facts,
  nextVersion,
  nowMs,
}: PaymentSessionsOptions): DerivedProduct {
  /** When the old lanes of each region were last removed, ms. */
  const lanesRemovedMs = new Map<string, number>()
  return {
    name: paymentSessions,
    description: 'Paid sessions: payments that continue each other, to curb_sessions',
    settleMs: 1000,
    maxSpans: 20,
    isOnce: true,
    async derive(region, texts) {
      const { regionId, scope } = region
      const derivation: Derivation = { facts, region, spans: texts.map(readSpan), version: nextVersion() }
      const { sessionIds, days } = await stitchPayments(derivation)
      await storeSessions(derivation, [...sessionIds])
      const sessionDays = await readSessionDays(derivation)
      const at = new Date(nowMs())
      await markDirty(state, scope, { product: curbHours, regionId }, { spans: sessionDays, time: at })
      await markDirty(state, scope, { product: paymentSums, regionId }, { spans: [...days], time: at })
    },
    async advance({ regionId, scope }) {
      const at = nowMs()
      if (at - (lanesRemovedMs.get(regionId) ?? 0) < hourMs) return false
      lanesRemovedMs.set(regionId, at)
      const retainedSince = Math.floor((at - stitchingWindowMs) / 1000)
      await facts.remove(scope, 'curb_payment_lanes', oldLanesCondition(regionId, retainedSince))
      return false
    },
  }
}

interface Derivation {
  facts: Facts
  region: DerivedRegion
  spans: readonly PaymentSpan[]
  version: bigint
}

interface StitchedChanges {
  /** Ids of sessions with a payment that was added or removed. */
  sessionIds: Set<string>
  /** Local days of changed payments. */
  days: Set<LocalDay>
}

/** Stitches the lanes with payments of the spans, and stores the changed assignments. */
async function stitchPayments(derivation: Derivation): Promise<StitchedChanges> {
  const { facts, region, spans } = derivation
  const { regionId, scope, timezone } = region
  const changes: StitchedChanges = { sessionIds: new Set(), days: new Set() }
  const lanes = await facts.rows<{ lane: string }>(scope, lanesWithPaymentsSql(regionId, spans), queryOptions)
  for (const batch of splitIntoSlices(lanes, lanesAtOnce)) {
    const laneIds = batch.map(({ lane }) => lane)
    const purchases = await facts.rows<PurchaseRow>(scope, lanePurchasesSql(regionId, laneIds), queryOptions)
    const changedPurchases = [...groupBy(purchases, ({ lane }) => lane)].flatMap(([lane, rows]) =>
      findChangedPurchases(lane, rows),
    )
    for (const { assignment, previousSession, paid } of changedPurchases) {
      for (const id of [assignment.sessionId, previousSession]) if (id !== '') changes.sessionIds.add(id)
      for (const time of [paid, assignment.start])
        if (time !== null) changes.days.add(localDay(new Date(time * 1000), timezone))
    }
    for (const slice of splitIntoSlices(changedPurchases, rowsAtOnce))
      await storeAssignments(
        derivation,
        laneIds,
        slice.map(({ assignment }) => assignment),
      )
  }
  return changes
}

async function storeAssignments(
  { facts, region: { regionId, scope }, spans, version }: Derivation,
  laneIds: readonly string[],
  assignments: readonly Assignment[],
): Promise<void> {
  const payments = reassignedPaymentRows(regionId, spans, assignments, version)
  await facts.add(scope, 'curb_payments', { columns: paymentTableColumns, rows: payments, ...queryOptions })
  // Written after the payments, so that rows that are missing after a crash are found as changed again.
  const lanes = reassignedLaneRows(regionId, laneIds, assignments, version)
  await facts.add(scope, 'curb_payment_lanes', { columns: laneColumns, rows: lanes, ...queryOptions })
}

/** Stores the sessions of the payments of the spans, and other changed ones. */
async function storeSessions(
  { facts, region: { regionId, scope }, spans, version }: Derivation,
  changedIds: readonly string[],
): Promise<void> {
  for (const sessionIds of [null, ...splitIntoSlices(changedIds, rowsAtOnce)]) {
    const sessions = { regionId, spans, sessionIds }
    await facts.add(scope, 'curb_sessions', {
      columns: sessionColumns,
      rows: paidSessionRows(sessions, version),
      ...queryOptions,
    })
    await facts.add(scope, 'curb_sessions', {
      columns: sessionColumns,
      rows: sessionDeletionRows(sessions, version),
      ...queryOptions,
    })
  }
}

/** Reads the local days of the sessions that this run stored. */
async function readSessionDays({ facts, region, spans, version }: Derivation): Promise<LocalDay[]> {
  const { regionId, scope, timezone } = region
  const query = sessionRangesSql(regionId, spans, version)
  const ranges = await facts.rows<{ first: number; last: number }>(scope, query, queryOptions)
  const days = new Set<LocalDay>()
  for (const { first, last } of ranges) {
    const until = dayNumber(localDay(new Date(last * 1000), timezone))
    for (let day = dayNumber(localDay(new Date(first * 1000), timezone)); day <= until; day++)
      days.add(dayFromNumber(day))
  }
  return [...days]
}

function* splitIntoSlices<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}
