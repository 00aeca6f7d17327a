import Papa from 'papaparse'
import { readSensorStates, type SensorRow } from '#server/curb/sessions/read-sensor-states.ts'
import { noRecords } from '#server/fleet/events/feed-records.ts'
import { type Adapter, type AdapterFeed, type Read, UnreadableBody } from './adapter.ts'
import { answerJson, answerText, isObject } from './answer-body.ts'
import { sourceKindOfFeed } from './cds-events.ts'

/** Lists of open data portals: the answer itself, or one of its fields. */
const listFields = ['data', 'results', 'records', 'features', 'value'] as const

/** A record with the fields and the place that portals nest. */
function flat(record: unknown): SensorRow {
  if (!isObject(record)) return {}
  const inner = [record['properties'], record['fields']].find(isObject)
  const point = [record['geometry'], record['location'], inner?.['location']].find(isObject)
  const [lon, lat] = Array.isArray(point?.['coordinates'])
    ? (point['coordinates'] as unknown[])
    : [point?.['lon'] ?? point?.['longitude'], point?.['lat'] ?? point?.['latitude']]
  return { ...(inner ?? record), ...(point ? { location: undefined, lon, lat } : {}) }
}

function rowsOf(text: string): SensorRow[] {
  if (/^\s*[[{<]/.test(text)) {
    const answer = answerJson(text)
    const list = Array.isArray(answer)
      ? answer
      : isObject(answer)
        ? listFields.map((field) => answer[field]).find(Array.isArray)
        : undefined
    if (!list) throw new UnreadableBody('The response holds no list of sensors.')
    return list.map(flat)
  }
  const { data } = Papa.parse<Record<string, string>>(text.replace(/^\uFEFF/, ''), {
    header: true,
    skipEmptyLines: true,
  })
  return data
}

function read(feed: AdapterFeed, body: Uint8Array, received: number): Read {
  const rows = rowsOf(answerText(body))
  if (!rows.length) return { records: noRecords(), next: null, other: [] }
  const found = readSensorStates(rows, {
    feedId: feed.feedId,
    timezone: feed.timezone,
    isUtc: feed.settings['times'] === 'utc',
    received,
    sourceKind: sourceKindOfFeed(feed.settings) ?? 'sensor',
  })
  if (!found)
    throw new UnreadableBody(
      'The response names no space, state and time of sensors, such as SpaceID, OccupancyState and EventTime.',
    )
  const findings = found.faults.map(({ row, place, reason }) => ({
    kind: 'schema' as const,
    recordId: place,
    field: `[${row}]`,
    reason,
    raw: JSON.stringify(rows[row]).slice(0, 2000),
  }))
  return { records: { ...noRecords(), findings }, next: null, other: found.events }
}

/**
 * The present states of parking sensors, as open data portals list them (CSV, JSON, GeoJSON). Settings: `times` is `utc` if times without
 * a zone are not local; `source_kind` of other sources than sensors.
 */
export const sensorStates: Adapter = {
  kind: 'sensor_states',
  versions: ['table'],
  streams: () => [{ name: 'states', by: 'now' }],
  request: ({ url }) => ({
    url,
    headers: { accept: 'application/json, application/geo+json, text/csv;q=0.9, */*;q=0.1' },
  }),
  read: (feed, _stream, body, received) => read(feed, body, received),
}
