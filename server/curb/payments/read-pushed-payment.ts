import { z } from 'zod'
import { toMinor } from '#contract/money.ts'
import { PaymentLocationKind } from '#contract/curb-payments.ts'
import { dayMs } from '#contract/period.ts'
import { hashLane } from '../hash-vehicle.ts'
import { createLocationId, maxStayMs, type Payment, type PaymentPlace } from './payment.ts'

/** Payments farther in the future are rejected. */
const maxAheadMs = dayMs
/** Earlier payments are rejected. */
const firstTimeMs = Date.UTC(1990, 0, 1)

const Time = z.iso.datetime({ offset: true })
const ShortText = z.string().trim().max(200)

const PushedPayment = z.object({
  /** The vendor's id of the payment. A payment with the same id replaces an earlier one. */
  payment_id: ShortText.min(1),
  location_id: ShortText.default(''),
  location_kind: PaymentLocationKind.default('meter'),
  location_name: ShortText.default(''),
  lat: z.number().min(-90).max(90).nullable().default(null),
  lon: z.number().min(-180).max(180).nullable().default(null),
  payment_time: Time,
  start_time: Time.nullable().default(null),
  end_time: Time.nullable().default(null),
  purchased_minutes: z.number().min(0).max(100_000).nullable().default(null),
  /** In major units of the currency of the region; negative for refunds. */
  amount: z.number().min(-1_000_000).max(1_000_000),
  payment_type: ShortText.default(''),
  status: z.enum(['approved', 'declined', 'cancelled', 'no_time', 'test', 'refund']).default('approved'),
  is_extension: z.boolean().default(false),
  /** Identifies the stay or the vehicle. Only its hash is stored, until the stitching window is over. */
  session_key: ShortText.default(''),
  plate: ShortText.default(''),
})
type PushedPayment = z.output<typeof PushedPayment>

/** A valid payment of a push, and its location. */
export interface ReadPayment {
  payment: Payment
  place: PaymentPlace | null
}

/** What reading a pushed payment depends on. */
interface PushContext {
  vendor: string
  /** The secret key of the region for hashing plates and session keys. */
  key: string
  /** ISO 4217 code. */
  currency: string
  at: Date
}

/** Reads a payment of a push that has not been validated. A text says why it is rejected. */
export function readPushedPayment(item: unknown, context: PushContext): ReadPayment | string {
  const parsed = PushedPayment.safeParse(item)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is wrong'}`
  }
  if (Date.parse(parsed.data.payment_time) > context.at.getTime() + maxAheadMs)
    return 'payment_time: is more than a day ahead'
  return toPayment(parsed.data, context)
}

const parseTime = (text: string | null): number | null => (text === null ? null : Date.parse(text))

function getPaymentKind(status: PushedPayment['status'], amount: number): Payment['kind'] {
  if (status !== 'approved' && status !== 'refund') return status
  if (amount === 0) return 'zero'
  return status === 'refund' || amount < 0 ? 'refund' : 'counted'
}

/** Converts a pushed payment; a text is the reason why it is rejected. */
function toPayment(item: PushedPayment, { vendor, key, currency }: PushContext): ReadPayment | string {
  const paid = Date.parse(item.payment_time)
  const begin = parseTime(item.start_time) ?? paid
  const seconds = item.purchased_minutes === null ? null : Math.round(item.purchased_minutes * 60)
  const until =
    parseTime(item.end_time) ?? (seconds === null || seconds === 0 ? null : begin + seconds * 1000)
  if (paid < firstTimeMs) return 'payment_time: is before 1990'
  if (Math.abs(begin - paid) > maxStayMs) return 'start_time: is more than 40 days from the payment'
  if (until !== null && until < begin) return 'end_time: is before the start'
  if (until !== null && until - begin > maxStayMs) return 'end_time: is more than 40 days after the start'
  const minorAmount = toMinor(item.amount, currency)
  const kind = getPaymentKind(item.status, minorAmount)
  const locationId = createLocationId(item.location_kind, item.location_id)
  const { lat, lon } = item
  return {
    payment: {
      rowKey: `${vendor}:${item.payment_id}`,
      kind,
      amount: kind === 'refund' ? -Math.abs(minorAmount) : minorAmount,
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
