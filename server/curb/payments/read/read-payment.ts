import { createHash } from 'node:crypto'
import { civilClock } from '#contract/civil-clock.ts'
import type { PaymentColumn, PaymentMapping } from '#contract/curb-payments.ts'
import { readDuration } from '#server/table-files/read-quantity.ts'
import {
  createLocationId,
  maxPrepaidMs,
  maxStayMs,
  type Payment,
  type PaymentFinding,
  type PaymentPlace,
} from '../payment.ts'
import { hashLane } from '../../hash-vehicle.ts'
import { currencySign, otherCurrency, readAmount } from './read-amount.ts'
import { datePart, readPaymentTime, type TimeReading, type TimeStyle } from './read-payment-time.ts'

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
  /** Ms since 1970. Payments that are more than a day later are set aside. */
  now: number
}

/**
 * The result of reading a row. `amount` is that of the file, also if the row is set aside; null if it has
 * none.
 */
export interface ReadPayment {
  payment: Payment | null
  amount: number | null
  place: PaymentPlace | null
  findings: PaymentFinding[]
}

const emptyWords = /^(null|none|<null>|n\/a|na|nan|-)$/i
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f-\u009f]/
const maxText = 200
const hashLength = 22
const maxAheadMs = 86_400_000
/** Times without seconds may differ from durations by up to this, seconds. */
const matchSeconds = 61
const durationUnits = { second: 's', minute: 'min', hour: 'h' } as const
const tooManySeconds = 2 ** 32

/** Columns that identify a vehicle or a stay. */
const personal = ['plate', 'session_key'] as const satisfies readonly PaymentColumn[]

/** Reads the rows of a payment file. */
export class PaymentReader {
  readonly #reading: PaymentReading
  readonly #columns = new Map<PaymentColumn, number>()
  readonly #style: TimeStyle
  readonly #currency: { code: string; sign: string }
  readonly #words = new Map<string, PaymentMapping['words'][number]['meaning']>()
  /**
   * Whether rows without plate and session key form lanes by place, because the file tells extensions from
   * new sessions.
   */
  readonly #lanesByEvent: boolean
  readonly #safeColumns: [string, number][]

  constructor(reading: PaymentReading) {
    const { header, mapping, timezone, currency } = reading
    this.#reading = reading
    this.#currency = { code: currency, sign: currencySign(currency) }
    for (const [column, name] of Object.entries(mapping.columns) as [PaymentColumn, string][]) {
      const index = header.indexOf(name)
      if (index >= 0) this.#columns.set(column, index)
    }
    this.#style = {
      order: mapping.date_order,
      isTwelveHour: mapping.clock === '12',
      ignoresOffsets: mapping.ignores_offsets,
      clock: civilClock(timezone),
    }
    for (const { column, value, meaning } of mapping.words)
      this.#words.set(`${column} ${value.trim().toLowerCase()}`, meaning)
    const hints = mapping.words.filter(({ column }) => column === 'event_type')
    this.#lanesByEvent =
      this.#columns.has('event_type') && hints.some(({ meaning }) => meaning === 'extension')
    const secret = new Set(personal.map((column) => this.#columns.get(column)))
    this.#safeColumns = [...this.#columns.values()]
      .filter((index) => !secret.has(index))
      .map((index) => [header[index] ?? '', index])
  }

  /** The mapped columns of a row as text, without those that identify a vehicle or a stay. */
  sourceText(fields: readonly string[]): string {
    return this.#safeColumns
      .map(([name, index]) => `${name}: ${(fields[index] ?? '').trim()}`)
      .join('; ')
      .slice(0, 2000)
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
    const text = (column: PaymentColumn): string => {
      const index = this.#columns.get(column)
      if (index === undefined) return ''
      const value = (fields[index] ?? '').trim()
      if (value.length <= 8 && emptyWords.test(value)) return ''
      return controls.test(value) ? value.replace(/\p{Cc}+/gu, ' ').trim() : value
    }
    const meanings = new Set(
      (['status', 'payment_type', 'event_type'] as const).map((column) => {
        const value = text(column)
        return value === '' ? undefined : this.#words.get(`${column} ${value.toLowerCase()}`)
      }),
    )
    const amount = this.#amount(text('amount'), findings, meanings)
    const { paid, start, end, purchased } = this.#times(text, findings)
    const place = this.#place(text, findings)
    if (amount === null || paid === null || findings.some(({ effect }) => effect === 'set_aside'))
      return { payment: null, amount, place: null, findings }
    const isRefund = meanings.has('refund') || amount < 0
    const kind = meanings.has('test')
      ? 'test'
      : meanings.has('declined')
        ? 'declined'
        : meanings.has('cancelled')
          ? 'cancelled'
          : meanings.has('no_time')
            ? 'no_time'
            : amount === 0
              ? 'zero'
              : isRefund
                ? 'refund'
                : 'counted'
    const rowId = text('row_id')
    const { vendor } = this.#reading
    const locationId = place?.locationId ?? ''
    const rate = readAmount(
      text('rate') || 'none',
      this.#reading.currencyDigits,
      this.#reading.mapping.amount_unit,
    )
    const payment: Payment = {
      rowKey: rowId === '' ? `${vendor}#${hashFields(fields)}` : `${vendor}:${bounded(rowId)}`,
      hasId: rowId !== '',
      kind,
      amount: kind === 'refund' ? -Math.abs(amount) : amount,
      paidTime: paid,
      startTime: start,
      endTime: end,
      purchasedSeconds: purchased,
      locationId,
      paymentType: bounded(text('payment_type')),
      rate: rate === null || rate < 0 || rate > 10_000_000 ? null : rate,
      lane: this.#lane(text, locationId),
      hint: meanings.has('extension') ? 'extension' : meanings.has('start') ? 'start' : '',
    }
    // Refunds that are positive in the file are negative in all sums.
    return { payment, amount: payment.amount, place, findings }
  }

  #amount(
    text: string,
    findings: PaymentFinding[],
    meanings: ReadonlySet<PaymentMapping['words'][number]['meaning'] | undefined>,
  ): number | null {
    const { currencyDigits, mapping } = this.#reading
    if (text === '') {
      const needsNoAmount = (['declined', 'cancelled', 'no_time', 'test'] as const).some((each) =>
        meanings.has(each),
      )
      if (needsNoAmount) return 0
      findings.push({ code: 'missing_amount', effect: 'set_aside', message: 'The row has no amount.' })
      return null
    }
    const other = otherCurrency(text, this.#currency)
    const amount = other === null ? readAmount(text, currencyDigits, mapping.amount_unit) : null
    if (other !== null)
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

  #place(text: (column: PaymentColumn) => string, findings: PaymentFinding[]): PaymentPlace | null {
    const { mapping } = this.#reading
    const id = bounded(text('location'))
    if (id === '') {
      findings.push({
        code: 'missing_location',
        effect: 'note',
        message: 'The row names no location; it counts for the region only.',
      })
      return null
    }
    const [lat, lon] = [Number(text('lat') || 'NaN'), Number(text('lon') || 'NaN')]
    const hasPoint = Math.abs(lat) <= 90 && Math.abs(lon) <= 180 && (lat !== 0 || lon !== 0)
    const spaces = Number(text('spaces') || 'NaN')
    return {
      locationId: createLocationId(mapping.place_kind, id),
      kind: mapping.place_kind,
      name: bounded(text('location_name')) || id,
      lat: hasPoint ? lat : null,
      lon: hasPoint ? lon : null,
      spaces: Number.isInteger(spaces) && spaces > 0 && spaces < 10_000 ? spaces : null,
    }
  }

  #lane(text: (column: PaymentColumn) => string, locationId: string): string {
    const { key, vendor } = this.#reading
    const hash = hashLane(key, vendor, locationId, { session: text('session_key'), plate: text('plate') })
    return hash === '' && this.#lanesByEvent && locationId !== '' ? `place ${vendor} ${locationId}` : hash
  }

  /** Reads the times of a row: when it was paid, start and end of the parking, and the purchased time. */
  #times(text: (column: PaymentColumn) => string, findings: PaymentFinding[]) {
    const none = { paid: null, start: null, end: null, purchased: null }
    const note = (code: PaymentFinding['code'], message: string): void =>
      void findings.push({ code, effect: 'note', message })
    const setAside = (code: PaymentFinding['code'], message: string): void =>
      void findings.push({ code, effect: 'set_aside', message })
    const { now } = this.#reading
    const clockText = text('paid_clock')
    const paidText = text('paid_time')
    const startText = text('start_time')
    const paidTimeText = clockText !== '' && paidText !== '' ? `${datePart(paidText)} ${clockText}` : paidText
    if (paidTimeText === '' && startText === '') {
      setAside('missing_time', 'The row says neither when it was paid nor when the parking began.')
      return none
    }
    const read = (value: string): TimeReading | null =>
      value === '' ? null : readPaymentTime(value, this.#style)
    let [paid, start] = [read(paidTimeText), read(startText)]
    if (!paid && !start) {
      const wrong = (paidTimeText || startText).slice(0, 40)
      setAside('bad_time', `“${wrong}” is not a date with a time of day in the order of this file.`)
      return none
    }
    if (paidTimeText !== '' && !paid)
      note(
        'bad_time',
        `The time of payment “${paidTimeText.slice(0, 40)}” was left out; the start of the parking counts.`,
      )
    if (startText !== '' && !start) note('bad_time', `The start “${startText.slice(0, 40)}” was left out.`)
    const endText = text('end_time')
    const end = read(endText)
    if (endText !== '' && !end) note('bad_time', `The end “${endText.slice(0, 40)}” was left out.`)
    const seconds = this.#duration(text('duration'), 'duration', findings)
    const remaining = this.#duration(text('remaining'), 'remaining', findings)
    const lengths = [seconds, remaining].filter((each) => each !== null)
    const certainEnd = end && end.candidates.length === 1 ? end.candidates[0] : undefined
    if (start) start = resolveByEnd(start, certainEnd, lengths)
    if (paid) paid = resolveByEnd(paid, certainEnd, lengths)
    // If payment and start are at the same time and only the start is certain, it also decides about the
    // payment.
    if (paid && start && paid.candidates.length > 1 && start.candidates.length === 1)
      paid = resolveByTime(paid, start.candidates[0] as number)
    const main = paid ?? start
    if (!main) return none
    for (const each of new Set([main, start, end])) {
      if (!each || !each.doubt) continue
      if (each.doubt === 'half' && each.candidates.length > 1) {
        if (each !== main) continue
        setAside('uncertain_time', 'The time of day has no AM or PM, and nothing else in the row settles it.')
        return none
      }
      if (each.doubt === 'skipped')
        note(
          'skipped_time',
          'The clock skipped this time when summer time began; it was moved forward by the hour.',
        )
      if (each.doubt === 'repeated' && each.candidates.length > 1)
        note('repeated_hour', 'The clock showed this time twice when summer time ended; the first was taken.')
    }
    const paidMs = main.candidates[0] as number
    if (paidMs > now + maxAheadMs) {
      setAside('future_time', 'The payment lies more than a day in the future.')
      return none
    }
    const isAmbiguous = (reading: TimeReading | null): boolean =>
      reading !== null && reading.doubt === 'half' && reading.candidates.length > 1
    const startMs = start && !isAmbiguous(start) ? (start.candidates[0] as number) : paidMs
    const length = seconds ?? remaining
    const endMs =
      end && !isAmbiguous(end)
        ? firstEndAfter(end, startMs)
        : remaining !== null && remaining > 0
          ? paidMs + remaining * 1000
          : length !== null && length > 0
            ? startMs + length * 1000
            : null
    return this.#checked({ paid: paidMs, start: startMs, end: endMs, purchased: seconds }, note)
  }

  /** Leaves out times that contradict each other. */
  #checked(
    {
      paid,
      start,
      end,
      purchased,
    }: { paid: number; start: number; end: number | null; purchased: number | null },
    note: (code: PaymentFinding['code'], message: string) => void,
  ) {
    if (Math.abs(start - paid) > maxStayMs) {
      note(
        'times_far_apart',
        'The parking begins more than 40 days from its payment; its times were left out.',
      )
      return { paid, start: null, end: null, purchased: null }
    }
    if (Math.abs(start - paid) > maxPrepaidMs)
      note(
        'times_far_apart',
        'The parking begins more than two days from its payment; the amount counts at the payment.',
      )
    if (end !== null && end < start) {
      note('negative_duration', 'The parking ends before it begins; its times were left out.')
      return { paid, start: null, end: null, purchased: null }
    }
    if (end !== null && end - start > maxStayMs) {
      note('too_long', 'The parking lasts more than 40 days; its times were left out.')
      return { paid, start: null, end: null, purchased: null }
    }
    // Devices that do not know the end repeat the start.
    const knownEnd = end !== null && end > start ? end : null
    return {
      paid,
      start,
      end: knownEnd,
      purchased: purchased ?? (knownEnd === null ? null : Math.round((knownEnd - start) / 1000)),
    }
  }

  #duration(text: string, column: 'duration' | 'remaining', findings: PaymentFinding[]): number | null {
    if (text === '') return null
    const clock = /^(-?\d+):(\d{2})$/.exec(text)
    const value = readDuration(
      clock ? `${text}:00` : text,
      durationUnits[this.#reading.mapping.duration_unit],
    )
    if (Number.isNaN(value) || Math.abs(value) >= tooManySeconds) {
      findings.push({
        code: 'bad_duration',
        effect: 'note',
        message: `“${text.slice(0, 40)}” is not a duration; it was left out.`,
      })
      return null
    }
    if (value < 0) {
      findings.push({
        code: 'negative_duration',
        effect: 'note',
        message: `The ${column === 'duration' ? 'duration' : 'remaining time'} ${text.slice(0, 40)} is negative; it was left out.`,
      })
      return null
    }
    return Math.round(value)
  }
}

/** Limits the length of a text, without splitting its last character. */
const bounded = (text: string): string =>
  text.length <= maxText ? text : text.slice(0, maxText).replace(/\p{Surrogate}/gu, '')

/**
 * Chooses the candidate with a distance from a certain end that matches a duration of the row. Without
 * exactly one, nothing changes.
 */
function resolveByEnd(
  reading: TimeReading,
  end: number | undefined,
  lengths: readonly number[],
): TimeReading {
  if (reading.candidates.length < 2 || end === undefined || !lengths.length) return reading
  const fitting = reading.candidates.filter((ms) =>
    lengths.some((seconds) => Math.abs((end - ms) / 1000 - seconds) < matchSeconds),
  )
  return fitting.length === 1 ? { candidates: fitting, doubt: null } : reading
}

/**
 * Chooses the candidate at a time that is known from another column. Without exactly one, nothing changes.
 */
function resolveByTime(reading: TimeReading, ms: number): TimeReading {
  const fitting = reading.candidates.filter((each) => Math.abs(each - ms) < matchSeconds * 1000)
  return fitting.length === 1 ? { candidates: fitting, doubt: null } : reading
}

/** The first candidate of an end that is not before the start. */
const firstEndAfter = ({ candidates }: TimeReading, start: number): number =>
  candidates.find((ms) => ms >= start) ?? (candidates[0] as number)

const hashFields = (fields: readonly string[]): string =>
  createHash('sha1')
    .update(fields.map((field) => field.trim()).join('\u001f'))
    .digest('base64url')
    .slice(0, hashLength)
