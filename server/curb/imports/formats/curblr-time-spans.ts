import type { CdsTimeSpan } from '#contract/cds.ts'
import { startOfDay } from '#contract/civil-clock.ts'
import { weekdayOf } from '../checks/check-time-spans.ts'
import { asText, isRecord, plainWord, type RawRecord, toNumber } from '../checks/values.ts'

/** A criterion that cannot be expressed in CDS, or cannot be read; the message continues a sentence. */
class Inexpressible extends Error {}

type Criteria = Partial<CdsTimeSpan>

/**
 * Time spans of CDS for those of CurbLR; empty if the regulation always applies, a message if one cannot be expressed. Lists of CurbLR
 * with entries that each allow a time (times of day, dates, periods) become one span per combination.
 */
export function curblrTimeSpans(raw: unknown, timeZone: string): CdsTimeSpan[] | string {
  const list = Array.isArray(raw) ? (raw as unknown[]) : isRecord(raw) ? [raw] : []
  const spans = list.filter((each): each is RawRecord => isRecord(each) && Object.keys(each).length > 0)
  try {
    const all = spans.flatMap((span) =>
      combine([datesOf(span, timeZone), daysOf(span), daysOfMonthOf(span), timesOf(span), periodsOf(span)]),
    )
    return all.length > 200 ? 'it has more than 200 time spans.' : all
  } catch (error) {
    if (error instanceof Inexpressible) return error.message
    throw error
  }
}

/** Every combination of one choice from each list; an empty list says nothing. */
const combine = (lists: readonly (readonly Criteria[])[]): CdsTimeSpan[] =>
  lists.reduce<Criteria[]>(
    (spans, choices) =>
      choices.length ? spans.flatMap((span) => choices.map((choice) => ({ ...span, ...choice }))) : spans,
    [{}],
  ) as CdsTimeSpan[]

const entries = (value: unknown): RawRecord[] =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).filter(
    (each): each is RawRecord => isRecord(each) && Object.keys(each).length > 0,
  )

function datesOf(span: RawRecord, timeZone: string): Criteria[] {
  return entries(span['effectiveDates']).map(({ from, to }) => {
    const [first, last] = [asText(from ?? ''), asText(to ?? '')]
    const yearly = /^(\d\d)-(\d\d)$/
    const [start, end] = [yearly.exec(first), yearly.exec(last)]
    if (start && end) return { months: wholeMonths(start, end) }
    const full = /^\d{4}-\d\d-\d\d$/
    if (
      (first !== '' && !full.test(first)) ||
      (last !== '' && !full.test(last)) ||
      (first === '' && last === '')
    )
      throw new Inexpressible(`its dates “${first.slice(0, 20)} to ${last.slice(0, 20)}” cannot be read.`)
    if (first !== '') nextDay(first)
    return {
      ...(first === '' ? {} : { start_date: startOfDay(first, timeZone) }),
      // The last day belongs to the dates; the end of a span does not belong to it.
      ...(last === '' ? {} : { end_date: startOfDay(nextDay(last), timeZone) }),
    }
  })
}

function nextDay(day: string): string {
  const ms = Date.parse(`${day}T00:00:00Z`)
  if (!Number.isFinite(ms)) throw new Inexpressible(`its date “${day}” does not exist.`)
  return new Date(ms + 86_400_000).toISOString().slice(0, 10)
}

const daysInMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function wholeMonths(start: RegExpExecArray, end: RegExpExecArray): number[] {
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

function daysOf(span: RawRecord): Criteria[] {
  const raw = span['daysOfWeek']
  const records =
    Array.isArray(raw) && raw.some((each) => typeof each === 'string') ? [{ days: raw }] : entries(raw)
  return records.map((record) => {
    const days = listOf(record['days']).map((each) => {
      const day = weekdayOf(each)
      if (!day) throw new Inexpressible(`“${asText(each).slice(0, 20)}” is not a day of the week.`)
      return day
    })
    const weeks = listOf(record['occurrencesInMonth']).map((each) => {
      const week = toNumber(asText(each).replace(/(st|nd|rd|th)$/i, ''))
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

const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : value === undefined || value === null ? [] : [value]

function daysOfMonthOf(span: RawRecord): Criteria[] {
  const raw = span['daysOfMonth']
  const list = isRecord(raw) ? listOf(raw['days']) : listOf(raw)
  const days = list.flatMap((each) => {
    const word = plainWord(asText(each))
    if (word === 'odd' || word === 'even')
      return oneToThirtyOne.filter((day) => day % 2 === (word === 'odd' ? 1 : 0))
    const day = toNumber(each)
    if (day === null || !Number.isInteger(day) || day < 1 || day > 31)
      throw new Inexpressible(`the day of the month “${word.slice(0, 20)}” cannot be expressed.`)
    return day
  })
  return days.length ? [{ days_of_month: [...new Set(days)].toSorted((one, other) => one - other) }] : []
}

const oneToThirtyOne = Array.from({ length: 31 }, (_, index) => index + 1)

function timesOf(span: RawRecord): Criteria[] {
  return [...entries(span['timesOfDay']), ...entries(span['timeOfDay'])].map(({ from, to }) => ({
    ...(from === undefined || from === null ? {} : { time_of_day_start: asText(from) }),
    ...(to === undefined || to === null ? {} : { time_of_day_end: asText(to) }),
  }))
}

function periodsOf(span: RawRecord): Criteria[] {
  const periods = entries(span['designatedPeriods'])
  const criteria = periods.map(({ name, apply }) => {
    const word = plainWord(asText(apply ?? 'only during'))
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
