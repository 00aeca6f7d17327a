import {
  type PaymentColumn,
  type PaymentMapping,
  type PaymentPlaceKind,
  paymentWordColumns,
} from '#contract/curb-payments.ts'
import { addEvidence, type DateEvidence, determineOrder } from '#server/table-files/date-orders.ts'
import { type DateOrder, dateOrders, readClock } from '#server/table-files/read-time.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { plainKey } from '../../imports/checks/values.ts'
import { suggestColumns, type TableSurvey } from '../../imports/table/suggest-mapping.ts'
import { continueToleranceMs } from '../stitch/stitch-lane.ts'
import type { Payment } from '../payment.ts'
import { readAmount } from './read-amount.ts'
import { datePart, readPaymentTime } from './read-payment-time.ts'
import { PaymentReader, type PaymentReading } from './read-payment.ts'

/** Spellings of column names by meaning, most specific first. */
const columnSpellings: Record<PaymentColumn, readonly string[]> = {
  row_id: [
    'recordid',
    'transactionid',
    'transactionnumber',
    'paymentid',
    'purchaseid',
    'ticketnumber',
    'receiptnumber',
    'uuid',
    'id',
    'objectid',
  ],
  location: [
    'poleid',
    'pole',
    'postid',
    'meterid',
    'metercode',
    'meternumber',
    'meter',
    'spacename',
    'spaceid',
    'spacenumber',
    'elementkey',
    'sourceelementkey',
    'paystationid',
    'paystation',
    'kioskid',
    'kiosk',
    'terminal',
    'zonenumber',
    'zoneid',
    'zone',
    'locationid',
    'deviceid',
    'location',
  ],
  location_name: ['locationname', 'blockfacename', 'streetblock', 'street', 'address', 'block'],
  lat: ['latitude', 'lat', 'meterlat', 'y'],
  lon: ['longitude', 'lng', 'lon', 'long', 'meterlong', 'meterlon', 'x'],
  spaces: ['spaces', 'spacecount', 'parkingspacecount', 'parkingspaces'],
  paid_time: [
    'transactiondatetime',
    'paymentdatetime',
    'datepayment',
    'paymentdate',
    'purchasedate',
    'purchasetime',
    'paidtime',
    'paidat',
    'paymenttime',
    'transactiondate',
    'transactiontime',
    'datetime',
    'timestamp',
    'createdat',
    'date',
  ],
  paid_clock: ['timepayment', 'paymenttime', 'transactiontime', 'purchasetime', 'paidtime', 'time'],
  start_time: [
    'sessionstartdt',
    'parkingstartdate',
    'parkingstarttime',
    'datetransstart',
    'starttimedt',
    'starttime',
    'sessionstart',
    'parkstart',
    'startdate',
    'startdatetime',
    'begintime',
    'start',
  ],
  end_time: [
    'sessionenddt',
    'parkingenddate',
    'parkingendtime',
    'datemeterexpire',
    'endtimedt',
    'endtime',
    'sessionend',
    'parkend',
    'expirytime',
    'expiration',
    'expires',
    'enddate',
    'enddatetime',
    'end',
  ],
  duration: [
    'timepurchased',
    'paidduration',
    'purchasedminutes',
    'durationminutes',
    'durationinminutes',
    'parkingduration',
    'durationmin',
    'duration',
    'minutes',
  ],
  remaining: ['totalparkingtime', 'timeremaining', 'remaining'],
  amount: [
    'total',
    'grosspaidamt',
    'transamt',
    'totalcredit',
    'amountpaid',
    'paidamount',
    'totalamount',
    'transactionamount',
    'parkingamount',
    'amount',
    'revenue',
    'payment',
    'paid',
    'price',
    'fee',
  ],
  event_type: ['metereventtype', 'eventtype', 'purchasetype', 'action'],
  payment_type: [
    'transactiontype',
    'paymenttype',
    'paymentmean',
    'paymentmethod',
    'paymethod',
    'tendertype',
    'tender',
    'method',
    'type',
  ],
  status: ['transactionstatus', 'paymentstatus', 'status', 'result'],
  plate: ['licenseplateanon', 'licenseplate', 'licenseplatenumber', 'platenumber', 'plate', 'lpn'],
  session_key: ['parkingsessionid', 'sessionid', 'sessionkey', 'parkingrightid'],
  rate: ['hourlyrate', 'rate'],
}

/** Patterns of words in columns, and their meanings. */
const wordPatterns: Record<
  (typeof paymentWordColumns)[number],
  readonly [RegExp, PaymentMapping['words'][number]['meaning']][]
> = {
  status: [
    [/diag|maint|\btest|swap|technic/i, 'test'],
    [/declin|reject|refus|fail|denied/i, 'declined'],
    [/cancel|void|abort/i, 'cancelled'],
    [/no time|zero time/i, 'no_time'],
    [/refund|revers|chargeback/i, 'refund'],
  ],
  payment_type: [
    [/diag|maint|\btest|swap|technic/i, 'test'],
    [/refund|revers|chargeback/i, 'refund'],
    [/declin/i, 'declined'],
    [/cancel|void/i, 'cancelled'],
  ],
  event_type: [
    [/^at$|ext|add|top.?up|renew/i, 'extension'],
    [/^ns$|new|start|initial/i, 'start'],
    [/refund/i, 'refund'],
  ],
}

const placeKinds: readonly (readonly [RegExp, PaymentPlaceKind])[] = [
  [/pole/, 'pole'],
  [/zone/, 'zone'],
  [/kiosk|paystation|element|terminal/, 'kiosk'],
]

/** Number of rows that are examined. */
const maxRows = 3000

type Reading = Omit<PaymentReading, 'header' | 'mapping' | 'key'>

/** Suggests a mapping from the header and the first rows of a payment file. */
export function suggestPaymentMapping(survey: TableSurvey, reading: Reading): PaymentMapping {
  const { header } = survey
  const rows = survey.sample.slice(0, maxRows).flatMap(({ fields }) => (fields ? [fields] : []))
  const columnValues = (name: string | undefined): string[] =>
    name === undefined ? [] : rows.flatMap((fields) => fields[name] || [])
  const columns = suggestColumns(columnSpellings, header, (column, name) => {
    const values = columnValues(name).slice(0, 200)
    return values.length > 0 && fitsMeaning(column, values, rows.length)
  })
  if (
    columns.paid_clock !== undefined &&
    !columnValues(columns.paid_time).some((text) => datePart(text) !== '')
  )
    delete columns.paid_clock
  if (columns.lat === undefined || columns.lon === undefined) {
    delete columns.lat
    delete columns.lon
  }
  const times = [columns.paid_time, columns.start_time, columns.end_time]
  const texts = times.flatMap((name) => columnValues(name))
  const clocks =
    columns.paid_clock === undefined
      ? columnValues(columns.paid_time ?? columns.start_time)
      : columnValues(columns.paid_clock)
  const mapping: PaymentMapping = {
    columns,
    place_kind:
      placeKinds.find(([pattern]) => pattern.test(plainKey(columns.location ?? '')))?.[1] ?? 'meter',
    amount_unit: isInCents(columnValues(columns.amount), columns.amount ?? '') ? 'minor' : 'major',
    duration_unit: guessDurationUnit(columns.duration, rows, columns),
    date_order: guessDateOrder(texts),
    clock: isTwelveHour(clocks) ? '12' : '24',
    ignores_offsets: false,
    extensions: 'own',
    repeated_rows: [...texts, ...clocks].some((text) => /\d:\d{2}:(?!00)\d{2}/.test(text))
      ? 'duplicate'
      : 'payment',
    words: paymentWordColumns.flatMap((column) => {
      const name = columns[column]
      return [...new Set(columnValues(name))].flatMap((value) => {
        const [, meaning] = wordPatterns[column].find(([pattern]) => pattern.test(value)) ?? []
        return meaning ? [{ column, value: value.slice(0, 500), meaning }] : []
      })
    }),
  }
  return { ...mapping, extensions: guessExtensions(survey, mapping, reading) }
}

/** Whether the values of a column fit a meaning. */
function fitsMeaning(column: PaymentColumn, values: readonly string[], rows: number): boolean {
  const share = (test: (value: string) => boolean): number => values.filter(test).length / values.length
  const isClock = (value: string): boolean => readClock(value) !== null
  switch (column) {
    case 'paid_time':
      return share((value) => isTime(value) || isDate(value)) > 0.7
    case 'start_time':
    case 'end_time':
      return share(isTime) > 0.7
    case 'paid_clock':
      return share(isClock) > 0.7
    case 'duration':
    case 'remaining':
      return share((value) => /^-?\d+(\.\d+)?$|^-?\d+:\d{2}(:\d{2})?$/.test(value)) > 0.7
    case 'amount':
      return share((value) => readAmount(value, 2, 'major') !== null) > 0.7
    case 'lat':
      return share((value) => Math.abs(Number(value)) <= 90) > 0.7
    case 'lon':
      return share((value) => Math.abs(Number(value)) <= 180) > 0.7
    case 'row_id':
      return values.length >= Math.min(rows, 200) * 0.9 && new Set(values).size > values.length * 0.9
    case 'rate':
      return share((value) => readAmount(value, 2, 'major') !== null) > 0.7
    default:
      return true
  }
}

const utc = civilClock('UTC')
const isTime = (value: string): boolean =>
  dateOrders.some(
    (order) =>
      readPaymentTime(value, { order, isTwelveHour: false, ignoresOffsets: true, clock: utc }) !== null,
  )
const isDate = (value: string): boolean =>
  dateOrders.some(
    (order) =>
      readPaymentTime(`${datePart(value)} 12:00`, {
        order,
        isTwelveHour: false,
        ignoresOffsets: true,
        clock: utc,
      }) !== null,
  )

/**
 * Guesses the order of day and month. If the values do not decide, the order of the United States is used.
 */
function guessDateOrder(texts: readonly string[]): DateOrder {
  const evidence: DateEvidence = {}
  for (const text of texts) addEvidence(evidence, text)
  const found = determineOrder(evidence)
  if ('order' in found) return found.order
  return found.orders.includes('mdy') ? 'mdy' : (found.orders[0] ?? 'ymd')
}

/**
 * Whether times lack AM and PM: all hours are from 1 to 12, and many are early ones, which are more likely in
 * the afternoon.
 */
function isTwelveHour(texts: readonly string[]): boolean {
  const hours = texts.flatMap((text) => {
    const match = /(?:^|[T ])(\d{1,2}):\d{2}(?::\d{2}(?:\.\d+)?)?$/.exec(text.trim())
    return match ? [Number(match[1])] : []
  })
  const early = hours.filter((hour) => hour >= 1 && hour <= 6).length
  return hours.length >= 30 && hours.every((hour) => hour >= 1 && hour <= 12) && early / hours.length > 0.2
}

/**
 * Whether amounts are in cents: by the name of the column, or if most are whole numbers of 25 or more that
 * are divisible by 5.
 */
function isInCents(texts: readonly string[], name: string): boolean {
  if (/cents?$/i.test(name)) return true
  const numbers = texts.map((text) => (/^-?\d+$/.test(text) ? Math.abs(Number(text)) : NaN))
  if (numbers.length < 5 || numbers.some((number) => Number.isNaN(number))) return false
  const large = numbers.filter((number) => number >= 25 && number % 5 === 0).length
  return large / numbers.length > 0.6
}

/**
 * Guesses the unit of durations from the name of the column, from starts and ends, or else from their size.
 */
function guessDurationUnit(
  name: string | undefined,
  rows: readonly Readonly<Record<string, string>>[],
  columns: PaymentMapping['columns'],
): PaymentMapping['duration_unit'] {
  if (name === undefined) return 'minute'
  const key = plainKey(name)
  if (/sec/.test(key)) return 'second'
  if (/min/.test(key)) return 'minute'
  if (/hour|hrs/.test(key)) return 'hour'
  const numbers = rows.map((fields) => Number(fields[name] || 'NaN')).filter((each) => each > 0)
  const style = {
    order: guessDateOrder(
      [columns.start_time, columns.end_time].flatMap((each) =>
        rows.flatMap((fields) => fields[each ?? ''] || []),
      ),
    ),
    isTwelveHour: false,
    ignoresOffsets: true,
    clock: utc,
  }
  const votes = { second: 0, minute: 0, hour: 0 }
  for (const fields of rows) {
    const [start, end] = [columns.start_time ?? columns.paid_time, columns.end_time].map(
      (each) => readPaymentTime(fields[each ?? ''] || '', style)?.candidates[0],
    )
    const number = Number(fields[name] || 'NaN')
    if (start === undefined || end === undefined || !(number > 0)) continue
    const seconds = (end - start) / 1000
    for (const [unit, size] of [
      ['second', 1],
      ['minute', 60],
      ['hour', 3600],
    ] as const)
      if (Math.abs(seconds - number * size) <= Math.max(61, seconds * 0.02)) votes[unit]++
  }
  const best = (Object.keys(votes) as (keyof typeof votes)[]).toSorted((a, b) => votes[b] - votes[a])[0]
  if (best && votes[best] > 3) return best
  const median = numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 60
  return median >= 600 ? 'second' : median <= 4 && numbers.some((each) => each % 1 !== 0) ? 'hour' : 'minute'
}

/**
 * Guesses whether the times of extensions are for the whole stay (`cumulative`) or for the extension only
 * (`own`).
 */
function guessExtensions(
  { header, sample }: TableSurvey,
  mapping: PaymentMapping,
  reading: Reading,
): PaymentMapping['extensions'] {
  const reader = new PaymentReader({ ...reading, header, mapping, key: 'sample' })
  const lanes = new Map<string, Payment[]>()
  for (const { fields } of sample.slice(0, maxRows)) {
    const { payment } = reader.read(fields && header.map((name) => fields[name] ?? ''))
    if (!payment || payment.kind !== 'counted' || payment.lane === '' || payment.endTime === null) continue
    lanes.set(payment.lane, [...(lanes.get(payment.lane) ?? []), payment])
  }
  let [ownCount, cumulativeCount] = [0, 0]
  for (const payments of lanes.values()) {
    let first: Payment | null = null
    let previous: Payment | null = null
    for (const payment of payments.toSorted((a, b) => a.paidTime - b.paidTime)) {
      const begin = payment.startTime ?? payment.paidTime
      const previousEnd: number = previous?.endTime ?? -Infinity
      if (!first || !previous || begin > previousEnd + continueToleranceMs) first = payment
      else {
        const [end, bought] = [payment.endTime ?? 0, (payment.purchasedSeconds ?? 0) * 1000]
        const isOwn = Math.abs(end - previousEnd - bought) < 61_000 || Math.abs(end - begin - bought) < 61_000
        const isCumulative = Math.abs(end - (first.startTime ?? first.paidTime) - bought) < 61_000
        if (isOwn && !isCumulative) ownCount++
        if (isCumulative && !isOwn) cumulativeCount++
        // If the start is unchanged while the end moves, it is the start of the whole stay.
        if (isOwn && isCumulative && begin === (first.startTime ?? first.paidTime) && end > previousEnd)
          cumulativeCount++
      }
      previous = payment
    }
  }
  return cumulativeCount > ownCount ? 'cumulative' : 'own'
}
