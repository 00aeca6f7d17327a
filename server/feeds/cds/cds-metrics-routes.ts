import { findCurbAreas } from '#server/curb/sessions/query-curb-metrics.ts'
import { normalizeId } from '#server/curb/sessions/read-cds-event.ts'
import {
  listCdsSessions,
  maxMetricRows,
  type MetricPlaces,
  type MetricType,
  metricTypes,
  metricValue,
  readHourSums,
  readPlaceSums,
  sessionFields,
} from '#server/curb/sessions/read-cds-metrics.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { csvLine } from '#contract/csv.ts'
import { AgencyError } from '../agency/agency-error.ts'
import type { CdsResponse, CdsCall, CdsRoute } from './serve-cds.ts'

interface MetricsServices {
  state: State
  facts: Facts
}

const dayMs = 86_400_000
/** The period if the request has no times. */
const defaultDays = 30
const placeTypes = ['area', 'zone', 'space', 'object'] as const
const centimetersPerDegree = 11_132_000

const badParam = (name: string, text: string): AgencyError =>
  new AgencyError(400, 'bad_param', `${name} ${text}.`, [name])

function readNumber({ query }: CdsCall, name: string): number | null {
  const text = query[name]
  if (text === undefined || text === '') return null
  const value = Number(text)
  if (!Number.isFinite(value)) throw badParam(name, 'must be a number')
  return value
}

/** The ids of zones in the requested box or circle; null if the request has neither. */
async function findZonesNear(state: State, call: CdsCall): Promise<string[] | null> {
  const [west, south, east, north] = ['min_lng', 'min_lat', 'max_lng', 'max_lat'].map((name) =>
    readNumber(call, name),
  ) as [number | null, number | null, number | null, number | null]
  const [lat, lng, radius] = ['lat', 'lng', 'radius'].map((name) => readNumber(call, name)) as [
    number | null,
    number | null,
    number | null,
  ]
  const isBox = [west, south, east, north].some((each) => each !== null)
  const isCircle = [lat, lng, radius].some((each) => each !== null)
  if (!isBox && !isCircle) return null
  if (isBox && isCircle) throw badParam('radius', 'cannot be combined with a box')
  let box: readonly [number, number, number, number]
  if (isBox) {
    if (west === null || south === null || east === null || north === null)
      throw badParam('min_lat', 'needs min_lng, max_lat and max_lng too')
    box = [west, south, east, north]
  } else {
    if (lat === null || lng === null || radius === null) throw badParam('radius', 'needs lat and lng too')
    const latRadius = radius / centimetersPerDegree
    const lngRadius = latRadius / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
    box = [lng - lngRadius, lat - latRadius, lng + lngRadius, lat + latRadius]
  }
  const rows = await state
    .as(call.access.scope)
    .selectFrom('curb_zone')
    .select('curb_zone_id')
    .where('region_id', '=', call.access.regionId)
    .where('west', '<=', box[2])
    .where('east', '>=', box[0])
    .where('south', '<=', box[3])
    .where('north', '>=', box[1])
    .execute()
  return rows.map((row) => row.curb_zone_id)
}

/** Reads the places and the period of a request. Throws 400. */
async function readPlaces(
  state: State,
  call: CdsCall,
  areas: ReadonlyMap<string, readonly string[]>,
): Promise<MetricPlaces> {
  const [typeText, idText] = [call.query['curb_place_type'], call.query['curb_place_id']]
  if ((typeText === undefined) !== (idText === undefined))
    throw badParam('curb_place_id', 'and curb_place_type must be given together')
  const type = placeTypes.find((each) => each === (typeText ?? 'zone').toLowerCase())
  if (!type) throw badParam('curb_place_type', `must be one of ${placeTypes.join(', ')}`)
  const id = normalizeId(idText ?? '')
  const until = readNumber(call, 'end_time') ?? call.received
  const from = readNumber(call, 'start_time') ?? until - defaultDays * dayMs
  if (from >= until) throw badParam('end_time', 'must be after start_time')
  const zonesNear = await findZonesNear(state, call)
  const zonesInArea = type === 'area' && id ? (areas.get(id) ?? []) : null
  const zones =
    zonesNear && zonesInArea
      ? zonesNear.filter((zone) => zonesInArea.includes(zone))
      : (zonesNear ?? zonesInArea)
  return { type, id, zones, from, until }
}

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
  return {
    status: 200,
    body: `${[columns, ...rows.map((row) => columns.map((column) => (row[column] ?? '') as string | number))]
      .map(csvLine)
      .join('\r\n')}\r\n`,
  }
}

/** The Metrics API of CDS. */
export function cdsMetricsRoutes({ state, facts }: MetricsServices): CdsRoute[] {
  const prepare = async (call: CdsCall) => {
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
  return [
    {
      method: 'GET',
      path: '/metrics/sessions',
      access: 'metrics',
      format: 'csv',
      cost: 'heavy',
      handle: async (call) => {
        const { reader, places } = await prepare(call)
        const columns = sessionFields.filter((each) => call.version === '1.1' || each !== 'curb_object_id')
        return toCsvResponse(await listCdsSessions(facts, reader, places), columns)
      },
    },
    {
      method: 'GET',
      path: '/metrics/aggregates',
      access: 'metrics',
      format: 'csv',
      cost: 'heavy',
      handle: async (call) => {
        const { reader, places, areas } = await prepare(call)
        const text = call.query['metric_type']
        const supportedTypes = metricTypes.filter((each) => call.version === '1.1' || each !== 'total_events')
        const types: readonly MetricType[] =
          text === undefined ? supportedTypes : supportedTypes.filter((each) => each === text)
        if (!types.length) throw badParam('metric_type', `must be one of ${supportedTypes.join(', ')}`)
        const { type } = places
        const hours =
          type === 'space' || type === 'object'
            ? await readPlaceSums({ state, facts }, reader, { ...places, type }, call.received)
            : await readHourSums(facts, reader, places, areas)
        const rows = hours.flatMap((sums) =>
          types.flatMap((metric) => {
            const value = metricValue(metric, sums)
            return value === null || (places.type === 'area' && places.id && sums.place !== places.id)
              ? []
              : [
                  {
                    curb_place_type: places.type,
                    curb_place_id: sums.place,
                    metric_type: metric,
                    date: sums.local_day,
                    hour: sums.local_hour,
                    value,
                  },
                ]
          }),
        )
        return toCsvResponse(rows, [
          'curb_place_type',
          'curb_place_id',
          'metric_type',
          'date',
          'hour',
          'value',
        ])
      },
    },
  ]
}
