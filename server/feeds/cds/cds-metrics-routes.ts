import { findCurbAreas } from '#server/curb/sessions/query-curb-metrics.ts'
import { normalizeId } from '#server/curb/sessions/read-cds-event.ts'
import {
  listCdsSessions,
  maxMetricRows,
  type MetricPlaces,
  type MetricType,
  metricTypes,
  computeMetricValue,
  readHourSums,
  readPlaceSums,
  sessionFields,
} from '#server/curb/sessions/read-cds-metrics.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { csvLine } from '#contract/csv.ts'
import { dayMs } from '#contract/period.ts'
import { AgencyError } from '../agency/agency-error.ts'
import { readNumber } from './cds-query.ts'
import type { CdsResponse, CdsCall, CdsRoute } from './serve-cds.ts'

interface MetricsServices {
  state: State
  facts: Facts
}

/** The length of the period if the request does not say when it starts. */
const defaultDays = 30
const placeTypes = ['area', 'zone', 'space', 'object'] as const
const centimetersPerDegree = 11_132_000

const createParamError = (name: string, text: string): AgencyError =>
  new AgencyError(400, 'bad_param', `${name} ${text}.`, [name])

/** West, south, east, north. */
type Box = readonly [number, number, number, number]

/** Reads the requested box, or the one around the requested circle; null if the request has neither. */
function readBox({ query }: CdsCall): Box | null {
  const [west, south, east, north] = ['min_lng', 'min_lat', 'max_lng', 'max_lat'].map((name) =>
    readNumber(query, name),
  )
  const [lat, lng, radius] = ['lat', 'lng', 'radius'].map((name) => readNumber(query, name))
  const isBox = [west, south, east, north].some((value) => value !== undefined)
  const isCircle = [lat, lng, radius].some((value) => value !== undefined)
  if (!isBox && !isCircle) return null
  if (isBox && isCircle) throw createParamError('radius', 'cannot be combined with a box')
  if (isBox) {
    if (west === undefined || south === undefined || east === undefined || north === undefined)
      throw createParamError('min_lat', 'needs min_lng, max_lat and max_lng too')
    return [west, south, east, north]
  }
  if (lat === undefined || lng === undefined || radius === undefined)
    throw createParamError('radius', 'needs lat and lng too')
  const latRadius = radius / centimetersPerDegree
  const lngRadius = latRadius / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  return [lng - lngRadius, lat - latRadius, lng + lngRadius, lat + latRadius]
}

/** Finds the ids of zones with bounds that intersect a box. */
async function findZonesInBox(
  state: State,
  { access }: CdsCall,
  [west, south, east, north]: Box,
): Promise<string[]> {
  const rows = await state
    .as(access.scope)
    .selectFrom('curb_zone')
    .select('curb_zone_id')
    .where('region_id', '=', access.regionId)
    .where('west', '<=', east)
    .where('east', '>=', west)
    .where('south', '<=', north)
    .where('north', '>=', south)
    .execute()
  return rows.map((row) => row.curb_zone_id)
}

/**
 * Reads the places and the period of a request. `areas`: the zones of each curb area.
 * @throws AgencyError 400.
 */
async function readPlaces(
  state: State,
  call: CdsCall,
  areas: ReadonlyMap<string, readonly string[]>,
): Promise<MetricPlaces> {
  const typeText = call.query['curb_place_type']
  const idText = call.query['curb_place_id']
  if ((typeText === undefined) !== (idText === undefined))
    throw createParamError('curb_place_id', 'and curb_place_type must be given together')
  const type = placeTypes.find((placeType) => placeType === (typeText ?? 'zone').toLowerCase())
  if (!type) throw createParamError('curb_place_type', `must be one of ${placeTypes.join(', ')}`)
  const id = normalizeId(idText ?? '')
  const until = readNumber(call.query, 'end_time') ?? call.received
  const from = readNumber(call.query, 'start_time') ?? until - defaultDays * dayMs
  if (from >= until) throw createParamError('end_time', 'must be after start_time')
  const box = readBox(call)
  // Null: zones are not limited.
  const zonesInBox = box && (await findZonesInBox(state, call, box))
  const zonesInArea = type === 'area' && id ? (areas.get(id) ?? []) : null
  const zones =
    zonesInBox && zonesInArea
      ? zonesInBox.filter((zone) => zonesInArea.includes(zone))
      : (zonesInBox ?? zonesInArea)
  return { type, id, zones, from, until }
}

/** Returns rows as CSV with a header. @throws AgencyError 400 if there are too many. */
function toCsvResponse<Row extends object>(
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
): CdsResponse {
  if (rows.length > maxMetricRows)
    throw new AgencyError(
      400,
      'bad_param',
      `A response contains at most ${maxMetricRows} rows. Choose a shorter time.`,
      ['start_time', 'end_time'],
    )
  const cells = rows.map((row) => columns.map((column) => (row[column] ?? '') as string | number))
  return { status: 200, body: `${[columns, ...cells].map(csvLine).join('\r\n')}\r\n` }
}

/** Returns the routes of the Metrics API of CDS, which serves CSV. */
export function cdsMetricsRoutes(services: MetricsServices): CdsRoute[] {
  const getRoute = (
    path: string,
    handle: (services: MetricsServices, call: CdsCall) => Promise<CdsResponse>,
  ): CdsRoute => ({
    method: 'GET',
    path: `/metrics/${path}`,
    access: 'metrics',
    format: 'csv',
    cost: 'heavy',
    handle: (call) => handle(services, call),
  })
  return [getRoute('sessions', listSessions), getRoute('aggregates', listAggregates)]
}

/** Reads a metrics request: its places, the zones of all areas, and the scope and time zone of the region. */
async function readRequest({ state }: MetricsServices, call: CdsCall) {
  const { scope, regionId } = call.access
  const [region, areas] = await Promise.all([
    findRegion(state, scope, regionId),
    findCurbAreas(state, scope, regionId),
  ])
  return {
    areas,
    places: await readPlaces(state, call, areas),
    reader: { scope, regionId, timezone: region.timezone, signal: call.signal },
  }
}

async function listSessions(services: MetricsServices, call: CdsCall): Promise<CdsResponse> {
  const { reader, places } = await readRequest(services, call)
  const columns = sessionFields.filter((field) => call.version === '1.1' || field !== 'curb_object_id')
  return toCsvResponse(await listCdsSessions(services.facts, reader, places), columns)
}

const aggregateColumns = ['curb_place_type', 'curb_place_id', 'metric_type', 'date', 'hour', 'value'] as const

async function listAggregates(services: MetricsServices, call: CdsCall): Promise<CdsResponse> {
  const { reader, places, areas } = await readRequest(services, call)
  const types = readMetricTypes(call)
  const { type } = places
  const hours =
    type === 'space' || type === 'object'
      ? await readPlaceSums(services, reader, { ...places, type }, call.received)
      : await readHourSums(services.facts, reader, places, areas)
  const requestedHours =
    type === 'area' && places.id ? hours.filter(({ place }) => place === places.id) : hours
  const rows = requestedHours.flatMap((sums) =>
    types.flatMap((metric) => {
      const value = computeMetricValue(metric, sums)
      return value === null
        ? []
        : {
            curb_place_type: type,
            curb_place_id: sums.place,
            metric_type: metric,
            date: sums.local_day,
            hour: sums.local_hour,
            value,
          }
    }),
  )
  return toCsvResponse(rows, aggregateColumns)
}

/** Reads the requested metric, or all that the version has. @throws AgencyError 400. */
function readMetricTypes({ query, version }: CdsCall): readonly MetricType[] {
  const requested = query['metric_type']
  const supportedTypes = metricTypes.filter((type) => version === '1.1' || type !== 'total_events')
  const types = supportedTypes.filter(
    (supportedType) => requested === undefined || supportedType === requested,
  )
  if (!types.length) throw createParamError('metric_type', `must be one of ${supportedTypes.join(', ')}`)
  return types
}
