import type { CivilClock } from '#contract/civil-clock.ts'
import { type DateOrder, readDate, readDateTime } from './read-time.ts'

const earliestMs = Date.UTC(1990, 0, 1)
const latestMs = Date.UTC(2100, 0, 1)

/** Parses a time, seconds or ms since 1970, or a day (local midnight) to ms; null if it is invalid. */
export function readMoment(text: string, order: DateOrder, clock: CivilClock): number | null {
  // Formats such as 1786158086000.0 of spreadsheets, `+00` of PostgreSQL and `UTC` of Python.
  const normalized = text
    .replace(/^(\d{10}|\d{13})\.0+$/, '$1')
    .replace(/(:\d{2}(?:\.\d+)?)\s?([+-]\d{2})$/, '$1$2:00')
    .replace(/\s?(?:UTC|GMT)$/, 'Z')
  const dateTime = readDateTime(normalized.replace(/^(\d{4})\/(\d{2})\/(\d{2})/, '$1-$2-$3'), order)
  if (dateTime) return 'ms' in dateTime ? dateTime.ms : clock.instant(dateTime.day, dateTime.seconds).ms
  const day = readDate(normalized, order)
  return day === null ? null : clock.instant(day, 0).ms
}

/** Returns whether a time (ms) is plausible: from 1990 to 2100. */
export const isPlausibleTime = (ms: number): boolean => ms >= earliestMs && ms < latestMs
