import {
  type PaymentColumn,
  type PaymentMapping,
  type PaymentLocationKind,
  classifiedPaymentColumns,
} from '#contract/curb-payments.ts'
import { dateOrders, readClock } from '#server/table-files/read-time.ts'
import { normalizeKey } from '../../imports/checks/values.ts'
import { suggestColumns } from '../../imports/table/suggest-mapping.ts'
import type { TableSurvey } from '../../imports/table/survey-table.ts'
import {
  guessDateOrder,
  guessDurationUnit,
  guessExtensions,
  isInCents,
  isTwelveHour,
  maxSampleRows,
  makePlainStyle,
  type SampleReading,
} from './guess-payment-format.ts'
import { readAmount } from './read-amount.ts'
import { getDatePart, readPaymentTime } from './read-payment-time.ts'

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
  (typeof classifiedPaymentColumns)[number],
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

/** Values of a column that are tested for a meaning. */
const maxTested = 200

const placeKinds: readonly (readonly [RegExp, PaymentLocationKind])[] = [
  [/pole/, 'pole'],
  [/zone/, 'zone'],
  [/kiosk|paystation|element|terminal/, 'kiosk'],
]

/** Suggests a mapping from the header and the first rows of a payment file. */
export function suggestPaymentMapping(survey: TableSurvey, reading: SampleReading): PaymentMapping {
  const { header } = survey
  const rows = survey.sample.slice(0, maxSampleRows).flatMap(({ fields }) => (fields ? [fields] : []))
  const listValues = (name: string | undefined): string[] =>
    name === undefined ? [] : rows.flatMap((fields) => fields[name] || [])
  const columns = suggestColumns(columnSpellings, header, (column, name) => {
    const values = listValues(name).slice(0, maxTested)
    return values.length > 0 && fitsMeaning(column, values, rows.length)
  })
  if (
    columns.paid_clock !== undefined &&
    !listValues(columns.paid_time).some((text) => getDatePart(text) !== '')
  )
    delete columns.paid_clock
  if (columns.lat === undefined || columns.lon === undefined) {
    delete columns.lat
    delete columns.lon
  }
  const timeColumns = [columns.paid_time, columns.start_time, columns.end_time]
  const timeTexts = timeColumns.flatMap((name) => listValues(name))
  const clockTexts =
    columns.paid_clock === undefined
      ? listValues(columns.paid_time ?? columns.start_time)
      : listValues(columns.paid_clock)
  const mapping: PaymentMapping = {
    columns,
    place_kind:
      placeKinds.find(([pattern]) => pattern.test(normalizeKey(columns.location ?? '')))?.[1] ?? 'meter',
    amount_unit: isInCents(listValues(columns.amount), columns.amount ?? '') ? 'minor' : 'major',
    duration_unit: guessDurationUnit(columns, rows),
    date_order: guessDateOrder(timeTexts),
    clock: isTwelveHour(clockTexts) ? '12' : '24',
    ignores_offsets: false,
    extensions: 'own',
    // With seconds, rows with the same time are probably the same payment.
    repeated_rows: [...timeTexts, ...clockTexts].some((text) => /\d:\d{2}:(?!00)\d{2}/.test(text))
      ? 'duplicate'
      : 'payment',
    words: classifiedPaymentColumns.flatMap((column) => {
      const name = columns[column]
      return [...new Set(listValues(name))].flatMap((value) => {
        const [, meaning] = wordPatterns[column].find(([pattern]) => pattern.test(value)) ?? []
        return meaning ? [{ column, value: value.slice(0, 500), meaning }] : []
      })
    }),
  }
  return { ...mapping, extensions: guessExtensions(survey, mapping, reading) }
}

/** A column has a meaning if more than this share of its values fit. */
const minFittingShare = 0.7

/** Whether enough values of a column fit a meaning. */
function fitsMeaning(column: PaymentColumn, values: readonly string[], rows: number): boolean {
  const doEnoughFit = (test: (value: string) => boolean): boolean =>
    values.filter(test).length / values.length > minFittingShare
  const isClock = (value: string): boolean => readClock(value) !== null
  switch (column) {
    case 'paid_time':
      return doEnoughFit((value) => isTime(value) || isDate(value))
    case 'start_time':
    case 'end_time':
      return doEnoughFit(isTime)
    case 'paid_clock':
      return doEnoughFit(isClock)
    case 'duration':
    case 'remaining':
      return doEnoughFit((value) => /^-?\d+(\.\d+)?$|^-?\d+:\d{2}(:\d{2})?$/.test(value))
    case 'amount':
      return doEnoughFit((value) => readAmount(value, 2, 'major') !== null)
    case 'lat':
      return doEnoughFit((value) => Math.abs(Number(value)) <= 90)
    case 'lon':
      return doEnoughFit((value) => Math.abs(Number(value)) <= 180)
    case 'row_id':
      return values.length >= Math.min(rows, maxTested) * 0.9 && new Set(values).size > values.length * 0.9
    case 'rate':
      return doEnoughFit((value) => readAmount(value, 2, 'major') !== null)
    default:
      return true
  }
}

const isTime = (value: string): boolean =>
  dateOrders.some((order) => readPaymentTime(value, makePlainStyle(order)) !== null)
const isDate = (value: string): boolean => isTime(`${getDatePart(value)} 12:00`)
