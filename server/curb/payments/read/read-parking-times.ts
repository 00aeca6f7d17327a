import type { PaymentColumn, PaymentMapping } from '#contract/curb-payments.ts'
import { dayMs } from '#contract/period.ts'
import { readDuration } from '#server/table-files/read-quantity.ts'
import { maxPrepaidMs, maxStayMs, type PaymentFinding } from '../payment.ts'
import { getDatePart, readPaymentTime, type TimeReading, type TimeStyle } from './read-payment-time.ts'

/** The context in which the times of the rows of a file are read. */
export interface TimeContext {
  style: TimeStyle
  durationUnit: PaymentMapping['duration_unit']
  /** Milliseconds since 1970. Payments that are more than a day later are set aside. */
  now: number
}

/** The times of a row, ms since 1970. Null if unknown. */
export interface ParkingTimes {
  paid: number | null
  start: number | null
  end: number | null
  /** The purchased time in seconds. */
  purchased: number | null
}

/** Payments farther in the future are set aside. */
const maxAheadMs = dayMs
/** Times without seconds may differ from durations by up to this, seconds. */
const matchSeconds = 61
const durationUnits = { second: 's', minute: 'min', hour: 'h' } as const
/** Longer durations cannot be stored. */
const tooManySeconds = 2 ** 32
const noTimes: ParkingTimes = { paid: null, start: null, end: null, purchased: null }

type AddFinding = (code: PaymentFinding['code'], message: string) => void
/** Reports findings about a row. */
interface Report {
  note: AddFinding
  setAside: AddFinding
}

/** What the columns of a row may mean. */
interface Readings {
  paid: TimeReading | null
  start: TimeReading | null
  end: TimeReading | null
}

/** Reads the times of a row: when it was paid, start and end of the parking, and the purchased time. */
export function readParkingTimes(
  getText: (column: PaymentColumn) => string,
  { style, durationUnit, now }: TimeContext,
  findings: PaymentFinding[],
): ParkingTimes {
  const report: Report = {
    note: (code, message) => void findings.push({ code, effect: 'note', message }),
    setAside: (code, message) => void findings.push({ code, effect: 'set_aside', message }),
  }
  const readings = readTimes(getText, style, report)
  if (!readings) return noTimes
  const unit = durationUnits[durationUnit]
  const seconds = readSeconds(getText('duration'), { name: 'duration', unit }, report)
  const remaining = readSeconds(getText('remaining'), { name: 'remaining time', unit }, report)
  const { paid, start, end } = resolveByOtherColumns(
    readings,
    [seconds, remaining].filter((length) => length !== null),
  )
  const mainReading = paid ?? start
  if (!mainReading || !reportDoubts({ main: mainReading, start, end }, report)) return noTimes
  const paidMs = mainReading.candidates[0] as number
  if (paidMs > now + maxAheadMs) {
    report.setAside('future_time', 'The payment lies more than a day in the future.')
    return noTimes
  }
  const startMs = start && !isAmbiguous(start) ? (start.candidates[0] as number) : paidMs
  const endMs =
    end && !isAmbiguous(end)
      ? findFirstEndAfter(end, startMs)
      : computeExpectedEnd({ paidMs, startMs, seconds, remaining })
  return removeContradictions({ paid: paidMs, start: startMs, end: endMs, purchased: seconds }, report)
}

/** Reads the columns with times. Null if neither payment nor start can be read; the row is then set aside. */
function readTimes(
  getText: (column: PaymentColumn) => string,
  style: TimeStyle,
  { note, setAside }: Report,
): Readings | null {
  const clockText = getText('paid_clock')
  const paidColumn = getText('paid_time')
  const paidText =
    clockText !== '' && paidColumn !== '' ? `${getDatePart(paidColumn)} ${clockText}` : paidColumn
  const startText = getText('start_time')
  if (paidText === '' && startText === '') {
    setAside('missing_time', 'The row says neither when it was paid nor when the parking began.')
    return null
  }
  const read = (value: string): TimeReading | null => (value === '' ? null : readPaymentTime(value, style))
  const paid = read(paidText)
  const start = read(startText)
  if (!paid && !start) {
    const unreadableText = (paidText || startText).slice(0, 40)
    setAside('bad_time', `“${unreadableText}” is not a date with a time of day in the order of this file.`)
    return null
  }
  if (paidText !== '' && !paid)
    note(
      'bad_time',
      `The time of payment “${paidText.slice(0, 40)}” was left out; the start of the parking counts.`,
    )
  if (startText !== '' && !start) note('bad_time', `The start “${startText.slice(0, 40)}” was left out.`)
  const endText = getText('end_time')
  const end = read(endText)
  if (endText !== '' && !end) note('bad_time', `The end “${endText.slice(0, 40)}” was left out.`)
  return { paid, start, end }
}

/** Reads a duration in seconds. Null if there is none, or it cannot be right. */
function readSeconds(
  text: string,
  { name, unit }: { name: string; unit: (typeof durationUnits)[keyof typeof durationUnits] },
  { note }: Report,
): number | null {
  if (text === '') return null
  const hasNoSeconds = /^(-?\d+):(\d{2})$/.test(text)
  const value = readDuration(hasNoSeconds ? `${text}:00` : text, unit)
  if (Number.isNaN(value) || Math.abs(value) >= tooManySeconds) {
    note('bad_duration', `“${text.slice(0, 40)}” is not a duration; it was left out.`)
    return null
  }
  if (value < 0) {
    note('negative_duration', `The ${name} ${text.slice(0, 40)} is negative; it was left out.`)
    return null
  }
  return Math.round(value)
}

/** Resolves doubtful times by the other columns of the row. `lengths` are its durations in seconds. */
function resolveByOtherColumns(readings: Readings, lengths: readonly number[]): Readings {
  const { end } = readings
  const certainEnd = end && end.candidates.length === 1 ? end.candidates[0] : undefined
  const start = readings.start && resolveByEnd(readings.start, certainEnd, lengths)
  const paid = readings.paid && resolveByEnd(readings.paid, certainEnd, lengths)
  // If payment and start are at the same time, a start that is certain also decides about the payment.
  if (paid && start && paid.candidates.length > 1 && start.candidates.length === 1)
    return { paid: resolveByTime(paid, start.candidates[0] as number), start, end }
  return { paid, start, end }
}

/** Chooses the only candidate with a distance from a certain end that matches a duration of the row. */
function resolveByEnd(
  reading: TimeReading,
  end: number | undefined,
  lengths: readonly number[],
): TimeReading {
  if (reading.candidates.length < 2 || end === undefined || !lengths.length) return reading
  const fittingCandidates = reading.candidates.filter((ms) =>
    lengths.some((seconds) => Math.abs((end - ms) / 1000 - seconds) < matchSeconds),
  )
  return fittingCandidates.length === 1 ? { candidates: fittingCandidates, doubt: null } : reading
}

/** Chooses the candidate at a time that another column shows. Without exactly one, nothing changes. */
function resolveByTime(reading: TimeReading, ms: number): TimeReading {
  const fittingCandidates = reading.candidates.filter(
    (candidate) => Math.abs(candidate - ms) < matchSeconds * 1000,
  )
  return fittingCandidates.length === 1 ? { candidates: fittingCandidates, doubt: null } : reading
}

/** Whether a time may be in either half of the day. */
const isAmbiguous = ({ doubt, candidates }: TimeReading): boolean => doubt === 'half' && candidates.length > 1

/** Reports doubtful times. Returns whether the main time is certain enough; otherwise the row is set aside. */
function reportDoubts(
  { main, start, end }: { main: TimeReading; start: TimeReading | null; end: TimeReading | null },
  { note, setAside }: Report,
): boolean {
  for (const reading of new Set([main, start, end])) {
    if (!reading?.doubt) continue
    if (isAmbiguous(reading)) {
      if (reading !== main) continue
      setAside('uncertain_time', 'The time of day has no AM or PM, and nothing else in the row settles it.')
      return false
    }
    if (reading.doubt === 'skipped')
      note(
        'skipped_time',
        'The clock skipped this time when summer time began; it was moved forward by the hour.',
      )
    if (reading.doubt === 'repeated' && reading.candidates.length > 1)
      note('repeated_hour', 'The clock showed this time twice when summer time ended; the first was taken.')
  }
  return true
}

/** Returns the first candidate of an end that is not before the start. */
const findFirstEndAfter = ({ candidates }: TimeReading, start: number): number =>
  candidates.find((ms) => ms >= start) ?? (candidates[0] as number)

/** Computes the end by the remaining time from the payment on, or else by the duration from the start on. */
function computeExpectedEnd({
  paidMs,
  startMs,
  seconds,
  remaining,
}: {
  paidMs: number
  startMs: number
  seconds: number | null
  remaining: number | null
}): number | null {
  if (remaining !== null && remaining > 0) return paidMs + remaining * 1000
  const length = seconds ?? remaining
  return length !== null && length > 0 ? startMs + length * 1000 : null
}

/** Leaves out times that contradict each other. */
function removeContradictions(
  {
    paid,
    start,
    end,
    purchased,
  }: { paid: number; start: number; end: number | null; purchased: number | null },
  { note }: Report,
): ParkingTimes {
  const paidOnly: ParkingTimes = { ...noTimes, paid }
  if (Math.abs(start - paid) > maxStayMs) {
    note('times_far_apart', 'The parking begins more than 40 days from its payment; its times were left out.')
    return paidOnly
  }
  if (Math.abs(start - paid) > maxPrepaidMs)
    note(
      'times_far_apart',
      'The parking begins more than two days from its payment; the amount counts at the payment.',
    )
  if (end !== null && end < start) {
    note('negative_duration', 'The parking ends before it begins; its times were left out.')
    return paidOnly
  }
  if (end !== null && end - start > maxStayMs) {
    note('too_long', 'The parking lasts more than 40 days; its times were left out.')
    return paidOnly
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
