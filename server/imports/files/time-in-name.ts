import { isLikely } from '#server/table-files/read-moment.ts'
import type { CivilClock } from '#contract/civil-clock.ts'

const packed =
  /(?<!\d)(20\d{2})-?(\d{2})-?(\d{2})[T_ -]?(\d{2})[-:.]?(\d{2})(?:[-:.]?(\d{2}))?(?:\.\d+)?(Z|UTC)?(?!\d)/i

/** The time in a file's name (ms): `…_20260226T183158Z.csv` in UTC, without a Z in local time, or seconds since 1970. Null if there is none. */
export function timeInName(name: string, clock: CivilClock): number | null {
  const match = packed.exec(name)
  if (match) {
    const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    const midnight = Date.UTC(year, month - 1, day)
    const date = new Date(midnight)
    const isDate =
      date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60
    if (isDate)
      return match[7]
        ? midnight + (hour * 3600 + minute * 60 + second) * 1000
        : clock.instant(midnight / 86_400_000, hour * 3600 + minute * 60 + second).ms
  }
  const seconds = /(?<!\d)(\d{10})(?:\d{3})?(?!\d)/.exec(name)
  const ms = seconds ? Number(seconds[1]) * 1000 : Number.NaN
  return isLikely(ms) && ms > Date.UTC(2001, 8, 10) ? ms : null
}
