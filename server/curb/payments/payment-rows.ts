import type { CivilClock } from '#contract/civil-clock.ts'
import { dayFromNumber } from '#contract/period.ts'
import { escapeField } from '#server/stores/row-text.ts'
import { parkedTime, type Payment } from './payment.ts'

/** Columns that payments have in all of their tables. */
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

/** What all rows of a batch have in common. */
export interface PaymentBatch {
  regionId: string
  vendor: string
  source: 'file' | 'push'
  importId: string
  isCumulative: boolean
  clock: CivilClock
}

const seconds = (ms: number | null): string => (ms === null ? '\\N' : String(Math.floor(ms / 1000)))
const maybe = (value: number | null): string => (value === null ? '\\N' : String(value))

/** Texts of days by number. */
const days = new Map<number, string>()
function dayText(number: number): string {
  let text = days.get(number)
  if (text === undefined) days.set(number, (text = dayFromNumber(number)))
  return text
}

/** A payment as a line of `curb_payments_staging`. */
export function stagingLine(payment: Payment, row: number, batch: PaymentBatch): string {
  const { kind, endTime, startTime } = payment
  const paid = batch.clock.local(payment.paidTime)
  const parkedAt = parkedTime(payment)
  const parked = parkedAt === payment.paidTime ? paid : batch.clock.local(parkedAt)
  const isSession = kind === 'counted' && endTime !== null && startTime !== null
  const key = escapeField(payment.rowKey)
  return `${escapeField(batch.regionId)}\t${dayText(paid.day)}\t${paid.hour}\t${seconds(payment.paidTime)}\t${key}\t${escapeField(batch.vendor)}\t${batch.source}\t${kind}\t${escapeField(payment.locationId)}\t\t${payment.amount}\t${escapeField(payment.paymentType)}\t${seconds(startTime)}\t${seconds(endTime)}\t${dayText(parked.day)}\t${parked.hour}\t${maybe(payment.purchasedSeconds)}\t${maybe(payment.rate)}\t${isSession ? key : ''}\t${isSession ? 1 : 0}\t${batch.importId}\t${row}\t${payment.lane}\t${payment.hint}\t${batch.isCumulative ? 1 : 0}\n`
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
