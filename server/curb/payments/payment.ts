import type { PaymentFindingCode } from '#contract/curb-payment-imports.ts'
import type { PaymentKind } from '#contract/curb-payments.ts'

/** What a purchase does by the words of its file: '' where they do not say it. */
export type PurchaseHint = '' | 'start' | 'extension'

/** A payment as it is read. Times are ms since 1970. */
export interface Payment {
  /** Identifies it within its region: the vendor with its row id, or with a hash of the content. */
  rowKey: string
  /** The vendor gave it an id. */
  hasId: boolean
  kind: PaymentKind
  /** Minor units; refunds are negative. */
  amount: number
  paidTime: number
  startTime: number | null
  endTime: number | null
  /** Time that it bought, as reported, seconds. */
  purchasedSeconds: number | null
  locationId: string
  paymentType: string
  /** Minor units for an hour. */
  rate: number | null
  /** Purchases of one lane may continue each other: a hash of plate or session key and place; '' where there is none. */
  lane: string
  hint: PurchaseHint
}

/** A remark about a row; `set_aside` excludes it. */
export interface PaymentFinding {
  code: PaymentFindingCode
  effect: 'note' | 'set_aside'
  message: string
}

/** A session that is longer is taken for an error: its times are left out, ms. */
export const maxStayMs = 40 * 86_400_000
/** Parking that begins further from its payment counts at the time of the payment, ms. */
export const maxApartMs = 2 * 86_400_000

/** When the parking of a payment counts: at its start, or at the payment where that is unknown or far away. */
export const parkedTime = ({ paidTime, startTime }: Pick<Payment, 'paidTime' | 'startTime'>): number =>
  startTime !== null && Math.abs(startTime - paidTime) <= maxApartMs ? startTime : paidTime

/** A location of payments as a file names it. */
export interface PaymentPlace {
  locationId: string
  kind: string
  name: string
  lon: number | null
  lat: number | null
  spaces: number | null
}

/** Ids of locations say what they are: meter 12 and zone 12 are two places. */
export const locationIdOf = (kind: string, id: string): string => (id === '' ? '' : `${kind}:${id}`)
