import type { CivilClock } from '#contract/civil-clock.ts'
import { type DateOrder, readDate, readDateTime } from './read-time.ts'

const earliest = Date.UTC(1990, 0, 1)
const latest = Date.UTC(2100, 0, 1)

/** Instant (ms) of a text: a time with or without zone, seconds or milliseconds since 1970, or a day, which begins at local midnight. Null if invalid. */
export function readMoment(text: string, order: DateOrder, clock: CivilClock): number | null {
  // 1786158086000.0 in spreadsheets, `+00` in PostgreSQL, `UTC` in Python.
  const plain = text
    .replace(/^(\d{10}|\d{13})\.0+$/, '$1')
    .replace(/(:\d{2}(?:\.\d+)?)\s?([+-]\d{2})$/, '$1$2:00')
    .replace(/\s?(?:UTC|GMT)$/, 'Z')
  const year = readDateTime(plain.replace(/^(\d{4})\/(\d{2})\/(\d{2})/, '$1-$2-$3'), order)
  if (year) return 'ms' in year ? year.ms : clock.instant(year.day, year.seconds).ms
  const day = readDate(plain, order)
  return day === null ? null : clock.instant(day, 0).ms
}

/** Whether a moment is plausible: 1990 to 2100. */
export const isLikely = (ms: number): boolean => ms >= earliest && ms < latest
