import Papa from 'papaparse'
import { readSensorStates, type SensorRow } from '#server/curb/sessions/read-sensor-states.ts'
import { maxRawLength, noRecords } from '#server/fleet/events/feed-records.ts'
import { type Adapter, type AdapterFeed, type ReadResult, UnreadableBody } from './adapter.ts'
import { parseJson, decodeBody, isObject } from './response-body.ts'
import { readSourceKind } from './cds-events.ts'

/** Fields with the list of records in responses of open data portals, unless the response is the list. */
const listFields = ['data', 'results', 'records', 'features', 'value'] as const

/** Flattens a record, which portals nest in different ways, to its fields with `lon` and `lat`. */
function flatten(record: unknown): SensorRow {
  if (!isObject(record)) return {}
  const fields = [record['properties'], record['fields']].find(isObject)
  const point = [record['geometry'], record['location'], fields?.['location']].find(isObject)
  const [lon, lat] = Array.isArray(point?.['coordinates'])
    ? (point['coordinates'] as unknown[])
    : [point?.['lon'] ?? point?.['longitude'], point?.['lat'] ?? point?.['latitude']]
  return { ...(fields ?? record), ...(point ? { location: undefined, lon, lat } : {}) }
}

function parseRows(text: string): SensorRow[] {
  if (/^\s*[[{<]/.test(text)) {
    const json = parseJson(text)
    const candidates = isObject(json) ? listFields.map((field) => json[field]) : [json]
    const list = candidates.find(Array.isArray)
    if (!list) throw new UnreadableBody('The response contains no list of sensors.')
    return list.map(flatten)
  }
  const { data } = Papa.parse<Record<string, string>>(text.replace(/^\uFEFF/, ''), {
    header: true,
    skipEmptyLines: true,
  })
  return data
}

function read(feed: AdapterFeed, body: Uint8Array, received: number): ReadResult {
  const rows = parseRows(decodeBody(body))
  if (!rows.length) return { records: noRecords(), next: null, other: [] }
  const states = readSensorStates(rows, {
    feedId: feed.feedId,
    timezone: feed.timezone,
    isUtc: feed.settings['times'] === 'utc',
    received,
    sourceKind: readSourceKind(feed.settings) ?? 'sensor',
  })
  if (!states)
    throw new UnreadableBody(
      'The response names no space, state and time of sensors, such as SpaceID, OccupancyState and EventTime.',
    )
  const findings = states.problems.map(({ row, place, reason }) => ({
    kind: 'schema' as const,
    recordId: place,
    field: `[${row}]`,
    reason,
    raw: JSON.stringify(rows[row]).slice(0, maxRawLength),
  }))
  return { records: { ...noRecords(), findings }, next: null, other: states.events }
}

/**
 * The current states of parking sensors, as lists of open data portals (CSV, JSON, GeoJSON). Settings:
 * `times`, which is `utc` if times without a zone are not local; `source_kind`, for sources other than
 * sensors.
 */
export const sensorStates: Adapter = {
  kind: 'sensor_states',
  versions: ['table'],
  streams: () => [{ name: 'states', window: 'now' }],
  request: ({ url }) => ({
    url,
    headers: { accept: 'application/json, application/geo+json, text/csv;q=0.9, */*;q=0.1' },
  }),
  read: (feed, _stream, body, received) => read(feed, body, received),
}
