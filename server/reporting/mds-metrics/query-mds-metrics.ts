import { randomUUID } from 'node:crypto'
import { groupBy } from '#contract/group-by.ts'
import { dayMs } from '#contract/period.ts'
import { AgencyError } from '#server/feeds/agency/agency-error.ts'
import type { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import type { MdsVersion } from '#server/feeds/mds/mds-context.ts'
import { findSendingOperators } from '#server/operators/list-operators.ts'
import {
  MdsMetricsReader,
  type MetricKeys,
  type MetricSelection,
} from '#server/fleet/reports/read-mds-metrics.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { type Cell, computeCellValue } from './suppress-small-counts.ts'
import { findMetricGeographies } from './metric-geographies.ts'
import {
  formatMetricTime,
  maxIntervals,
  type MetricDimension,
  metricDimensions,
  metricFilters,
  type MetricsQuery,
  parseMetricsQuery,
} from './metric-question.ts'
import { isWholeNumber, type MetricMeasure, listMetricNames, metricWords } from './metric-measures.ts'

export interface MetricsSources {
  state: State
  facts: Facts
  membership: LayerMembership
}

/** Context of a call of the MDS Metrics API. */
export interface MetricsCall {
  scope: Scope
  regionId: string
  version: MdsVersion
  now: number
  signal: AbortSignal
}

/** Durations of intervals that GET /metrics lists; all others of whole minutes are supported too. */
const listedIntervals = [
  'PT1M',
  'PT5M',
  'PT15M',
  'PT30M',
  'PT1H',
  'PT4H',
  'PT6H',
  'PT12H',
  'P1D',
  'P7D',
  'P1M',
  'P1Y',
]
const maxRows = 50_000

/** Finds the first time to query (ms): the start of the UTC day of the first fact, or of today. */
const findFirstTime = async (reader: MdsMetricsReader, regionId: string, now: number): Promise<number> =>
  Math.floor(((await reader.findFirstFactTime(regionId)) ?? now) / dayMs) * dayMs

/** Returns the response to GET /metrics. */
export async function describeMetrics(
  { facts }: MetricsSources,
  { scope, regionId, version, now, signal }: MetricsCall,
): Promise<object> {
  const firstTime = await findFirstTime(new MdsMetricsReader(facts, scope, signal), regionId, now)
  return {
    metrics: [
      {
        measures: listMetricNames(version),
        since: formatMetricTime(firstTime, 'UTC'),
        intervals: listedIntervals,
      },
    ],
    max_intervals: maxIntervals,
    dimensions: metricDimensions,
    filters: metricFilters,
  }
}

/** Finds operators by provider id, or else slug. @throws AgencyError if a filtered one is unknown. */
async function findProviders(
  { state, facts }: MetricsSources,
  scope: Scope,
  regionId: string,
  filter: readonly string[] | undefined,
): Promise<{ slug: string; providerId: string }[]> {
  const [{ all: slugs }, rows] = await Promise.all([
    findSendingOperators(facts, scope, regionId),
    state.as(scope).selectFrom('operator').select(['slug', 'provider_id']).execute(),
  ])
  const getProviderId = (slug: string): string => rows.find((row) => row.slug === slug)?.provider_id ?? slug
  const visibleOperators = scope.operators
  const allSlugs = [...new Set([...slugs, ...(visibleOperators ?? rows.map(({ slug }) => slug))])]
  const providers = allSlugs
    .filter((slug) => !visibleOperators || visibleOperators.includes(slug))
    .map((slug) => ({ slug, providerId: getProviderId(slug) }))
    .toSorted((a, b) => a.providerId.localeCompare(b.providerId))
  if (!filter) return providers
  const names = filter.map((name) => name.toLowerCase())
  const isSelected = ({ slug, providerId }: { slug: string; providerId: string }): boolean =>
    names.includes(slug) || names.includes(providerId.toLowerCase())
  const missing = names.filter(
    (name) => !providers.some(({ slug, providerId }) => slug === name || providerId.toLowerCase() === name),
  )
  if (missing.length)
    throw visibleOperators
      ? new AgencyError(403, 'forbidden', 'This token reads the metrics of its own operator only.', missing)
      : new AgencyError(400, 'bad_param', `The region has no provider ${missing.slice(0, 5).join(', ')}.`, [
          'filters',
          ...missing,
        ])
  return providers.filter(isSelected)
}

/** Rows by cell, which is a group in an interval. */
class RowsByCell<Row extends MetricKeys> {
  readonly #rows: ReadonlyMap<string, Row[]>
  constructor(rows: readonly Row[]) {
    this.#rows = groupBy(rows, (row) =>
      toCellKey(Number(row.bucket), row.operator_key, row.type_key, row.geography),
    )
  }
  get(key: string): readonly Row[] {
    return this.#rows.get(key) ?? []
  }
}

const toCellKey = (bucket: number, operator: string, type: string, geography: number): string =>
  `${bucket}\t${operator}\t${type}\t${geography}`

/**
 * Returns the started trips by cell, of operators with any vehicles in the period. Trips of other operators
 * are left out of ratios, because their vehicles are missing in the denominator.
 */
async function countTripsOfFleets(
  reader: MdsMetricsReader,
  selection: MetricSelection,
): Promise<Map<string, number>> {
  const fleetSelection = {
    ...selection,
    types: null,
    areas: null,
    by: { operator: true, type: false, geography: false },
  }
  const [deployed, started] = await Promise.all([
    reader.readDeployed(fleetSelection),
    reader.readTrips({ ...selection, by: { ...selection.by, operator: true } }, 'start'),
  ])
  const fleets = new Set(deployed.filter((row) => Number(row.deployed_ms) > 0).map((row) => row.operator_key))
  const tripsByCell = new Map<string, number>()
  for (const row of started) {
    if (!fleets.has(row.operator_key)) continue
    const operator = selection.by.operator ? row.operator_key : ''
    const key = toCellKey(Number(row.bucket), operator, row.type_key, row.geography)
    tripsByCell.set(key, (tripsByCell.get(key) ?? 0) + Number(row.started))
  }
  return tripsByCell
}

/** Finds which facts the measures of a question need. */
function findNeededRows(measures: MetricsQuery['measures']) {
  const needs = (test: (measure: MetricMeasure) => boolean): boolean =>
    measures.some(({ measure }) => test(measure))
  const needsDockless = (pattern: RegExp): boolean =>
    needs((measure) => measure.family === 'dockless' && pattern.test(measure.measure))
  const series = measures.flatMap(({ measure }) => {
    if (measure.family === 'vehicles' && measure.statistic.startsWith('m')) return [measure.state]
    return measure.family === 'dockless' && measure.measure.startsWith('deployed.m') ? ['deployed'] : []
  })
  const events = measures.flatMap(({ measure }) => (measure.family === 'events' ? [measure.event] : []))
  const needsTrips = (end: 'start' | 'end'): boolean =>
    needs((measure) => measure.family === 'trips' && measure.end === end)
  return {
    states: needs((measure) => measure.family === 'vehicles') || needsDockless(/idle/),
    deployed: needsDockless(/./),
    /** Series with minima or maxima. */
    series: [...new Set(series)],
    hours: needsDockless(/avg\.m/),
    started: needsTrips('start'),
    ended: needsTrips('end'),
    events: [...new Set(events)],
    fleetTrips: needsDockless(/trips/),
  }
}

/** Reads the facts that the measures of a question need, by cell. */
async function readFacts(
  reader: MdsMetricsReader,
  selection: MetricSelection,
  measures: MetricsQuery['measures'],
) {
  const needed = findNeededRows(measures)
  const [states, deployed, extremes, hours, started, ended, received, fleetTrips] = await Promise.all([
    needed.states ? reader.readStates(selection) : [],
    needed.deployed ? reader.readDeployed(selection) : [],
    needed.series.length ? reader.readExtremes(selection, needed.series) : [],
    needed.hours ? reader.readHourlyAverages(selection) : [],
    needed.started ? reader.readTrips(selection, 'start') : [],
    needed.ended ? reader.readTrips(selection, 'end') : [],
    needed.events.length ? reader.readEvents(selection, needed.events) : [],
    needed.fleetTrips ? countTripsOfFleets(reader, selection) : new Map<string, number>(),
  ])
  const rowsByCell = {
    states: new RowsByCell(states),
    deployed: new RowsByCell(deployed),
    extremes: new RowsByCell(extremes),
    hours: new RowsByCell(hours),
    started: new RowsByCell(started),
    ended: new RowsByCell(ended),
    received: new RowsByCell(received),
  }
  const types = new Set(
    [states, deployed, started, ended, received].flatMap((rows) => rows.map((row) => row.type_key)),
  )
  return {
    types,
    getCell: (key: string, minutes: number): Cell => ({
      minutes,
      states: new Map(rowsByCell.states.get(key).map((row) => [row.state_word, row])),
      deployed: rowsByCell.deployed.get(key)[0],
      extremes: new Map(rowsByCell.extremes.get(key).map((row) => [row.series, row])),
      hours: rowsByCell.hours.get(key)[0],
      trips: { start: rowsByCell.started.get(key)[0], end: rowsByCell.ended.get(key)[0] },
      fleetTrips: fleetTrips.get(key) ?? 0,
      events: new Map(rowsByCell.received.get(key).map((row) => [row.event_type, Number(row.received)])),
    }),
  }
}

/** Rounds to four decimals, which is more than the standard's examples have. */
const roundToFourDecimals = (value: number): number => Math.round(value * 10_000) / 10_000

/** Checks the vehicle types of a filter. @throws AgencyError if the version does not have one. */
function rejectUnknownTypes(
  requestedTypes: readonly string[] | undefined,
  knownTypes: readonly string[],
  version: MdsVersion,
): void {
  const unknownTypes = requestedTypes?.filter((type) => !knownTypes.includes(type)) ?? []
  if (unknownTypes.length)
    throw new AgencyError(
      400,
      'bad_param',
      `MDS ${version} has no vehicle_type ${unknownTypes.join(', ')} here; ${knownTypes.join(', ')} are.`,
      ['filters', ...unknownTypes],
    )
}

/** A combination of a provider, a vehicle type and a geography, with a row in every interval. */
interface MetricGroup {
  keys: Record<MetricDimension, string>
  /** Returns the cell key of the group in an interval. */
  toKey: (bucket: number) => string
}

/** Returns all combinations of the providers, vehicle types and geographies by which a question splits. */
const combineGroups = (
  by: MetricSelection['by'],
  {
    providers,
    types,
    geographyIds,
  }: {
    providers: readonly { slug: string; providerId: string }[]
    types: readonly string[]
    geographyIds: readonly string[]
  },
): MetricGroup[] =>
  (by.operator ? providers : [{ slug: '', providerId: '' }]).flatMap(({ slug, providerId }) =>
    (by.type ? types : ['']).flatMap((type) =>
      (by.geography ? geographyIds : ['']).map((geographyId, index) => ({
        keys: { provider_id: providerId, vehicle_type: type, geography_id: geographyId },
        toKey: (bucket: number) => toCellKey(bucket, slug, type, by.geography ? index + 1 : 0),
      })),
    ),
  )

/** Returns the columns of a response: the start of the interval, dimensions and measures. */
const describeColumns = ({ dimensions, measures }: MetricsQuery): object[] => [
  { name: 'interval_start', column_type: 'dimension', data_type: 'datetime' },
  ...dimensions.map((name) => ({ name, column_type: 'dimension', data_type: 'string' })),
  ...measures.map(({ name, measure }) => ({
    name,
    column_type: 'measure',
    data_type: isWholeNumber(measure) ? 'integer' : 'float',
  })),
]

/** Returns the response to POST /metrics. Every group has a row for every interval, even without facts. */
export async function queryMdsMetrics(
  sources: MetricsSources,
  { scope, regionId, version, now, signal }: MetricsCall,
  body: unknown,
): Promise<object> {
  const query = parseMetricsQuery(body, version, now)
  const { edges, dimensions, filters, measures, isNumeric, timezone } = query
  const { lostAfterHours, privacyMinimum } = await findRegion(sources.state, scope, regionId)
  const reader = new MdsMetricsReader(sources.facts, scope, signal)
  const words = metricWords[version]
  const typeNames = [...new Set(Object.values(words.types))]
  rejectUnknownTypes(filters.vehicle_type, typeNames, version)
  const [firstTime, providers, geographies] = await Promise.all([
    findFirstTime(reader, regionId, now),
    findProviders(sources, scope, regionId, filters.provider_id),
    findMetricGeographies(sources, scope, regionId, query),
  ])
  if ((edges[0] ?? 0) < firstTime)
    throw new AgencyError(
      400,
      'bad_param',
      `start_date is before ${formatMetricTime(firstTime, timezone)}: there are no data from then.`,
      ['start_date'],
    )
  const by = {
    operator: dimensions.includes('provider_id'),
    type: dimensions.includes('vehicle_type'),
    geography: dimensions.includes('geography_id'),
  }
  const operators = filters.provider_id ? providers.map(({ slug }) => slug) : null
  const registeredTypes = by.type ? await reader.findRegisteredTypes({ regionId, operators }) : []
  const knownTypes = new Set(registeredTypes.map((type) => words.types[type] ?? 'other'))
  const groupCount =
    (by.operator ? providers.length : 1) *
    (by.type ? Math.max(1, knownTypes.size) : 1) *
    (by.geography ? (geographies?.ids.length ?? 1) : 1)
  rejectTooManyRows(groupCount * (edges.length - 1))
  const selection = {
    regionId,
    lostAfterHours,
    edges,
    operators,
    typeWords: words.types,
    stateWords: words.states,
    types: filters.vehicle_type ?? null,
    areas: geographies?.areas ?? null,
    by,
  }
  const facts = await readFacts(reader, selection, measures)
  const types = typeNames.filter(
    (type) =>
      (knownTypes.has(type) || facts.types.has(type)) && (filters.vehicle_type?.includes(type) ?? true),
  )
  const groups = combineGroups(by, { providers, types, geographyIds: geographies?.ids ?? [] })
  rejectTooManyRows(groups.length * (edges.length - 1))
  const rows = groups.flatMap(({ keys, toKey }) =>
    edges.slice(0, -1).map((start, bucket) => {
      const cell = facts.getCell(toKey(bucket), ((edges[bucket + 1] ?? start) - start) / 60_000)
      return [
        isNumeric ? start : formatMetricTime(start, timezone),
        ...dimensions.map((name) => keys[name]),
        ...measures.map(({ measure }) =>
          roundToFourDecimals(computeCellValue(measure, cell, words, privacyMinimum)),
        ),
      ]
    }),
  )
  return {
    id: randomUUID(),
    query: { ...query.echo, k_value: privacyMinimum },
    columns: describeColumns(query),
    rows,
  }
}

function rejectTooManyRows(rows: number): void {
  if (rows > maxRows)
    throw new AgencyError(
      400,
      'bad_param',
      `A response contains at most ${maxRows} rows; this one would have ${rows}. Choose fewer intervals, dimensions or geographies.`,
      ['dimensions', 'interval'],
    )
}
