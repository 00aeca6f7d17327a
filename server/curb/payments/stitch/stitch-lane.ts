import { minuteMs } from '#contract/period.ts'
import type { PurchaseHint } from '../payment.ts'

/** A purchase that begins up to this long after the end of a session still continues it. */
export const continueToleranceMs = 5 * minuteMs

/** The values of a payment from which sessions are derived. Times are ms since 1970. */
export interface Purchase {
  key: string
  /** Payments form sessions. A refund belongs to the current session of its lane. */
  isRefund: boolean
  paid: number
  start: number | null
  end: number | null
  /** The purchased time in seconds, as reported. */
  purchased: number | null
  hint: PurchaseHint
  /** Whether the time of an extension includes the time purchased before. */
  isCumulative: boolean
}

/** A purchase with its session. The id of a session is the key of its first purchase; '' without one. */
export interface StitchedPurchase {
  key: string
  sessionId: string
  startsSession: boolean
  start: number | null
  end: number | null
  /** The time that this purchase added, in seconds. */
  net: number | null
}

/** The session that the next purchase may continue. */
interface CurrentSession {
  id: string
  start: number
  end: number
  /** The purchased time in seconds. */
  boughtSeconds: number
}

/** Orders purchases by the time of payment, then by start, then by key. */
const comparePurchases = (a: Purchase, b: Purchase): number =>
  a.paid - b.paid || (a.start ?? a.paid) - (b.start ?? b.paid) || (a.key < b.key ? -1 : 1)

/**
 * Joins the purchases of one lane to sessions (decision 046). A purchase continues the current session if it
 * begins before the end of the session, or at most `continueToleranceMs` after it, unless it is marked as a
 * start.
 * @param needsHint for lanes without plates: only purchases that are marked as extensions continue a session
 */
export function stitchLane(
  purchases: readonly Purchase[],
  { needsHint }: { needsHint: boolean },
): StitchedPurchase[] {
  let current: CurrentSession | null = null
  return purchases.toSorted(comparePurchases).map((purchase) => {
    const { key, paid, purchased, hint } = purchase
    const begin = purchase.start ?? paid
    if (purchase.isRefund)
      return {
        key,
        sessionId: current?.id ?? '',
        startsSession: false,
        start: purchase.start,
        end: purchase.end,
        net: null,
      }
    const isContinued: boolean =
      current !== null &&
      begin <= current.end + continueToleranceMs &&
      hint !== 'start' &&
      (!needsHint || hint === 'extension')
    const length =
      purchase.end === null ? purchased : (purchased ?? Math.round((purchase.end - begin) / 1000))
    if (current !== null && isContinued) {
      const isCumulative = length !== null && purchase.isCumulative
      const net = isCumulative ? Math.max(0, length - current.boughtSeconds) : length
      const end = purchase.end ?? Math.max(begin, current.end) + (net ?? 0) * 1000
      const start = purchase.end === null ? Math.max(begin, current.end) : begin
      current.end = Math.max(current.end, end)
      current.boughtSeconds += net ?? 0
      return { key, sessionId: current.id, startsSession: false, start, end, net }
    }
    const end = purchase.end ?? (length === null || length === 0 ? null : begin + length * 1000)
    // Without a known end there is revenue, but no session.
    if (end === null || end <= begin)
      return { key, sessionId: '', startsSession: false, start: purchase.start, end: null, net: length }
    current = { id: key, start: begin, end, boughtSeconds: length ?? 0 }
    return { key, sessionId: key, startsSession: true, start: begin, end, net: length }
  })
}
