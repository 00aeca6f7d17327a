import type { CdsTimeSpan } from '#contract/cds.ts'
import { startOfDay } from '#contract/civil-clock.ts'
import { dayMs } from '#contract/period.ts'
import { readWeekday } from '../checks/check-time-spans.ts'
import { asText, isRecord, normalize, type RawRecord, toNumber } from '../checks/values.ts'

/** Thrown if a criterion cannot be expressed in CDS. The message is the second half of a sentence. */
class Inexpressible extends Error {}

/** Time spans of a policy. */
const maxSpans = 200

type Criteria = Partial<CdsTimeSpan>

/**
 * Converts time spans of CurbLR to CDS. Empty if the regulation always applies; a message if a span cannot be
 * expressed. Where CurbLR has lists of alternatives (times of day, dates, periods), each combination becomes
 * a span.
 */
export function readCurblrTimeSpans(raw: unknown, timeZone: string): CdsTimeSpan[] | string {
  const spans = listRecords(raw)
  try {
    const converted = spans.flatMap((span) =>
      combine([
        readDates(span, timeZone),
        readDays(span),
        readDaysOfMonth(span),
        readTimes(span),
        readPeriods(span),
      ]),
    )
    return converted.length > maxSpans ? `it has more than ${maxSpans} time spans.` : converted
  } catch (error) {
    if (error instanceof Inexpressible) return error.message
    throw error
  }
}

/** Returns every combination of one choice from each list. Empty lists are ignored. */
const combine = (lists: readonly (readonly Criteria[])[]): CdsTimeSpan[] =>
  lists.reduce<Criteria[]>(
    (spans, choices) =>
      choices.length ? spans.flatMap((span) => choices.map((choice) => ({ ...span, ...choice }))) : spans,
    [{}],
  ) as CdsTimeSpan[]

/** Returns the records of a list, or a single record in a list. */
const listRecords = (value: unknown): RawRecord[] =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).filter(
    (entry): entry is RawRecord => isRecord(entry) && Object.keys(entry).length > 0,
  )

/** Reads the effective dates of a time span: yearly months, or a start and an end. */
function readDates(span: RawRecord, timeZone: string): Criteria[] {
  return listRecords(span['effectiveDates']).map(({ from, to }) => {
    const firstText = asText(from ?? '')
    const lastText = asText(to ?? '')
    const yearlyPattern = /^(\d\d)-(\d\d)$/
    const start = yearlyPattern.exec(firstText)
    const end = yearlyPattern.exec(lastText)
    if (start && end) return { months: readWholeMonths(start, end) }
    const datePattern = /^\d{4}-\d\d-\d\d$/
    if (
      (firstText !== '' && !datePattern.test(firstText)) ||
      (lastText !== '' && !datePattern.test(lastText)) ||
      (firstText === '' && lastText === '')
    )
      throw new Inexpressible(
        `its dates “${firstText.slice(0, 20)} to ${lastText.slice(0, 20)}” cannot be read.`,
      )
    // Throws if there is no such day.
    if (firstText !== '') getNextDay(firstText)
    return {
      ...(firstText === '' ? {} : { start_date: startOfDay(firstText, timeZone) }),
      // CurbLR includes the last day, CDS excludes the end of a span.
      ...(lastText === '' ? {} : { end_date: startOfDay(getNextDay(lastText), timeZone) }),
    }
  })
}

function getNextDay(day: string): string {
  const ms = Date.parse(`${day}T00:00:00Z`)
  if (!Number.isFinite(ms)) throw new Inexpressible(`its date “${day}” does not exist.`)
  return new Date(ms + dayMs).toISOString().slice(0, 10)
}

const daysInMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Returns months (1 to 12) of a yearly range. @throws Inexpressible unless it consists of whole months. */
function readWholeMonths(start: RegExpExecArray, end: RegExpExecArray): number[] {
  const [firstMonth, firstDay, lastMonth, lastDay] = [start[1], start[2], end[1], end[2]].map(Number) as [
    number,
    number,
    number,
    number,
  ]
  const days = daysInMonth[lastMonth - 1] ?? 0
  const isWhole =
    firstDay === 1 &&
    firstMonth >= 1 &&
    firstMonth <= 12 &&
    (lastDay === days || (lastMonth === 2 && lastDay === 28))
  if (!isWhole) throw new Inexpressible('its yearly dates are not whole months.')
  const months: number[] = []
  for (let month = firstMonth; ; month = (month % 12) + 1) {
    months.push(month)
    if (month === lastMonth) return months
  }
}

/** Reads the weekdays of a time span, and in which weeks of the month they apply. */
function readDays(span: RawRecord): Criteria[] {
  const raw = span['daysOfWeek']
  const records =
    Array.isArray(raw) && raw.some((day) => typeof day === 'string') ? [{ days: raw }] : listRecords(raw)
  return records.map((record) => {
    const days = toList(record['days']).map((rawDay) => {
      const day = readWeekday(rawDay)
      if (!day) throw new Inexpressible(`“${asText(rawDay).slice(0, 20)}” is not a day of the week.`)
      return day
    })
    const weeks = toList(record['occurrencesInMonth']).map((rawWeek) => {
      const week = toNumber(asText(rawWeek).replace(/(st|nd|rd|th)$/i, ''))
      if (week === null || !Number.isInteger(week) || week < 1 || week > 5)
        throw new Inexpressible('it applies in weeks that are not counted from the start of the month.')
      return week
    })
    return {
      ...(days.length ? { days_of_week: days } : {}),
      ...(weeks.length ? { weeks_of_month: weeks } : {}),
    }
  })
}

function toList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value as unknown[]
  return value === undefined || value === null ? [] : [value]
}

function readDaysOfMonth(span: RawRecord): Criteria[] {
  const raw = span['daysOfMonth']
  const list = isRecord(raw) ? toList(raw['days']) : toList(raw)
  const days = list.flatMap((rawDay) => {
    const word = normalize(asText(rawDay))
    if (word === 'odd' || word === 'even')
      return oneToThirtyOne.filter((day) => day % 2 === (word === 'odd' ? 1 : 0))
    const day = toNumber(rawDay)
    if (day === null || !Number.isInteger(day) || day < 1 || day > 31)
      throw new Inexpressible(`the day of the month “${word.slice(0, 20)}” cannot be expressed.`)
    return day
  })
  return days.length ? [{ days_of_month: [...new Set(days)].toSorted((a, b) => a - b) }] : []
}

const oneToThirtyOne = Array.from({ length: 31 }, (_, index) => index + 1)

function readTimes(span: RawRecord): Criteria[] {
  return [...listRecords(span['timesOfDay']), ...listRecords(span['timeOfDay'])].map(({ from, to }) => ({
    ...(from === undefined || from === null ? {} : { time_of_day_start: asText(from) }),
    ...(to === undefined || to === null ? {} : { time_of_day_end: asText(to) }),
  }))
}

function readPeriods(span: RawRecord): Criteria[] {
  const periods = listRecords(span['designatedPeriods'])
  const criteria = periods.map(({ name, apply }) => {
    const word = normalize(asText(apply ?? 'only during'))
    if (typeof name !== 'string' || name === '' || (word !== 'only during' && word !== 'except during'))
      throw new Inexpressible('its designated period cannot be read.')
    return {
      designated_period: name,
      ...(word === 'except during' ? { designated_period_except: true } : {}),
    }
  })
  if (criteria.length > 1 && criteria.some(({ designated_period_except: except }) => except))
    throw new Inexpressible('it applies outside of several periods at once.')
  return criteria
}
