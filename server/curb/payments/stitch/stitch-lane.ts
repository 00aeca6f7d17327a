import type { PurchaseHint } from '../payment.ts'

/** A purchase that begins so long after the end of the one before still continues it, ms. */
export const continueToleranceMs = 5 * 60_000

/** What of a payment decides about sessions. Times are ms. */
export interface Purchase {
  key: string
  /** `counted` payments make sessions; a refund belongs to the session that it pays back. */
  isRefund: boolean
  paid: number
  start: number | null
  end: number | null
  /** Seconds that it bought, as reported. */
  purchased: number | null
  hint: PurchaseHint
  /** The time that an extension reports includes what was bought before. */
  isCumulative: boolean
}

/** A purchase with its session: named by its first purchase, '' for none. */
export interface StitchedPurchase {
  key: string
  sessionId: string
  startsSession: boolean
  start: number | null
  end: number | null
  /** Seconds that it bought itself. */
  net: number | null
}

interface Current {
  id: string
  start: number
  end: number
  bought: number
}

/** The order of purchases of a lane; of simultaneous ones the first to begin, then the smaller key. */
const inOrder = (a: Purchase, b: Purchase): number =>
  a.paid - b.paid || (a.start ?? a.paid) - (b.start ?? b.paid) || (a.key < b.key ? -1 : 1)

/**
 * Joins the purchases of one lane to sessions (decision 046). A purchase continues the session before if it begins before its end, or within
 * `continueToleranceMs` after it, and does not say that it starts one. In lanes without plates only extensions continue.
 */
export function stitchLane(
  purchases: readonly Purchase[],
  { needsHint }: { needsHint: boolean },
): StitchedPurchase[] {
  let current: Current | null = null
  return purchases.toSorted(inOrder).map((purchase) => {
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
    const continues: boolean =
      current !== null &&
      begin <= current.end + continueToleranceMs &&
      hint !== 'start' &&
      (!needsHint || hint === 'extension')
    const length =
      purchase.end === null ? purchased : (purchased ?? Math.round((purchase.end - begin) / 1000))
    if (current !== null && continues) {
      const net =
        length === null ? null : purchase.isCumulative ? Math.max(0, length - current.bought) : length
      const end = purchase.end ?? Math.max(begin, current.end) + (net ?? 0) * 1000
      const start = purchase.end === null ? Math.max(begin, current.end) : begin
      current.end = Math.max(current.end, end)
      current.bought += net ?? 0
      return { key, sessionId: current.id, startsSession: false, start, end, net }
    }
    const end = purchase.end ?? (length === null || length === 0 ? null : begin + length * 1000)
    // Without an end nobody knows how long it lasts: revenue, but no session.
    if (end === null || end <= begin)
      return { key, sessionId: '', startsSession: false, start: purchase.start, end: null, net: length }
    current = { id: key, start: begin, end, bought: length ?? 0 }
    return { key, sessionId: key, startsSession: true, start: begin, end, net: length }
  })
}
