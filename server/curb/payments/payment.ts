import type { PaymentFindingCode } from '#contract/curb-payment-imports.ts'
import type { PaymentKind } from '#contract/curb-payments.ts'
import { dayMs } from '#contract/period.ts'

/** Whether a purchase starts or extends a session according to its file; '' if the file does not say. */
export type PurchaseHint = '' | 'start' | 'extension'

/** A payment as read from a file or push. Times are ms since 1970. */
export interface Payment {
  /** Identifies the payment in its region: the vendor with its id of the row or a hash of the content. */
  rowKey: string
  kind: PaymentKind
  /** Minor units; refunds are negative. */
  amount: number
  paidTime: number
  startTime: number | null
  endTime: number | null
  /** The purchased time in seconds, as reported. */
  purchasedSeconds: number | null
  locationId: string
  paymentType: string
  /** Minor units per hour. */
  rate: number | null
  /** A hash of plate or session key and place, '' if unknown. Purchases of a lane may continue each other. */
  lane: string
  hint: PurchaseHint
}

/** A remark about a row. `set_aside` excludes the row. */
export interface PaymentFinding {
  code: PaymentFindingCode
  effect: 'note' | 'set_aside'
  message: string
}

/** A longer session is assumed to be an error, and its times are left out. */
export const maxStayMs = 40 * dayMs
/** Parking that begins longer than this before or after its payment counts at the time of the payment. */
export const maxPrepaidMs = 2 * dayMs

/** Returns when the parking of a payment counts: at its start, or at the payment if that is unknown or far. */
export const getParkedTime = ({ paidTime, startTime }: Pick<Payment, 'paidTime' | 'startTime'>): number =>
  startTime !== null && Math.abs(startTime - paidTime) <= maxPrepaidMs ? startTime : paidTime

/** A location of payments as a file describes it. */
export interface PaymentPlace {
  locationId: string
  kind: string
  name: string
  lon: number | null
  lat: number | null
  spaces: number | null
}

/** Creates the id of a location with its kind, because meter 12 and zone 12 are two. '' without an id. */
export const createLocationId = (kind: string, id: string): string => (id === '' ? '' : `${kind}:${id}`)
