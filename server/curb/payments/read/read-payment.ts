import { createHash } from 'node:crypto'
import { civilClock } from '#contract/civil-clock.ts'
import type { PaymentColumn, PaymentMapping } from '#contract/curb-payments.ts'
import { createLocationId, type Payment, type PaymentFinding, type PaymentPlace } from '../payment.ts'
import { hashLane } from '../../hash-vehicle.ts'
import { findCurrencySymbol, findOtherCurrency, readAmount } from './read-amount.ts'
import { readParkingTimes, type TimeContext } from './read-parking-times.ts'

/** The context in which the rows of a file are read. */
export interface PaymentReading {
  header: readonly string[]
  mapping: PaymentMapping
  vendor: string
  timezone: string
  /** ISO 4217 code. */
  currency: string
  /** Decimal digits of the currency. */
  currencyDigits: number
  /** The secret key of the region for hashing plates and session keys. */
  key: string
  /** Milliseconds since 1970. Payments that are more than a day later are set aside. */
  now: number
}

/** The result of reading a row. `amount` is that of the file, also if the row is set aside; null if none. */
export interface ReadPayment {
  payment: Payment | null
  amount: number | null
  place: PaymentPlace | null
  findings: PaymentFinding[]
}

const emptyWords = /^(null|none|<null>|n\/a|na|nan|-)$/i
// oxlint-disable-next-line no-control-regex
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/
/** Characters of a stored text, and of the source of a row in a report. */
const maxText = 200
const maxSourceText = 2000
/** Characters of the hash of a row without an id. */
const hashLength = 22
/** Higher rates (minor units per hour) and numbers of spaces are mistakes. */
const maxRate = 10_000_000
const maxSpaces = 10_000

/** Columns that identify a vehicle or a stay. */
const personalColumns = ['plate', 'session_key'] as const satisfies readonly PaymentColumn[]

/** Reads the rows of a payment file. */
export class PaymentReader {
  readonly #reading: PaymentReading
  readonly #columns = new Map<PaymentColumn, number>()
  readonly #timeContext: TimeContext
  readonly #currency: { code: string; symbol: string }
  readonly #words = new Map<string, PaymentMapping['words'][number]['meaning']>()
  /** Whether rows without plate and session key form lanes by place: the file distinguishes extensions. */
  readonly #lanesByEvent: boolean
  readonly #safeColumns: [string, number][]

  constructor(reading: PaymentReading) {
    const { header, mapping, timezone, currency } = reading
    this.#reading = reading
    this.#currency = { code: currency, symbol: findCurrencySymbol(currency) }
    for (const [column, name] of Object.entries(mapping.columns) as [PaymentColumn, string][]) {
      const index = header.indexOf(name)
      if (index >= 0) this.#columns.set(column, index)
    }
    this.#timeContext = {
      style: {
        order: mapping.date_order,
        isTwelveHour: mapping.clock === '12',
        ignoresOffsets: mapping.ignores_offsets,
        clock: civilClock(timezone),
      },
      durationUnit: mapping.duration_unit,
      now: reading.now,
    }
    for (const { column, value, meaning } of mapping.words)
      this.#words.set(`${column} ${value.trim().toLowerCase()}`, meaning)
    const hints = mapping.words.filter(({ column }) => column === 'event_type')
    this.#lanesByEvent =
      this.#columns.has('event_type') && hints.some(({ meaning }) => meaning === 'extension')
    const personalIndexes = new Set(personalColumns.map((column) => this.#columns.get(column)))
    this.#safeColumns = [...this.#columns.values()]
      .filter((index) => !personalIndexes.has(index))
      .map((index) => [header[index] ?? '', index])
  }

  /** Returns the mapped columns of a row as text, without those that identify a vehicle or a stay. */
  formatSource(fields: readonly string[]): string {
    return this.#safeColumns
      .map(([name, index]) => `${name}: ${(fields[index] ?? '').trim()}`)
      .join('; ')
      .slice(0, maxSourceText)
  }

  /** Reads a row. `fields` is null if the row could not be parsed. */
  read(fields: readonly string[] | null): ReadPayment {
    const findings: PaymentFinding[] = []
    if (!fields || fields.length !== this.#reading.header.length) {
      findings.push({
        code: 'not_a_record',
        effect: 'set_aside',
        message: `The row has ${fields ? `${fields.length} fields, the header ${this.#reading.header.length}` : 'a quotation mark that never closes'}.`,
      })
      return { payment: null, amount: null, place: null, findings }
    }
    const getText = (column: PaymentColumn): string => {
      const index = this.#columns.get(column)
      if (index === undefined) return ''
      const value = (fields[index] ?? '').trim()
      if (value.length <= 8 && emptyWords.test(value)) return ''
      return controlCharacters.test(value) ? value.replace(/\p{Cc}+/gu, ' ').trim() : value
    }
    const meanings = new Set(
      (['status', 'payment_type', 'event_type'] as const).map((column) => {
        const value = getText(column)
        return value === '' ? undefined : this.#words.get(`${column} ${value.toLowerCase()}`)
      }),
    )
    const amount = this.#readAmount(getText('amount'), findings, meanings)
    const { paid, start, end, purchased } = readParkingTimes(getText, this.#timeContext, findings)
    const place = this.#readPlace(getText, findings)
    if (amount === null || paid === null || findings.some(({ effect }) => effect === 'set_aside'))
      return { payment: null, amount, place: null, findings }
    const kind = getPaymentKind(meanings, amount)
    const rowId = getText('row_id')
    const { vendor } = this.#reading
    const locationId = place?.locationId ?? ''
    const rate = readAmount(
      getText('rate') || 'none',
      this.#reading.currencyDigits,
      this.#reading.mapping.amount_unit,
    )
    const payment: Payment = {
      rowKey: rowId === '' ? `${vendor}#${hashFields(fields)}` : `${vendor}:${limitLength(rowId)}`,
      kind,
      amount: kind === 'refund' ? -Math.abs(amount) : amount,
      paidTime: paid,
      startTime: start,
      endTime: end,
      purchasedSeconds: purchased,
      locationId,
      paymentType: limitLength(getText('payment_type')),
      rate: rate === null || rate < 0 || rate > maxRate ? null : rate,
      lane: this.#getLane(getText, locationId),
      hint: (['extension', 'start'] as const).find((meaning) => meanings.has(meaning)) ?? '',
    }
    // Refunds that are positive in the file are negative in all sums.
    return { payment, amount: payment.amount, place, findings }
  }

  #readAmount(text: string, findings: PaymentFinding[], meanings: Meanings): number | null {
    const { currencyDigits, mapping } = this.#reading
    if (text === '') {
      if (uncountedKinds.some((kind) => meanings.has(kind))) return 0
      findings.push({ code: 'missing_amount', effect: 'set_aside', message: 'The row has no amount.' })
      return null
    }
    const otherCurrency = findOtherCurrency(text, this.#currency)
    const amount = otherCurrency === null ? readAmount(text, currencyDigits, mapping.amount_unit) : null
    if (otherCurrency !== null)
      findings.push({
        code: 'bad_amount',
        effect: 'set_aside',
        message: `“${text.slice(0, 40)}” is in another currency than ${this.#currency.code}.`,
      })
    else if (amount === null)
      findings.push({
        code: 'bad_amount',
        effect: 'set_aside',
        message: `“${text.slice(0, 40)}” is not an amount.`,
      })
    return amount
  }

  #readPlace(getText: (column: PaymentColumn) => string, findings: PaymentFinding[]): PaymentPlace | null {
    const { mapping } = this.#reading
    const id = limitLength(getText('location'))
    if (id === '') {
      findings.push({
        code: 'missing_location',
        effect: 'note',
        message: 'The row names no location; it counts for the region only.',
      })
      return null
    }
    const [lat, lon] = [Number(getText('lat') || 'NaN'), Number(getText('lon') || 'NaN')]
    const hasPoint = Math.abs(lat) <= 90 && Math.abs(lon) <= 180 && (lat !== 0 || lon !== 0)
    const spaces = Number(getText('spaces') || 'NaN')
    return {
      locationId: createLocationId(mapping.place_kind, id),
      kind: mapping.place_kind,
      name: limitLength(getText('location_name')) || id,
      lat: hasPoint ? lat : null,
      lon: hasPoint ? lon : null,
      spaces: Number.isInteger(spaces) && spaces > 0 && spaces < maxSpaces ? spaces : null,
    }
  }

  #getLane(getText: (column: PaymentColumn) => string, locationId: string): string {
    const { key, vendor } = this.#reading
    const identifiers = { session: getText('session_key'), plate: getText('plate') }
    const hash = hashLane(key, vendor, locationId, identifiers)
    return hash === '' && this.#lanesByEvent && locationId !== '' ? `place ${vendor} ${locationId}` : hash
  }
}

/** What the words of a row mean by the mapping. */
type Meanings = ReadonlySet<PaymentMapping['words'][number]['meaning'] | undefined>

/** Kinds of payments that are not counted, in order of precedence. They need no amount. */
const uncountedKinds = ['test', 'declined', 'cancelled', 'no_time'] as const

function getPaymentKind(meanings: Meanings, amount: number): Payment['kind'] {
  const uncountedKind = uncountedKinds.find((kind) => meanings.has(kind))
  if (uncountedKind) return uncountedKind
  if (amount === 0) return 'zero'
  return meanings.has('refund') || amount < 0 ? 'refund' : 'counted'
}

/** Limits the length of a text, without splitting its last character. */
const limitLength = (text: string): string =>
  text.length <= maxText ? text : text.slice(0, maxText).replace(/\p{Surrogate}/gu, '')

/** Returns the key of a row without an id: a hash of its fields. */
const hashFields = (fields: readonly string[]): string =>
  createHash('sha1')
    .update(fields.map((field) => field.trim()).join('\u001f'))
    .digest('base64url')
    .slice(0, hashLength)
