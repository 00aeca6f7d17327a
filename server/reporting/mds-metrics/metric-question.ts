import { dayMs, hourMs, minuteMs } from '#contract/period.ts'
import { AgencyError } from '#server/feeds/agency/agency-error.ts'
import { isItem } from '#server/feeds/mds/fields.ts'
import type { MdsVersion } from '#server/feeds/mds/mds-context.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { type MetricMeasure, findMetricMeasure } from './metric-measures.ts'

/** An ISO 8601 duration. Lengths of months, days and minutes vary with calendar and clock changes. */
export interface MetricDuration {
  months: number
  days: number
  minutes: number
}

/** The largest time that a JavaScript Date can represent. */
const maxDateMs = 8.64e15
const maxIntervalMinutes = 366 * 24 * 60
const minutesPerDay = 24 * 60
/** Years, months, weeks, days, hours, minutes and seconds; one of them at least. */
const durationPattern =
  /^P(?!$)(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/

/** Parses a duration of whole minutes; null if the text is invalid. */
export function parseDuration(text: string): MetricDuration | null {
  const match = durationPattern.exec(text)
  if (!match) return null
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((digits) => Number(digits ?? 0))
  if (seconds % 60) return null
  return { months: years * 12 + months, days: weeks * 7 + days, minutes: hours * 60 + minutes + seconds / 60 }
}

/** Returns the approximate length of a duration in minutes, with months of 30 days. */
const estimateMinutes = ({ months, days, minutes }: MetricDuration): number =>
  (months * 30 + days) * minutesPerDay + minutes

/** Parses the `interval` of a question. @throws AgencyError. */
export function parseInterval(text: string): MetricDuration {
  const duration = parseDuration(text)
  if (!duration)
    throw new AgencyError(
      400,
      'bad_param',
      'interval must be an ISO 8601 duration of whole minutes, such as PT15M, PT1H, P1D or P1M.',
      ['interval'],
    )
  const minutes = estimateMinutes(duration)
  if (minutes < 1 || minutes > maxIntervalMinutes)
    throw new AgencyError(400, 'bad_param', 'interval must last from one minute to one year.', ['interval'])
  return duration
}

/**
 * Returns the time that is `times` durations after `startMs`. Months and days are added in the calendar of
 * the time zone, minutes to the instant. The day is limited to the last day of the month.
 */
function addDurations(
  startMs: number,
  { months, days, minutes }: MetricDuration,
  times: number,
  clock: ReturnType<typeof civilClock>,
): number {
  if (!months && !days) return startMs + times * minutes * minuteMs
  const { day, seconds } = clock.local(startMs)
  const date = new Date(day * dayMs)
  const firstOfMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + times * months, 1))
  const lastDate = new Date(
    Date.UTC(firstOfMonth.getUTCFullYear(), firstOfMonth.getUTCMonth() + 1, 0),
  ).getUTCDate()
  const newDay = firstOfMonth.getTime() / dayMs + Math.min(date.getUTCDate(), lastDate) - 1 + times * days
  return clock.instant(newDay, seconds).ms + times * minutes * minuteMs
}

/** Lists starts of intervals between two times (ms), and the last end. Null if over `maxIntervals`. */
export function listIntervalEdges(
  {
    start,
    end,
    duration,
    timezone,
  }: { start: number; end: number; duration: MetricDuration; timezone: string },
  maxIntervals: number,
): number[] | null {
  const clock = civilClock(timezone)
  const edges = [start]
  for (let times = 1; ; times++) {
    const next = addDurations(start, duration, times, clock)
    edges.push(next)
    if (next > end) return edges
    if (edges.length > maxIntervals) return null
  }
}

/** A date and time in a question. */
export interface MetricMoment {
  ms: number
  /** Whether it was written as ms since 1970. */
  isNumeric: boolean
}

/** Year, month, day, hour, minute, and an optional offset. */
const offsetPattern = /^([+-])(\d\d):?(\d\d)?$/
/** No time zone is more than 18 hours from UTC (as in java.time's ZoneOffset). */
const maxOffsetHours = 18
const momentPattern = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):?(\d\d)(Z|[+-]\d\d(?::?\d\d)?)?$/

/** Parses a date and time, which is in `timezone` if it has no offset. @throws AgencyError. */
export function parseMoment(value: unknown, name: string, timezone: string): MetricMoment {
  const makeInvalidError = (): AgencyError =>
    new AgencyError(
      400,
      'bad_param',
      `${name} must be YYYY-MM-DDTHH:mm, with or without an offset, or milliseconds since 1970 on a full minute.`,
      [name],
    )
  if (typeof value === 'number') {
    if (!Number.isInteger(value) || value % minuteMs || value < 0 || value > maxDateMs)
      throw makeInvalidError()
    return { ms: value, isNumeric: true }
  }
  const match = typeof value === 'string' ? momentPattern.exec(value) : null
  if (!match) throw makeInvalidError()
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match.slice(1, 6).map(Number)
  const utc = Date.UTC(year, month - 1, day)
  const isDate =
    new Date(utc).getUTCMonth() === month - 1 && new Date(utc).getUTCDate() === day && year >= 1970
  if (!isDate || hour > 23 || minute > 59) throw makeInvalidError()
  const seconds = hour * 3600 + minute * 60
  const offset = match[6]
  if (offset === undefined)
    return { ms: civilClock(timezone).instant(utc / dayMs, seconds).ms, isNumeric: false }
  // `Z` does not match: its offset is 0.
  const [, sign, hours = '0', minutes = '0'] = offsetPattern.exec(offset) ?? []
  if (Number(hours) > maxOffsetHours || Number(minutes) > 59) throw makeInvalidError()
  const offsetMinutes = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
  return { ms: utc + seconds * 1000 - offsetMinutes * minuteMs, isNumeric: false }
}

const padTwoDigits = (value: number): string => String(value).padStart(2, '0')

/** Returns a time as MDS Metrics writes it in a time zone: `2026-03-08T00:00-05`. */
export function formatMetricTime(ms: number, timezone: string): string {
  const { day, seconds } = civilClock(timezone).local(ms)
  const minutes = Math.floor(seconds / 60)
  const date = new Date(day * dayMs).toISOString().slice(0, 10)
  const time = `${padTwoDigits(Math.floor(minutes / 60))}:${padTwoDigits(minutes % 60)}`
  const offset = Math.round((day * dayMs + seconds * 1000 - ms) / minuteMs)
  const offsetHours = padTwoDigits(Math.floor(Math.abs(offset) / 60))
  const offsetMinutes = Math.abs(offset) % 60
  return `${date}T${time}${offset < 0 ? '-' : '+'}${offsetHours}${offsetMinutes ? `:${padTwoDigits(offsetMinutes)}` : ''}`
}

/** By what a question may split its values, and what it may filter by. */
export const metricDimensions = ['provider_id', 'geography_id', 'vehicle_type'] as const
export type MetricDimension = (typeof metricDimensions)[number]
export const metricFilters = ['provider_id', 'geography_id', 'geography_type', 'vehicle_type'] as const
export type MetricFilter = (typeof metricFilters)[number]

/** Maximum number of intervals in a response; about five years of days. */
export const maxIntervals = 2000
/** Maximum time between start and end of a question. */
const maxSpanMs = 5 * 366 * dayMs
const maxMeasures = 200
/** Maximum number of values of a filter. */
const maxValues = 1000
const maxTextLength = 200

export interface MetricsQuery {
  measures: readonly { name: string; measure: MetricMeasure }[]
  dimensions: readonly MetricDimension[]
  filters: Readonly<Partial<Record<MetricFilter, readonly string[]>>>
  /** Starts of the intervals, and the end of the last. */
  edges: readonly number[]
  timezone: string
  /** Whether times are written as ms since 1970. */
  isNumeric: boolean
  /** The parts of the question that the response repeats. */
  echo: Record<string, unknown>
}

const makeProblem = (text: string, ...fields: string[]): AgencyError =>
  new AgencyError(400, 'bad_param', text, fields)

/** Parses a list of texts and removes duplicates. */
function readTexts(value: unknown, name: string, max: number): string[] {
  if (
    !Array.isArray(value) ||
    value.length > max ||
    value.some((text) => typeof text !== 'string' || text.length > maxTextLength)
  )
    throw makeProblem(`${name} must be a list of at most ${max} texts.`, name)
  return [...new Set(value as string[])]
}

function readTimezone(value: unknown): string {
  if (value === undefined) return 'UTC'
  try {
    if (typeof value !== 'string' || /^[+-]/.test(value)) throw new RangeError()
    return new Intl.DateTimeFormat('en-US', { timeZone: value }).resolvedOptions().timeZone && value
  } catch {
    throw makeProblem(
      'timezone must be the name of a time zone of the TZ database, such as America/Los_Angeles.',
      'timezone',
    )
  }
}

function readMeasures(value: unknown, version: MdsVersion): MetricsQuery['measures'] {
  const names = readTexts(value, 'measures', maxMeasures)
  if (!names.length) throw makeProblem('measures must name one measure at least.', 'measures')
  return names.map((name) => {
    const measure = findMetricMeasure(name, version)
    if (!measure)
      throw makeProblem(
        `MDS ${version} has no measure ${name} here. GET /metrics lists those that are there.`,
        'measures',
        name,
      )
    return { name, measure }
  })
}

function readDimensions(value: unknown): MetricDimension[] {
  return readTexts(value ?? [], 'dimensions', metricDimensions.length).map((name) => {
    const dimension = metricDimensions.find((known) => known === name)
    if (!dimension)
      throw makeProblem(
        `There is no dimension ${name}; ${metricDimensions.join(', ')} are.`,
        'dimensions',
        name,
      )
    return dimension
  })
}

function readFilters(value: unknown): Partial<Record<MetricFilter, string[]>> {
  if (value === undefined) return {}
  if (!Array.isArray(value) || value.length > metricFilters.length)
    throw makeProblem('filters must be a list of filters, each once.', 'filters')
  const filters: Partial<Record<MetricFilter, string[]>> = {}
  for (const filter of value) {
    const name = isItem(filter) ? metricFilters.find((known) => known === filter['name']) : undefined
    if (!isItem(filter) || !name)
      throw makeProblem(`A filter has a name, one of ${metricFilters.join(', ')}, and values.`, 'filters')
    if (filters[name]) throw makeProblem(`The filter ${name} is given twice.`, 'filters', name)
    const values = readTexts(filter['values'], `filters.${name}`, maxValues)
    if (!values.length) throw makeProblem(`The filter ${name} has no values.`, 'filters', name)
    filters[name] = values
  }
  return filters
}

/** Parses the body of POST /metrics. @throws AgencyError if it is invalid. */
export function parseMetricsQuery(body: unknown, version: MdsVersion, now: number): MetricsQuery {
  if (!isItem(body)) throw makeProblem('The body must be an object.', 'body')
  const missing = ['measures', 'interval', 'start_date'].filter((name) => body[name] === undefined)
  if (missing.length)
    throw new AgencyError(
      400,
      'missing_param',
      `A required parameter is missing: ${missing.join(', ')}.`,
      missing,
    )
  const measures = readMeasures(body['measures'], version)
  const interval = body['interval']
  const duration = parseInterval(typeof interval === 'string' ? interval : '')
  const timezone = readTimezone(body['timezone'])
  const start = parseMoment(body['start_date'], 'start_date', timezone)
  const end = body['end_date'] === undefined ? start : parseMoment(body['end_date'], 'end_date', timezone)
  if (start.isNumeric !== end.isNumeric)
    throw makeProblem('start_date and end_date must be written in the same way.', 'start_date', 'end_date')
  if (start.isNumeric && body['timezone'] !== undefined)
    throw makeProblem('timezone is not allowed with numeric dates.', 'timezone')
  if (end.ms < start.ms) throw makeProblem('end_date must not be before start_date.', 'end_date')
  if (start.ms > now) throw makeProblem('start_date is in the future.', 'start_date')
  if (end.ms - start.ms > maxSpanMs)
    throw makeProblem('A question spans five years at most.', 'start_date', 'end_date')
  const dimensions = readDimensions(body['dimensions'])
  const filters = readFilters(body['filters'])
  const edges = listIntervalEdges({ start: start.ms, end: end.ms, duration, timezone }, maxIntervals)
  if (!edges)
    throw makeProblem(
      `A response contains at most ${maxIntervals} intervals. Choose a shorter time or longer intervals.`,
      'interval',
    )
  if ((edges.at(-1) ?? 0) > now) throw makeProblem('The last interval is not over yet.', 'end_date')
  // `deployed.avg.min` and `deployed.avg.max`.
  const measureOfHours = measures.find(
    ({ measure }) => measure.family === 'dockless' && measure.measure.startsWith('deployed.avg.m'),
  )
  if (measureOfHours && edges.some((edge, index) => index > 0 && edge - (edges[index - 1] ?? 0) <= hourMs))
    throw makeProblem(
      `${measureOfHours.name} compares hours: it needs an interval of more than one.`,
      'measures',
      'interval',
    )
  return {
    measures,
    dimensions,
    filters,
    edges,
    timezone,
    isNumeric: start.isNumeric,
    echo: {
      measures: measures.map(({ name }) => name),
      interval,
      start_date: body['start_date'],
      end_date: body['end_date'] ?? body['start_date'],
      ...(start.isNumeric ? {} : { timezone }),
      dimensions,
      filters: Object.entries(filters).map(([name, values]) => ({ name, values })),
    },
  }
}
