import type { OccupancySource } from '#contract/curb-occupancy.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Facts } from '#server/stores/facts.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts, latest, type Sql, sql } from '#server/stores/sql.ts'
import { maxOpenMs, maxSessionMs } from '../sessions/derive-lane.ts'
import { forgottenMs, silentMs } from '../sessions/queries/hour-parts.ts'
import type { HourFrame } from './hour-frame.ts'
import type { CountedHour } from './zone-sums.ts'

const queryOptions = { limits: { seconds: 600, memory: 4 * 2 ** 30 } }

export interface SourceReader {
  facts: Facts
  scope: Scope
  regionId: string
}

/** Builds SQL for the zone of a row; rows that name only a space get the zone of that space. */
const zoneSql = (spaces: ReadonlyMap<string, string>): Sql =>
  spaces.size
    ? sql`
      if(
        zone_id = '',
        transform(
          space_id,
          ${bind('Array(String)', [...spaces.keys()])},
          ${bind('Array(String)', [...spaces.values()])},
          ''
        ),
        zone_id
      )`
    : sql`zone_id`

/** Parking sessions of a zone from one kind of source, as parallel lists. */
export interface SessionsOfZone {
  zone: string
  source_kind: 'sensor' | 'camera' | 'payment'
  /** Space of each session; empty if no session names one. */
  spaces: string[]
  /** Milliseconds since the start of the frame; may be negative. */
  starts: number[]
  ends: number[]
}

/** Reads sessions in a frame by zone and source. Open ones last until now, at most `maxOpenMs`. */
export const readSessions = (
  { facts: factStore, scope, regionId }: SourceReader,
  frame: HourFrame,
  spaces: ReadonlyMap<string, string>,
  now: number,
): Promise<SessionsOfZone[]> =>
  factStore.rows<SessionsOfZone>(
    scope,
    sql`
    with
      -- parking sessions with the zone and the end that counts
      timed_sessions as (
        select
          ${zoneSql(spaces)} as zone,
          space_id,
          toString(source_kind) as source_kind,
          ${toMilliseconds(sql`assumeNotNull(start_time)`)} as start_ms,
          if(
            end_time is not null,
            ${toMilliseconds(sql`assumeNotNull(end_time)`)},
            least(${bind('Int64', now)}, start_ms + ${bind('Int64', maxOpenMs)})
          ) as end_ms
        from ${latest('curb_sessions')}
        where region_id = ${bind('String', regionId)}
          and type = 'parking'
          and source_kind in ('sensor', 'camera', 'payment')
          and from_time >= ${toDateTime(frame.from - maxSessionMs)}
          and from_time < ${toDateTime(frame.until)}
          and start_time is not null
          and not has(problems, 'ends_before_start')
          and (
            end_time is not null
            or (
              not has(problems, 'no_end')
              and closed_time is null
              and start_time >= ${toDateTime(now - maxOpenMs)}
            )
          )
      )
    select
      zone,
      source_kind,
      if(max(space_id != '') = 1, groupArray(space_id), emptyArrayString()) as spaces,
      groupArray(toFloat64(start_ms - ${bind('Int64', frame.from)})) as starts,
      groupArray(toFloat64(end_ms - ${bind('Int64', frame.from)})) as ends
    from timed_sessions
    where zone != ''
      and end_ms > start_ms
      and end_ms > ${bind('Int64', frame.from)}
    group by zone, source_kind`,
    queryOptions,
  )

/** A time in which a device was online and watched a place. */
export interface OnlineSpan {
  zone: string
  source_kind: 'sensor' | 'camera'
  /** '' for the entire zone: the device names no space or several. */
  space: string
  from_ms: string
  until_ms: string
}

/** Reads when sensors and cameras were online, by the place that each watches. */
export const readOnlineSpans = (
  { facts: factStore, scope, regionId }: SourceReader,
  frame: HourFrame,
  spaces: ReadonlyMap<string, string>,
): Promise<OnlineSpan[]> =>
  factStore.rows<OnlineSpan>(
    scope,
    sql`
    with
      -- events of devices, with the zones and spaces that each watches
      watched as (
        select
          *,
          ${toMilliseconds(sql`event_time`)} as ms,
          groupUniqArray(${zoneSql(spaces)}) over (partition by source_kind, device_id) as zones,
          groupUniqArray(space_id) over (partition by source_kind, device_id) as spaces
        from ${latest('curb_events')}
        where region_id = ${bind('String', regionId)}
          and source_kind in ('sensor', 'camera')
          and superseded = 0
          and event_time >= ${toDateTime(frame.from - forgottenMs)}
          and event_time < ${toDateTime(frame.until)}
      ),
      -- from each event to the next one of the device, or to the end of the frame
      spans as (
        select
          zones,
          source_kind,
          if(length(spaces) = 1, spaces[1], '') as space,
          ms as begin_ms,
          multiIf(
            event_type = 'decommissioned' or is_commissioned = 0, 0,
            event_type = 'comms_lost' or is_online = 0, 0,
            1
          ) as is_watching,
          leadInFrame(ms, 1, ${bind('Int64', frame.until)}) over (
            partition by source_kind, device_id
            order by ms, event_id
            rows between current row and unbounded following
          ) as next_ms
        from watched
      )
    select
      arrayJoin(arrayFilter(zone_id -> zone_id != '', zones)) as zone,
      toString(source_kind) as source_kind,
      space,
      toString(begin_ms) as from_ms,
      toString(least(next_ms, begin_ms + ${bind('Int64', silentMs)})) as until_ms
    from spans
    where is_watching = 1
      and next_ms > begin_ms
      and least(next_ms, begin_ms + ${bind('Int64', silentMs)}) > ${bind('Int64', frame.from)}`,
    queryOptions,
  )

export interface CountsOfPlace {
  import_id: string
  source: OccupancySource
  place: string
  hours: CountedHour[]
}

interface CountRow {
  import_id: string
  source: OccupancySource
  place: string
  /** `hour` (seconds since 1970) and the other fields of `CountedHour`. */
  hours: [string, number, number, number, number, number, number][]
}

/** Reads counts of published imports in a frame, by import, source and place. */
export async function readCounts(
  { facts: factStore, scope, regionId }: SourceReader,
  { days }: Pick<HourFrame, 'days'>,
  importIds: readonly string[],
): Promise<CountsOfPlace[]> {
  if (!importIds.length) return []
  const rows = await factStore.rows<CountRow>(
    scope,
    sql`
    with
      -- sums of the counts of a place in an hour
      hourly_counts as (
        select
          import_id,
          source,
          place,
          hour,
          sum(occupied_ms) as occupied,
          sum(known_ms) as known,
          sum(unknown_ms) as unknown,
          sum(closed_ms) as closed,
          max(spaces) as max_spaces,
          max(is_share) as share
        from ${facts('curb_counts')}
        where region_id = ${bind('String', regionId)}
          and day >= ${bind('Date', days[0])}
          and day <= ${bind('Date', days.at(-1))}
          and import_id in ${bind('Array(UUID)', importIds)}
        group by import_id, source, place, hour
      )
    select
      toString(import_id) as import_id,
      source,
      place,
      groupArray((
        toString(toUnixTimestamp(hour)),
        occupied,
        known,
        unknown,
        closed,
        max_spaces,
        share
      )) as hours
    from hourly_counts
    group by import_id, source, place`,
    queryOptions,
  )
  return rows.map(({ hours, ...row }) => ({
    ...row,
    hours: hours.map(([seconds, occupied, known, unknown, closed, spaces, isShare]) => ({
      hour: Number(seconds) * 1000,
      occupied,
      known,
      unknown,
      closed,
      spaces,
      isShare: isShare === 1,
    })),
  }))
}

/** Reads the first local day with a paid session of each of the zones. */
export async function readFirstPaidDays(
  { facts: factStore, scope, regionId }: SourceReader,
  timezone: string,
  zoneIds: readonly string[],
  spaces: ReadonlyMap<string, string>,
): Promise<Map<string, LocalDay>> {
  const rows = await factStore.rows<{ zone: string; day: LocalDay }>(
    scope,
    sql`
    with
      -- starts of paid sessions with their zone
      paid_starts as (
        select
          ${zoneSql(spaces)} as zone,
          assumeNotNull(start_time) as start
        from ${latest('curb_sessions')}
        where region_id = ${bind('String', regionId)}
          and type = 'parking'
          and source_kind = 'payment'
          and start_time is not null
      )
    select
      zone,
      toString(toDate(toTimeZone(min(start), ${bind('String', timezone)}))) as day
    from paid_starts
    where zone in ${bind('Array(String)', zoneIds)}
    group by zone`,
    queryOptions,
  )
  return new Map(rows.map(({ zone, day }) => [zone, day]))
}
