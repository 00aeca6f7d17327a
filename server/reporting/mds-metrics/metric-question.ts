import { dayMs, hourMs } from '#contract/period.ts'
import { AgencyError } from '#server/feeds/agency/agency-error.ts'
import { isItem } from '#server/feeds/mds/fields.ts'
import type { MdsVersion } from '#server/feeds/mds/mds-context.ts'
import { listIntervalEdges, parseInterval, parseMoment } from './metric-intervals.ts'
import { type MetricMeasure, findMetricMeasure } from './metric-measures.ts'

export const metricDimensions = ['provider_id', 'geography_id', 'vehicle_type'] as const
export type MetricDimension = (typeof metricDimensions)[number]
export const metricFilters = ['provider_id', 'geography_id', 'geography_type', 'vehicle_type'] as const
export type MetricFilter = (typeof metricFilters)[number]

/** Maximum number of intervals in a response; about five years of days. */
export const maxIntervals = 2000
/** Maximum time between start and end of a question. */
const maxSpanMs = 5 * 366 * dayMs
const [maxMeasures, maxValues, maxLength] = [200, 1000, 200]

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
    value.some((text) => typeof text !== 'string' || text.length > maxLength)
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
  const needsHours = measures.find(
    ({ measure }) => measure.family === 'dockless' && measure.measure.startsWith('deployed.avg.m'),
  )
  if (needsHours && edges.some((edge, index) => index > 0 && edge - (edges[index - 1] ?? 0) <= hourMs))
    throw makeProblem(
      `${needsHours.name} compares hours: it needs an interval of more than one.`,
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
