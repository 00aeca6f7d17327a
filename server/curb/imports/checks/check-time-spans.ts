import { type CdsTimeSpan, type CdsWeekday, cdsWeekdays, wellKnownPeriods } from '#contract/cds.ts'
import type { Findings } from '../curb-format.ts'
import { renameFields } from './known-fields.ts'
import { asText, isRecord, normalize, type RawRecord, toMilliseconds, toNumber, toText } from './values.ts'

const spanFields = [
  'start_date',
  'end_date',
  'days_of_week',
  'days_of_month',
  'weeks_of_month',
  'months',
  'time_of_day_start',
  'time_of_day_end',
  'designated_period',
  'designated_period_except',
]

/** Time spans of a policy. */
const maxSpans = 200

/**
 * Checks the time spans of a policy. Undefined if it has none, which means that it always applies. A span
 * that cannot be read refuses the policy. Leaving the span out would let the policy apply at other times.
 */
export function checkTimeSpans(
  raw: unknown,
  findings: Findings,
  path: string,
): CdsTimeSpan[] | undefined | 'refused' {
  if (raw === undefined) return undefined
  const list = Array.isArray(raw) ? (raw as unknown[]) : [raw]
  const spans: CdsTimeSpan[] = []
  if (list.length > maxSpans) {
    findings.refuse('too_many', `The policy has more than ${maxSpans} time spans.`, path)
    return 'refused'
  }
  for (const [index, rawSpan] of list.entries()) {
    if (isRecord(rawSpan) && Object.keys(rawSpan).length === 0) continue
    const span = isRecord(rawSpan) ? checkSpan(rawSpan, findings, `${path}[${index}]`) : null
    if (!span) {
      if (!findings.isRefused)
        findings.refuse('bad_value', 'A time span is not an object with fields.', `${path}[${index}]`)
      return 'refused'
    }
    spans.push(span)
  }
  if (spans.length) {
    // Among others, a span without criteria would mean always. If all are without criteria, the list is
    // treated as empty.
    if (spans.length < list.length) {
      findings.refuse(
        'never_applies',
        'A time span without criteria is listed with others, so it is ambiguous which of them applies.',
        path,
      )
      return 'refused'
    }
    return spans
  }
  findings.repair('empty_list', 'The list of time spans is empty; the policy applies at all times.', path)
  return undefined
}

/** A time span that is being checked. The checks replace its values by those that they read. */
interface SpanCheck {
  span: RawRecord
  findings: Findings
  path: string
}

/** Checks a time span. Null if it was refused. */
function checkSpan(raw: RawRecord, findings: Findings, path: string): CdsTimeSpan | null {
  const span = renameFields(raw, spanFields, findings, `${path}.`)
  const check: SpanCheck = { span, findings, path }
  const isValid =
    checkDates(check) &&
    checkDays(check) &&
    checkNumbers(check, 'days_of_month', 31) &&
    checkNumbers(check, 'weeks_of_month', 5) &&
    checkNumbers(check, 'months', 12) &&
    checkTimes(check) &&
    checkPeriod(check)
  return isValid ? (span as CdsTimeSpan) : null
}

function checkDates({ span, findings, path }: SpanCheck): boolean {
  for (const field of ['start_date', 'end_date'] as const) {
    if (span[field] === undefined) continue
    const time = toMilliseconds(span[field])
    if (!time) {
      findings.refuse('bad_time', `${field} is not a time.`, `${path}.${field}`)
      return false
    }
    if (time.isConverted)
      findings.repair('bad_time', `${field} was converted to milliseconds.`, `${path}.${field}`)
    span[field] = time.ms
  }
  const { start_date: start, end_date: end } = span
  if (typeof start === 'number' && typeof end === 'number' && end <= start)
    findings.note('never_applies', 'The time span ends before it starts.', path)
  return true
}

/** Reads a weekday in any usual spelling: `Mon`, `monday`, `MO`, `th`. Null if it is none. */
export function readWeekday(value: unknown): CdsWeekday | null {
  const word = normalize(asText(value)).replace(/[.]$/, '')
  if (word.length < 2) return null
  const names = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
  const singular = word.replace(/days$/, 'day')
  const index = names.findIndex(
    (name) => name.startsWith(singular) || (singular === 'tues' && name === 'tuesday'),
  )
  return cdsWeekdays[index] ?? null
}

/** Reads the weekdays of a time span. Returns false if one is invalid. */
function checkDays(check: SpanCheck): boolean {
  const { span, findings, path } = check
  if (span['days_of_week'] === undefined) return true
  const raw = span['days_of_week']
  const list = Array.isArray(raw) ? (raw as unknown[]) : [raw]
  const days: CdsWeekday[] = []
  for (const value of list) {
    const day = readWeekday(value)
    if (!day) {
      findings.refuse(
        'bad_value',
        `“${asText(value).slice(0, 40)}” is not a day of the week.`,
        `${path}.days_of_week`,
      )
      return false
    }
    if (day !== value)
      findings.repair(
        'spelling',
        `“${asText(value).slice(0, 40)}” was read as ${day}.`,
        `${path}.days_of_week`,
      )
    if (!days.includes(day)) days.push(day)
  }
  return setOrRemove(check, 'days_of_week', days)
}

/** Sets a field to a list, or removes and reports it if the list is empty. Returns true: the span is valid. */
function setOrRemove({ span, findings, path }: SpanCheck, field: string, list: readonly unknown[]): boolean {
  if (list.length) span[field] = list
  else {
    delete span[field]
    findings.repair('empty_list', `${field} is empty; it was left out.`, `${path}.${field}`)
  }
  return true
}

/** Reads a list of numbers from 1 to `max`. Returns false if one is invalid. */
function checkNumbers(check: SpanCheck, field: string, max: number): boolean {
  const { span, findings, path } = check
  if (span[field] === undefined) return true
  const list = Array.isArray(span[field]) ? (span[field] as unknown[]) : [span[field]]
  const numbers: number[] = []
  for (const value of list) {
    const number = toNumber(value)
    if (number === null || !Number.isInteger(number) || number < 1 || number > max) {
      findings.refuse('bad_value', `${field} has a value that is not from 1 to ${max}.`, `${path}.${field}`)
      return false
    }
    if (number !== value)
      findings.repair('bad_value', `A text in ${field} was read as a number.`, `${path}.${field}`)
    if (!numbers.includes(number)) numbers.push(number)
  }
  return setOrRemove(check, field, numbers)
}

/** Reads the minutes after midnight of `HH:MM` or `HH:MM:00`, up to 47:59. Null if the value is no time. */
function readMinutes(value: unknown): number | null {
  const match = /^\s*(\d{1,2}):(\d{2})(?::00)?\s*$/.exec(asText(value))
  if (!match) return null
  const hours = Number(match[1])
  const minutes = Number(match[2])
  return hours < 48 && minutes < 60 ? hours * 60 + minutes : null
}

const formatClock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

const dayMinutes = 1440

/** Checks times of day. Past 24:00 is the next day: 22:00 to 26:00 becomes 22:00 to 02:00. */
function checkTimes({ span, findings, path }: SpanCheck): boolean {
  const startField = 'time_of_day_start'
  const endField = 'time_of_day_end'
  const rawStart = span[startField]
  const rawEnd = span[endField]
  if (rawStart === '') delete span[startField]
  if (rawEnd === '') delete span[endField]
  const start = span[startField] === undefined ? 0 : readMinutes(rawStart)
  const end = span[endField] === undefined ? dayMinutes : readMinutes(rawEnd)
  if (start === null || end === null || start >= dayMinutes) {
    const field = start === null || start >= dayMinutes ? startField : endField
    findings.refuse(
      'bad_time',
      `“${asText(span[field]).slice(0, 20)}” is not a time of day.`,
      `${path}.${field}`,
    )
    return false
  }
  const endsNextDay = end > dayMinutes
  if (endsNextDay && end - dayMinutes > start) {
    findings.refuse('time_past_midnight', 'The time span is longer than a day.', `${path}.${endField}`)
    return false
  }
  if (endsNextDay && end - dayMinutes === start) {
    // The span lasts 24 hours, so it has no times.
    delete span[startField]
    delete span[endField]
  }
  if (endsNextDay)
    findings.repair(
      'time_past_midnight',
      `${asText(rawEnd)} was read as ${formatClock(end - dayMinutes)} of the next day.`,
      `${path}.${endField}`,
    )
  else if (start === end && span[startField] !== undefined && span[endField] !== undefined)
    findings.note('never_applies', 'The time span ends when it starts.', path)
  for (const [field, minutes] of [
    [startField, start],
    [endField, end > dayMinutes ? end - dayMinutes : end],
  ] as const) {
    if (span[field] === undefined) continue
    const clock = formatClock(minutes)
    if (!endsNextDay && clock !== span[field])
      findings.repair('spelling', `“${asText(span[field])}” was read as ${clock}.`, `${path}.${field}`)
    span[field] = clock
  }
  return true
}

/** Checks the designated period of a time span. Returns false if the record was refused. */
function checkPeriod({ span, findings, path }: SpanCheck): boolean {
  const { designated_period: period, designated_period_except: except } = span
  if (period !== undefined) {
    const text = toText(period, 200)
    if (text === null) {
      findings.refuse('bad_value', 'The designated period is not a text.', `${path}.designated_period`)
      return false
    }
    const knownPeriod = wellKnownPeriods.find((name) => name === normalize(text))
    if (knownPeriod && knownPeriod !== period)
      findings.repair('spelling', `“${text}” was read as ${knownPeriod}.`, `${path}.designated_period`)
    span['designated_period'] = knownPeriod ?? text
  }
  if (except !== undefined && typeof except !== 'boolean') {
    const word = normalize(asText(except))
    if (word !== 'true' && word !== 'false') {
      findings.refuse('bad_value', 'designated_period_except is neither true nor false.', path)
      return false
    }
    span['designated_period_except'] = word === 'true'
    findings.repair('bad_value', `designated_period_except was read as ${word}.`, path)
  }
  return true
}
