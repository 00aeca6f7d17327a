import { z } from 'zod'

/** A local calendar day of the region, YYYY-MM-DD. */
export const LocalDay = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'A day is written YYYY-MM-DD')
  .refine((day) => !Number.isNaN(Date.parse(day)) && new Date(Date.parse(day)).toISOString().startsWith(day), 'There is no such day')
export type LocalDay = z.infer<typeof LocalDay>

/** Weekdays in ISO style, Monday 1 to Sunday 7. */
export const Weekday = z.number().int().min(1).max(7)

/** Day number (days since 1970-01-01) of a local day. */
export const dayNumber = (day: LocalDay): number => Date.parse(day) / 86_400_000

/** The local day of a day number. */
export const dayOfNumber = (number: number): LocalDay => new Date(number * 86_400_000).toISOString().slice(0, 10)

/** ISO weekday of a local day. */
export const weekdayOf = (day: LocalDay): number => ((((dayNumber(day) + 3) % 7) + 7) % 7) + 1

/** The first of the month `months` months before the month of `day`. */
export function startOfMonth(day: LocalDay, months = 0): LocalDay {
  const date = new Date(Date.parse(day))
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1)).toISOString().slice(0, 10)
}

/** Local day of an instant in a zone. */
export function localDay(at: Date, zone: string): LocalDay {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at)
}

/** Default range of evaluation maps: start of the month five months ago to today (2-map-and-data, section 9). */
export const defaultPeriod = (today: LocalDay): { start_date: LocalDay; end_date: LocalDay } => ({ start_date: startOfMonth(today, 5), end_date: today })
