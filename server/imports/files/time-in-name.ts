import { isPlausibleTime } from '#server/table-files/read-moment.ts'
import type { CivilClock } from '#contract/civil-clock.ts'
import { dayMs } from '#contract/period.ts'

const timePattern =
  /(?<!\d)(20\d{2})-?(\d{2})-?(\d{2})[T_ -]?(\d{2})[-:.]?(\d{2})(?:[-:.]?(\d{2}))?(?:\.\d+)?(Z|UTC)?(?!\d)/i

/** Seconds since 1970 have ten digits from 2001-09-09 on. */
const firstTenDigitTime = Date.UTC(2001, 8, 10)

/**
 * Reads the time in the name of a file, ms since 1970; null if there is none. Formats are
 * `…_20260226T183158Z.csv` in UTC, without Z in local time, and seconds since 1970.
 */
export function readTimeInName(name: string, clock: CivilClock): number | null {
  const match = timePattern.exec(name)
  if (match) {
    const [year, month, day, hour, minute, second] = match
      .slice(1, 7)
      .map((digits) => Number(digits ?? 0)) as [number, number, number, number, number, number]
    const midnight = Date.UTC(year, month - 1, day)
    const date = new Date(midnight)
    const isValid =
      date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60
    const secondOfDay = hour * 3600 + minute * 60 + second
    const isUtc = match[7] !== undefined
    if (isValid)
      return isUtc ? midnight + secondOfDay * 1000 : clock.instant(midnight / dayMs, secondOfDay).ms
  }
  const epochMatch = /(?<!\d)(\d{10})(?:\d{3})?(?!\d)/.exec(name)
  const ms = epochMatch ? Number(epochMatch[1]) * 1000 : Number.NaN
  return isPlausibleTime(ms) && ms > firstTenDigitTime ? ms : null
}
