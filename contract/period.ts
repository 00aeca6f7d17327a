import { z } from 'zod'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
/** A day of 24 hours. Local days may be shorter or longer. */
export const dayMs = 24 * hourMs

/** A local calendar day of the region, YYYY-MM-DD. */
export const LocalDay = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'A day is written YYYY-MM-DD')
  .refine(
    (day) => !Number.isNaN(Date.parse(day)) && new Date(Date.parse(day)).toISOString().startsWith(day),
    'There is no such day',
  )
export type LocalDay = z.infer<typeof LocalDay>

/** ISO weekday, Monday 1 to Sunday 7. */
export const Weekday = z.number().int().min(1).max(7)

/** Weekdays of a query: `1,5`, Monday 1 to Sunday 7. Empty or absent means every day. */
export const WeekdayList = z
  .string()
  .regex(/^\s*([1-7]\s*(,\s*[1-7]\s*)*)?$/, 'Weekdays are written 1,2,…7, Monday first')
  .default('')
  .transform((text) => [...new Set(text.split(',').flatMap((day) => (day.trim() ? [Number(day)] : [])))])

const Hour = z
  .number()
  .int('An hour is a whole number')
  .min(0, 'Hours are 0 to 23')
  .max(23, 'Hours are 0 to 23')

/**
 * First and last hour of the local day, both included: `[0, 23]` is the entire day and `[7, 7]` is one hour.
 * A first hour after the last one runs overnight: `[22, 5]` is 22:00 to 05:59. Day and weekday filters apply
 * to the local day of each hour, so hours after midnight count by their own date.
 */
export const HourRange = z.tuple([Hour, Hour])
export type HourRange = z.infer<typeof HourRange>

export const fullDay: HourRange = [0, 23]

/** Returns the schema of an hour as a query parameter. Coercion would read an empty value as hour 0. */
const hourParameter = (defaultHour: number) =>
  z
    .preprocess(
      (value) => (typeof value === 'string' && !value.trim() ? Number.NaN : value),
      z.coerce.number().pipe(Hour),
    )
    .default(defaultHour)
    .meta({ type: 'integer', minimum: 0, maximum: 23, default: defaultHour })

/** An hour range as two query parameters. */
export const hourQuery = { start_time_hour: hourParameter(0), end_time_hour: hourParameter(23) }

/** Lists the hours of a range in order, starting with the first. */
export function hoursOfRange([first, last]: Readonly<HourRange>): number[] {
  return Array.from({ length: ((last - first + 24) % 24) + 1 }, (_, index) => (first + index) % 24)
}

/** Returns whether a range covers all 24 hours, regardless of its first hour. */
export const isFullDay = (hours: Readonly<HourRange>): boolean => hoursOfRange(hours).length === 24

/** Returns the day number (days since 1970-01-01) of a local day. */
export const dayNumber = (day: LocalDay): number => Date.parse(day) / dayMs

/** Returns the local day of a day number (days since 1970-01-01). */
export const dayFromNumber = (number: number): LocalDay => new Date(number * dayMs).toISOString().slice(0, 10)

/** Returns the day a number of days later, or earlier if it is negative. */
export const addDays = (day: LocalDay, days: number): LocalDay => dayFromNumber(dayNumber(day) + days)

/** Returns the days from the first to the last, inclusive; none if the last one is earlier. */
export const daysBetween = (first: LocalDay, last: LocalDay): LocalDay[] =>
  Array.from({ length: Math.max(0, dayNumber(last) - dayNumber(first) + 1) }, (_, index) =>
    addDays(first, index),
  )

/** Returns the ISO weekday of a local day. 1970-01-01 was a Thursday; earlier days are supported. */
export const getWeekday = (day: LocalDay): number => ((((dayNumber(day) + 3) % 7) + 7) % 7) + 1

/** Returns the first day of the month that is `months` months before the month of `day`. */
export function startOfMonth(day: LocalDay, months = 0): LocalDay {
  const date = new Date(Date.parse(day))
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1)).toISOString().slice(0, 10)
}

/** Returns the first day of the month after that of `day`. */
export const startOfNextMonth = (day: LocalDay): LocalDay => startOfMonth(day, -1)

/** Returns the last day of the month of `day`. */
export const endOfMonth = (day: LocalDay): LocalDay => addDays(startOfNextMonth(day), -1)

/** Returns the first and the last day of a month (`2026-02`). */
export const getMonthPeriod = (month: string): { start_date: LocalDay; end_date: LocalDay } => ({
  start_date: `${month}-01`,
  end_date: endOfMonth(`${month}-01`),
})

/** Splits a period into months, oldest first. The first and last one may be incomplete. */
export function splitByMonth({
  start_date: start,
  end_date: end,
}: {
  start_date: LocalDay
  end_date: LocalDay
}): { month: LocalDay; start_date: LocalDay; end_date: LocalDay }[] {
  const months = []
  for (let month = startOfMonth(start); month <= end; month = startOfNextMonth(month)) {
    const last = endOfMonth(month)
    months.push({ month, start_date: month > start ? month : start, end_date: last < end ? last : end })
  }
  return months
}

/** Formatters of days by time zone, because creating one takes far longer than formatting. */
const dayFormats = new Map<string, Intl.DateTimeFormat>()

/** Returns the local day of an instant in a time zone. */
export function localDay(at: Date, zone: string): LocalDay {
  let format = dayFormats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
    dayFormats.set(zone, format)
  }
  return format.format(at)
}

/** Returns the default range of evaluation maps: start of the month five months ago to today. */
export const defaultPeriod = (today: LocalDay): { start_date: LocalDay; end_date: LocalDay } => ({
  start_date: startOfMonth(today, 5),
  end_date: today,
})
