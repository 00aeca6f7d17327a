import type { PaymentMapping } from '#contract/curb-payments.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { appendTo } from '#contract/group-by.ts'
import { addEvidence, type DateEvidence, determineOrder } from '#server/table-files/date-orders.ts'
import type { DateOrder } from '#server/table-files/read-time.ts'
import { normalizeKey } from '../../imports/checks/values.ts'
import type { TableSurvey } from '../../imports/table/survey-table.ts'
import type { Payment } from '../payment.ts'
import { continueToleranceMs } from '../stitch/stitch-lane.ts'
import { readPaymentTime, type TimeStyle } from './read-payment-time.ts'
import { PaymentReader, type PaymentReading } from './read-payment.ts'

/** Number of rows that are examined. */
export const maxSampleRows = 3000

/** The context in which rows are read before they have a mapping. */
export type SampleReading = Omit<PaymentReading, 'header' | 'mapping' | 'key'>

const utc = civilClock('UTC')

/** Returns the format of times for comparisons within a file. */
export const makePlainStyle = (order: DateOrder): TimeStyle => ({
  order,
  isTwelveHour: false,
  ignoresOffsets: true,
  clock: utc,
})

/** Guesses the order of day and month. If the values do not decide, it is that of the United States. */
export function guessDateOrder(texts: readonly string[]): DateOrder {
  const evidence: DateEvidence = {}
  for (const text of texts) addEvidence(evidence, text)
  const result = determineOrder(evidence)
  if ('order' in result) return result.order
  return result.orders.includes('mdy') ? 'mdy' : (result.orders[0] ?? 'ymd')
}

/** Whether times lack AM and PM: all hours are 1 to 12, many early ones, likelier in the afternoon. */
export function isTwelveHour(texts: readonly string[]): boolean {
  const hours = texts.flatMap((text) => {
    const match = /(?:^|[T ])(\d{1,2}):\d{2}(?::\d{2}(?:\.\d+)?)?$/.exec(text.trim())
    return match ? [Number(match[1])] : []
  })
  const earlyCount = hours.filter((hour) => hour >= 1 && hour <= 6).length
  const areTwelve = hours.every((hour) => hour >= 1 && hour <= 12)
  // Fewer than 30 times are not enough to decide.
  return hours.length >= 30 && areTwelve && earlyCount / hours.length > 0.2
}

/** Guesses cents by the column name, or if most are whole, 25 or more and divisible by 5. */
export function isInCents(texts: readonly string[], name: string): boolean {
  if (/cents?$/i.test(name)) return true
  const amounts = texts.map((text) => (/^-?\d+$/.test(text) ? Math.abs(Number(text)) : NaN))
  if (amounts.length < 5 || amounts.some((amount) => Number.isNaN(amount))) return false
  const likelyCents = amounts.filter((amount) => amount >= 25 && amount % 5 === 0).length
  return likelyCents / amounts.length > 0.6
}

/** Guesses the unit of durations from the name of the column, starts and ends, or else from their size. */
export function guessDurationUnit(
  columns: PaymentMapping['columns'],
  rows: readonly SampleRow[],
): DurationUnit {
  const { duration } = columns
  if (duration === undefined) return 'minute'
  const key = normalizeKey(duration)
  if (/sec/.test(key)) return 'second'
  if (/min/.test(key)) return 'minute'
  if (/hour|hrs/.test(key)) return 'hour'
  const unitOfTimes = findUnitByTimes(columns, duration, rows)
  if (unitOfTimes) return unitOfTimes
  const lengths = rows.map((row) => readLength(row, duration)).filter((length) => length > 0)
  const median = lengths.toSorted((a, b) => a - b)[Math.floor(lengths.length / 2)] ?? 60
  if (median >= 600) return 'second'
  return median <= 4 && lengths.some((length) => length % 1 !== 0) ? 'hour' : 'minute'
}

type DurationUnit = PaymentMapping['duration_unit']
type SampleRow = Readonly<Record<string, string>>
const unitSeconds: readonly (readonly [DurationUnit, number])[] = [
  ['second', 1],
  ['minute', 60],
  ['hour', 3600],
]

const readLength = (row: SampleRow, column: string): number => Number(row[column] || 'NaN')

/** Finds the unit in which durations match most times between start and end; null if too few rows match. */
function findUnitByTimes(
  { start_time: startColumn, end_time: endColumn, paid_time: paidColumn }: PaymentMapping['columns'],
  duration: string,
  rows: readonly SampleRow[],
): DurationUnit | null {
  const style = makePlainStyle(
    guessDateOrder([startColumn, endColumn].flatMap((name) => rows.flatMap((row) => row[name ?? ''] || []))),
  )
  const readTime = (row: SampleRow, column: string | undefined): number | undefined =>
    readPaymentTime(row[column ?? ''] || '', style)?.candidates[0]
  const matches: Record<DurationUnit, number> = { second: 0, minute: 0, hour: 0 }
  for (const row of rows) {
    const start = readTime(row, startColumn ?? paidColumn)
    const end = readTime(row, endColumn)
    const length = readLength(row, duration)
    if (start === undefined || end === undefined || !(length > 0)) continue
    const seconds = (end - start) / 1000
    for (const [unit, size] of unitSeconds)
      // Files may leave out seconds, or round long durations.
      if (Math.abs(seconds - length * size) <= Math.max(61, seconds * 0.02)) matches[unit]++
  }
  const [bestUnit] = (Object.keys(matches) as DurationUnit[]).toSorted((a, b) => matches[b] - matches[a])
  return bestUnit && matches[bestUnit] > 3 ? bestUnit : null
}

/** Guesses whether the times of extensions are for the entire stay (`cumulative`) or the extension (`own`). */
export function guessExtensions(
  { header, sample }: TableSurvey,
  mapping: PaymentMapping,
  reading: SampleReading,
): PaymentMapping['extensions'] {
  const reader = new PaymentReader({ ...reading, header, mapping, key: 'sample' })
  const lanes = new Map<string, Payment[]>()
  for (const { fields } of sample.slice(0, maxSampleRows)) {
    const { payment } = reader.read(fields && header.map((name) => fields[name] ?? ''))
    if (!payment || payment.kind !== 'counted' || payment.lane === '' || payment.endTime === null) continue
    appendTo(lanes, payment.lane, payment)
  }
  const counts = { own: 0, cumulative: 0 }
  for (const payments of lanes.values()) countExtensions(payments, counts)
  return counts.cumulative > counts.own ? 'cumulative' : 'own'
}

/** Counts the payments of a lane that extend an earlier one, by what their times mean. */
function countExtensions(payments: readonly Payment[], counts: { own: number; cumulative: number }): void {
  let first: Payment | null = null
  let previous: Payment | null = null
  for (const payment of payments.toSorted((a, b) => a.paidTime - b.paidTime)) {
    const begin = payment.startTime ?? payment.paidTime
    const previousEnd: number = previous?.endTime ?? -Infinity
    if (!first || !previous || begin > previousEnd + continueToleranceMs) first = payment
    else {
      const end = payment.endTime ?? 0
      const boughtMs = (payment.purchasedSeconds ?? 0) * 1000
      const firstBegin = first.startTime ?? first.paidTime
      const isOwn = isNear(end - previousEnd, boughtMs) || isNear(end - begin, boughtMs)
      const isCumulative = isNear(end - firstBegin, boughtMs)
      if (isOwn && !isCumulative) counts.own++
      if (isCumulative && !isOwn) counts.cumulative++
      // If the start is unchanged while the end moves, it is the start of the whole stay.
      if (isOwn && isCumulative && begin === firstBegin && end > previousEnd) counts.cumulative++
    }
    previous = payment
  }
}

/** Whether two lengths (ms) are equal except for seconds that a file leaves out. */
const isNear = (a: number, b: number): boolean => Math.abs(a - b) < 61_000
