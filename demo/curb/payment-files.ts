import { PaymentMapping } from '#contract/curb-payments.ts'
import { createLocalDays } from '../trips/local-days.ts'
import type { CurbPlace } from './curb-place.ts'
import { hasPayments, type DemoPayment, makeDayPayments, type PaymentVendorKind } from './payments.ts'

/** Columns of each vendor's files. */
const headers: Readonly<Record<PaymentVendorKind, readonly string[]>> = {
  kiosk: [
    'transaction',
    'pay_station',
    'street',
    'latitude',
    'longitude',
    'spaces',
    'date_time',
    'minutes',
    'amount',
    'tender',
    'status',
    'plate',
  ],
  app: [
    'payment_id',
    'zone',
    'street',
    'latitude',
    'longitude',
    'spaces',
    'paid_at',
    'started_at',
    'total_minutes',
    'amount',
    'method',
    'status',
    'event',
    'session',
  ],
}

/** Mapping of each vendor's files. */
export const paymentMappings: Readonly<Record<PaymentVendorKind, PaymentMapping>> = {
  kiosk: PaymentMapping.parse({
    columns: {
      row_id: 'transaction',
      location: 'pay_station',
      location_name: 'street',
      lat: 'latitude',
      lon: 'longitude',
      spaces: 'spaces',
      paid_time: 'date_time',
      duration: 'minutes',
      amount: 'amount',
      payment_type: 'tender',
      status: 'status',
      plate: 'plate',
    },
    place_kind: 'kiosk',
    words: [
      { column: 'status', value: 'declined', meaning: 'declined' },
      { column: 'status', value: 'cancelled', meaning: 'cancelled' },
      { column: 'status', value: 'test', meaning: 'test' },
    ],
  }),
  app: PaymentMapping.parse({
    columns: {
      row_id: 'payment_id',
      location: 'zone',
      location_name: 'street',
      lat: 'latitude',
      lon: 'longitude',
      spaces: 'spaces',
      paid_time: 'paid_at',
      start_time: 'started_at',
      duration: 'total_minutes',
      amount: 'amount',
      payment_type: 'method',
      status: 'status',
      event_type: 'event',
      session_key: 'session',
    },
    place_kind: 'zone',
    extensions: 'cumulative',
    words: [
      { column: 'status', value: 'declined', meaning: 'declined' },
      { column: 'status', value: 'cancelled', meaning: 'cancelled' },
      { column: 'status', value: 'refund', meaning: 'refund' },
      { column: 'event_type', value: 'start', meaning: 'start' },
      { column: 'event_type', value: 'extend', meaning: 'extension' },
    ],
  }),
}

export interface PaymentFileTask {
  vendor: PaymentVendorKind
  places: readonly CurbPlace[]
  seed: number
  timezone: string
  /** Local days since 1970-01-01, half-open. */
  from: number
  until: number
  /** Last day of all payments. */
  newest: number
}

/** Returns a function that formats times of a local day, so that the offset of the day is looked up once. */
function createLocalTimeFormatter(
  days: ReturnType<typeof createLocalDays>,
  day: number,
): (ms: number) => string {
  const { changeMs, offsetBefore, offsetAfter } = days(day)
  return (ms) =>
    new Date(ms + (ms < changeMs ? offsetBefore : offsetAfter)).toISOString().slice(0, 19).replace('T', ' ')
}

const formatDollars = (amount: number): string => (amount / 100).toFixed(2)

/** Makes a vendor's CSV file with the payments of a range of days. */
export function makePaymentFile({
  vendor,
  places,
  seed,
  timezone,
  from,
  until,
  newest,
}: PaymentFileTask): Buffer {
  const days = createLocalDays(timezone)
  const endMs = days(until).startMs
  const parts: Buffer[] = [Buffer.from(`${headers[vendor].join(',')}\n`)]
  for (let day = from; day < until; day++) {
    const formatLocalTime = createLocalTimeFormatter(days, day)
    const context = { seed, day, newest, local: days(day), next: days(day + 1) }
    const row = (payment: DemoPayment): string => {
      const { place } = payment
      const where = `${place.label},${place.streetName},${place.lat},${place.lon},${place.spaces}`
      const first = `${payment.id},${where},${formatLocalTime(payment.paidMs)}`
      const minutes = payment.minutes || ''
      return vendor === 'kiosk'
        ? `${first},${minutes},${formatDollars(payment.amount)},${payment.method},${payment.status},${payment.key}\n`
        : `${first},${formatLocalTime(payment.startMs)},${minutes},${formatDollars(payment.amount)},${payment.method},${payment.status},${payment.isExtension ? 'extend' : 'start'},${payment.key}\n`
    }
    for (const place of places)
      if (hasPayments(place)) {
        const rows = makeDayPayments(place, context).filter(
          // Refunds after the range are in a later file.
          (payment) => payment.vendor === vendor && payment.paidMs < endMs,
        )
        if (rows.length) parts.push(Buffer.from(rows.map(row).join('')))
      }
  }
  return Buffer.concat(parts)
}
