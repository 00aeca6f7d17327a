import { bind, facts, type Sql, sql } from '#server/stores/sql.ts'
import { parkingRules } from '../live/parking-times.ts'

export interface HistorySource {
  regionId: string
  operator: string
  timezone: string
  /** Meters per degree of longitude. */
  lonMeters: number
  /** Time at which the history ends and the feeds begin. */
  seamMs: number
  /** Vehicles that are in the workshop when the history ends. */
  inWorkshop: readonly string[]
}

const bindInt64 = (value: number) => bind('Int64', value)

/** Selects trips with the end of the vehicle's previous trip and the start of its next one; 0 if none. */
const neighbors = ({ regionId, operator, timezone }: HistorySource): Sql => sql`
  select vehicle_id, vehicle_type, trip_id, number, start_ms, end_ms, start_lon, start_lat, end_lon, end_lat, midnight,
    lagInFrame(end_ms) over whole as before_end, lagInFrame(end_lon) over whole as before_lon, lagInFrame(end_lat) over whole as before_lat, lagInFrame(number) over whole as before_number,
    leadInFrame(start_ms) over whole as next_start
  from (
    select vehicle_id, vehicle_type, trip_id, toInt64(reinterpretAsUInt64(reverse(unhex(substring(toString(trip_id), 25, 12))))) as number,
      toUnixTimestamp64Milli(start_time) as start_ms, toUnixTimestamp64Milli(assumeNotNull(end_time)) as end_ms, start_lon, start_lat, end_lon, end_lat,
      toInt64(toUnixTimestamp(toDateTime(local_date, ${bind('String', timezone)}))) * 1000 as midnight
    from ${facts('trips')} where region_id = ${bind('String', regionId)} and operator = ${bind('String', operator)}
  )
  window whole as (partition by vehicle_id order by start_ms rows between unbounded preceding and unbounded following)`

/** Selects trips with the relocation before and the workshop visit after (demo/live/parking-times.ts). */
export const tripEnds = (source: HistorySource): Sql => sql`
  select *,
    before_end = 0 as is_first, not is_first and start_ms - before_end >= ${bindInt64(parkingRules.workshopMs)} as was_away,
    (start_lon - before_lon) * ${bind('Float64', source.lonMeters)} as meters_x, (start_lat - before_lat) * 111195. as meters_y, meters_x * meters_x + meters_y * meters_y as meters_squared,
    greatest(before_end, midnight) as free_from,
    midnight + ${bindInt64(parkingRules.moveAfterMs)} + (number % ${bindInt64(parkingRules.pickUpSpread)}) * 1000 as night_pick_up, night_pick_up + ${bindInt64(parkingRules.movingMs)} + (number % ${bindInt64(parkingRules.dropOffSpread)}) * 1000 as night_drop_off,
    night_pick_up > free_from + ${bindInt64(parkingRules.minStopMs)} and night_drop_off < start_ms - ${bindInt64(parkingRules.minStopMs)} as fits, intDiv(start_ms - free_from, 3) as third,
    not is_first and not was_away and meters_squared > ${bind('Float64', parkingRules.movedMeters ** 2)} and meters_squared < ${bind('Float64', parkingRules.lostMeters ** 2)} and (fits or third > 0) as was_moved,
    if(fits, night_pick_up, free_from + third) as pick_up, multiIf(fits, night_drop_off, third > 0, start_ms - third, start_ms - 1000) as drop_off,
    if(next_start > 0, next_start - end_ms >= ${bindInt64(parkingRules.workshopMs)}, has(${bind('Array(String)', source.inWorkshop)}, vehicle_id)) as goes_away,
    end_ms + ${bindInt64(parkingRules.workshopAfterMs)} + (number % ${bindInt64(parkingRules.pickUpSpread)}) * 1000 as workshop
  from (${neighbors(source)})`
