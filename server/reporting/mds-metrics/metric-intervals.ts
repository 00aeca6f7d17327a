import { civilClock } from '#contract/civil-clock.ts'
import { AgencyError } from '#server/feeds/agency/agency-error.ts'

/** A duration of ISO 8601 in months, days and minutes, which clocks and calendars do not convert into each other. */
export interface MetricDuration {
  months: number
  days: number
  minutes: number
}

const [minuteMs, dayMs] = [60_000, 86_400_000]
/** An interval lasts no longer; it also bounds the numbers. */
const maxMinutes = 366 * 24 * 60

/** Reads a duration of whole minutes; null: it is none. */
export function parseDuration(text: string): MetricDuration | null {
  const found =
    /^P(?!$)(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/.exec(
      text,
    )
  if (!found) return null
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1)
    .map((each) => Number(each ?? 0))
  if (seconds % 60) return null
  return { months: years * 12 + months, days: weeks * 7 + days, minutes: hours * 60 + minutes + seconds / 60 }
}

/** About how long a duration is, minutes. */
const lengthOf = ({ months, days, minutes }: MetricDuration): number =>
  months * 30 * 1440 + days * 1440 + minutes

/** Reads the `interval` of a question. */
export function metricInterval(text: string): MetricDuration {
  const duration = parseDuration(text)
  if (!duration)
    throw new AgencyError(
      400,
      'bad_param',
      'interval must be an ISO 8601 duration of whole minutes, such as PT15M, PT1H, P1D or P1M.',
      ['interval'],
    )
  const length = lengthOf(duration)
  if (length < 1 || length > maxMinutes)
    throw new AgencyError(400, 'bad_param', 'interval must last from one minute to one year.', ['interval'])
  return duration
}

/** `times` durations after a moment: months and days by the calendar of the zone, minutes by the clock. A day that a month lacks is its last. */
function after(
  startMs: number,
  { months, days, minutes }: MetricDuration,
  times: number,
  clock: ReturnType<typeof civilClock>,
): number {
  if (!months && !days) return startMs + times * minutes * minuteMs
  const { day, seconds } = clock.local(startMs)
  const date = new Date(day * dayMs)
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + times * months, 1))
  const lastOfMonth = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  const moved = first.getTime() / dayMs + Math.min(date.getUTCDate(), lastOfMonth) - 1 + times * days
  return clock.instant(moved, seconds).ms + times * minutes * minuteMs
}

/**
 * Starts of the intervals that begin between two moments (ms, both included), and the end of the last one. Null: there are more than
 * `max`.
 */
export function intervalEdges(
  {
    start,
    end,
    duration,
    timezone,
  }: { start: number; end: number; duration: MetricDuration; timezone: string },
  max: number,
): number[] | null {
  const clock = civilClock(timezone)
  const edges = [start]
  for (let times = 1; ; times++) {
    const next = after(start, duration, times, clock)
    edges.push(next)
    if (next > end) return edges
    if (edges.length > max) return null
  }
}

/** A date and time of a question. `isNumeric`: it was given in ms since 1970. */
export interface MetricMoment {
  ms: number
  isNumeric: boolean
}

const text = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):?(\d\d)(Z|[+-]\d\d(?::?\d\d)?)?$/

/** Reads a date and time, in `timezone` where it has no offset. */
export function metricMoment(value: unknown, name: string, timezone: string): MetricMoment {
  const bad = (): AgencyError =>
    new AgencyError(
      400,
      'bad_param',
      `${name} must be YYYY-MM-DDTHH:mm, with or without an offset, or milliseconds since 1970 on a full minute.`,
      [name],
    )
  if (typeof value === 'number') {
    if (!Number.isInteger(value) || value % minuteMs || value < 0 || value > 8.64e15) throw bad()
    return { ms: value, isNumeric: true }
  }
  const found = typeof value === 'string' ? text.exec(value) : null
  if (!found) throw bad()
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = found.slice(1, 6).map(Number)
  const utc = Date.UTC(year, month - 1, day)
  const isDate =
    new Date(utc).getUTCMonth() === month - 1 && new Date(utc).getUTCDate() === day && year >= 1970
  if (!isDate || hour > 23 || minute > 59) throw bad()
  const seconds = hour * 3600 + minute * 60
  const offset = found[6]
  if (offset === undefined)
    return { ms: civilClock(timezone).instant(utc / dayMs, seconds).ms, isNumeric: false }
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset) ?? []
  if (Number(hours) > 18 || Number(minutes) > 59) throw bad()
  const ahead = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
  return { ms: utc + seconds * 1000 - ahead * minuteMs, isNumeric: false }
}

const two = (value: number): string => String(value).padStart(2, '0')

/** A moment as MDS Metrics writes it in a time zone: `2026-03-08T00:00-05`. */
export function metricTimeText(ms: number, timezone: string): string {
  const { day, seconds } = civilClock(timezone).local(ms)
  const minutes = Math.floor(seconds / 60)
  const offset = Math.round((day * dayMs + seconds * 1000 - ms) / minuteMs)
  const [hours, rest] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
  return `${new Date(day * dayMs).toISOString().slice(0, 10)}T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}${offset < 0 ? '-' : '+'}${two(hours)}${rest ? `:${two(rest)}` : ''}`
}
