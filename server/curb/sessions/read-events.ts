import type { CdsVersion } from '#contract/cds-events.ts'
import { dayMs } from '#contract/period.ts'
import type { Facts } from '#server/stores/facts.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'

/** Ids of places; '' for any. */
export interface PlaceFilter {
  areaId: string
  zoneId: string
  spaceId: string
  objectId: string
}

interface RegionKey {
  regionId: string
  scope: Scope
}

/** Builds the condition for the places of a filter, starting with `and`; empty for all. */
function placeCondition({ areaId, zoneId, spaceId, objectId }: PlaceFilter): Sql {
  const conditions = [
    ...(areaId ? [sql`has(area_ids, ${bind('String', areaId)})`] : []),
    ...(zoneId ? [sql`zone_id = ${bind('String', zoneId)}`] : []),
    ...(spaceId ? [sql`space_id = ${bind('String', spaceId)}`] : []),
    ...(objectId ? [sql`object_id = ${bind('String', objectId)}`] : []),
  ]
  return conditions.length ? sql`and ${joinSql(conditions, ' and ')}` : sql``
}

/** Maximum number of events in a response. */
const maxEvents = 100_000
/** Days without an event after which a source is no longer listed. */
const statusDays = 30

interface EventRow {
  event_id: string
  event_type: string
  time: string
  published: string
  zone_id: string
  area_ids: string[]
  space_id: string
  object_id: string
  source_type: string
  device_id: string
  operator_name: string
  session_key: string
  vehicle_type: string
  vehicle_length: number | null
  propulsion: string[]
  purpose: string
  longitude: number | null
  latitude: number | null
  amount_text: string | null
  channel: string
  method: string
  blocked_lanes: string[]
  is_online: number | null
  is_commissioned: number | null
}

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
const toFlag = (value: number | null): boolean | undefined => (value === null ? undefined : value === 1)

/** Converts an event to CDS, without plates, numbers and permits of vehicles, which are not stored. */
function toCdsEvent(row: EventRow, version: CdsVersion) {
  const isVersion11 = version === '1.1'
  const entries = Object.entries({
    event_id: row.event_id,
    event_type: row.event_type,
    event_purpose: row.purpose,
    event_location:
      row.longitude === null || row.latitude === null
        ? undefined
        : { type: 'Point', coordinates: [row.longitude, row.latitude] },
    event_time: Number(row.time),
    event_publication_time: Number(row.published),
    event_session_id: row.session_key,
    curb_zone_id: row.zone_id,
    curb_area_ids: row.area_ids.length ? row.area_ids : undefined,
    curb_space_id: row.space_id,
    curb_object_id: isVersion11 ? row.object_id : undefined,
    data_source_type: row.source_type,
    data_source_operator_id: isUuid(row.operator_name) ? row.operator_name : undefined,
    data_source_operator_name: isUuid(row.operator_name) ? undefined : row.operator_name,
    data_source_device_id: row.device_id,
    sensor_status_is_commissioned: toFlag(row.is_commissioned),
    sensor_status_is_online: toFlag(row.is_online),
    vehicle_length: row.vehicle_length,
    vehicle_type: row.vehicle_type,
    vehicle_propulsion_types: row.propulsion.length ? row.propulsion : undefined,
    vehicle_blocked_lane_types: row.blocked_lanes,
    actual_cost: row.amount_text === null ? undefined : Number(row.amount_text),
    payment_channel: isVersion11 ? row.channel : undefined,
    payment_method: isVersion11 ? row.method : undefined,
  })
  return Object.fromEntries(
    entries.filter(([, value]) => value !== undefined && value !== null && value !== ''),
  )
}

/** Event types of CDS 1.0. */
const firstVersionTypes = [
  'comms_lost',
  'comms_restored',
  'decommissioned',
  'park_start',
  'park_end',
  'scheduled_report',
  'enter_area',
  'exit_area',
]

/** Lists the events at a place in a time span (ms, half-open), in order of time, in the form of CDS. */
export async function listEvents(
  facts: Facts,
  { scope, regionId }: RegionKey,
  request: PlaceFilter & { from: number; until: number },
  version: CdsVersion,
) {
  const types = version === '1.0' ? sql`and event_type in ${bind('Array(String)', firstVersionTypes)}` : sql``
  const rows = await facts.rows<EventRow>(
    scope,
    sql`
    select
      event_id,
      event_type,
      toString(toUnixTimestamp64Milli(event_time)) as time,
      toString(toUnixTimestamp64Milli(publication_time)) as published,
      zone_id,
      area_ids,
      space_id,
      object_id,
      source_type,
      device_id,
      operator_name,
      session_key,
      vehicle_type,
      vehicle_length,
      propulsion,
      purpose,
      if(isNaN(lon), null, lon) as longitude,
      if(isNaN(lat), null, lat) as latitude,
      toString(amount) as amount_text,
      channel,
      method,
      blocked_lanes,
      is_online,
      is_commissioned
    from ${latest('curb_events')}
    where region_id = ${bind('String', regionId)}
      and event_time >= ${toDateTime(request.from)}
      and event_time < ${toDateTime(request.until)}
      and superseded = 0
      ${types}
      ${placeCondition(request)}
    order by event_time, event_id
    limit ${bind('UInt32', maxEvents)}`,
  )
  return rows.map((row) => toCdsEvent(row, version))
}

interface SourceRow {
  device_id: string
  source_type: string
  operator_name: string
  last_type: string
  last_online: number | null
  last_commissioned: number | null
}

/** Lists the last state of each source at a place with an event in the last 30 days. `now` is in ms. */
export async function listSources(
  facts: Facts,
  { scope, regionId }: RegionKey,
  place: PlaceFilter,
  now: number,
) {
  const rows = await facts.rows<SourceRow>(
    scope,
    sql`
    select
      device_id,
      argMax(source_type, event_time) as source_type,
      argMax(operator_name, event_time) as operator_name,
      argMax(event_type, (event_time, event_type)) as last_type,
      argMax(is_online, event_time) as last_online,
      argMax(is_commissioned, event_time) as last_commissioned
    from ${latest('curb_events')}
    where region_id = ${bind('String', regionId)}
      and event_time >= ${toDateTime(now - statusDays * dayMs)}
      and event_time <= ${toDateTime(now)}
      and superseded = 0
      ${placeCondition(place)}
    group by device_id
    order by device_id
    limit ${bind('UInt32', maxEvents)}`,
  )
  return rows.map((row) => ({
    data_source_device_id: row.device_id,
    data_source_type: row.source_type,
    ...(isUuid(row.operator_name) ? { data_source_operator_id: row.operator_name } : {}),
    sensor_status_is_commissioned: toFlag(row.last_commissioned) ?? row.last_type !== 'decommissioned',
    sensor_status_is_online:
      toFlag(row.last_online) ?? (row.last_type !== 'decommissioned' && row.last_type !== 'comms_lost'),
  }))
}
