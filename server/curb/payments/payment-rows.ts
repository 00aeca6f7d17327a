import type { CivilClock } from '#contract/civil-clock.ts'
import { dayFromNumber } from '#contract/period.ts'
import { escapeField } from '#server/stores/row-text.ts'
import { getParkedTime, type Payment } from './payment.ts'

/** Columns of payments in all of their tables. */
export const paymentColumnNames = [
  'region_id',
  'day',
  'hour',
  'paid_time',
  'row_key',
  'vendor',
  'source',
  'kind',
  'location_id',
  'zone_id',
  'amount',
  'payment_type',
  'start_time',
  'end_time',
  'parked_day',
  'parked_hour',
  'purchased_seconds',
  'rate',
  'session_id',
  'starts_session',
  'import_id',
] as const
export const paymentTableColumns = [...paymentColumnNames, 'is_deleted', 'version'] as const
export const stagingColumns = [...paymentColumnNames, 'row', 'lane', 'hint', 'is_cumulative'] as const

/** Attributes of all rows of a batch. */
export interface PaymentBatch {
  regionId: string
  vendor: string
  source: 'file' | 'push'
  importId: string
  isCumulative: boolean
  clock: CivilClock
}

const toSecondsField = (ms: number | null): string => (ms === null ? '\\N' : String(Math.floor(ms / 1000)))
const toNumberField = (value: number | null): string => (value === null ? '\\N' : String(value))

/** Formatted days, because a file has many rows of each day. */
const dayTexts = new Map<number, string>()
function formatDay(day: number): string {
  let text = dayTexts.get(day)
  if (text === undefined) dayTexts.set(day, (text = dayFromNumber(day)))
  return text
}

/** Returns a payment as a line of `curb_payments_staging`. */
export function toStagingLine(payment: Payment, row: number, batch: PaymentBatch): string {
  const { kind, endTime, startTime } = payment
  const paid = batch.clock.local(payment.paidTime)
  const parkedMs = getParkedTime(payment)
  const parked = parkedMs === payment.paidTime ? paid : batch.clock.local(parkedMs)
  const isSession = kind === 'counted' && endTime !== null && startTime !== null
  const key = escapeField(payment.rowKey)
  const fields: Record<(typeof stagingColumns)[number], string | number> = {
    region_id: escapeField(batch.regionId),
    day: formatDay(paid.day),
    hour: paid.hour,
    paid_time: toSecondsField(payment.paidTime),
    row_key: key,
    vendor: escapeField(batch.vendor),
    source: batch.source,
    kind,
    location_id: escapeField(payment.locationId),
    // Set at publication.
    zone_id: '',
    amount: payment.amount,
    payment_type: escapeField(payment.paymentType),
    start_time: toSecondsField(startTime),
    end_time: toSecondsField(endTime),
    parked_day: formatDay(parked.day),
    parked_hour: parked.hour,
    purchased_seconds: toNumberField(payment.purchasedSeconds),
    rate: toNumberField(payment.rate),
    session_id: isSession ? key : '',
    starts_session: isSession ? 1 : 0,
    import_id: batch.importId,
    row,
    lane: payment.lane,
    hint: payment.hint,
    is_cumulative: batch.isCumulative ? 1 : 0,
  }
  return `${stagingColumns.map((column) => fields[column]).join('\t')}\n`
}

/** Columns of `curb_payment_rows`. */
export const reportColumns = [
  'region_id',
  'import_id',
  'row',
  'code',
  'effect',
  'message',
  'amount',
  'source',
] as const
