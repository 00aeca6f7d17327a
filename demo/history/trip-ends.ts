import { bind, facts, type Sql, sql } from '#server/stores/sql.ts'
import { restRules } from '../live/rest-times.ts'

export interface HistoryWanted {
  regionId: string
  operator: string
  timezone: string
  /** Metres a degree of longitude. */
  lonMetres: number
  /** The first moment (ms) that is no history any more: from here on the feeds tell. */
  until: number
  /** Vehicles whose next trip after the stored ones is so far off that they are in the workshop. */
  resting: readonly string[]
}

const int = (value: number) => bind('Int64', value)

/** Trips with their number, and with the end before and the start after of the same vehicle; 0: none. */
const neighbours = ({ regionId, operator, timezone }: HistoryWanted): Sql => sql`
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

/** Each trip with what became of its vehicle before and after it: moved, put out, taken to the workshop. The rules are those of demo/live/rest-times.ts. */
export const tripEnds = (wanted: HistoryWanted): Sql => sql`
  select *,
    before_end = 0 as is_first, not is_first and start_ms - before_end >= ${int(restRules.workshopMs)} as was_away,
    (start_lon - before_lon) * ${bind('Float64', wanted.lonMetres)} as metres_x, (start_lat - before_lat) * 111195. as metres_y, metres_x * metres_x + metres_y * metres_y as metres_squared,
    greatest(before_end, midnight) as free_from,
    midnight + ${int(restRules.moveAfterMs)} + (number % ${int(restRules.pickUpSpread)}) * 1000 as night_pick_up, night_pick_up + ${int(restRules.movingMs)} + (number % ${int(restRules.dropOffSpread)}) * 1000 as night_drop_off,
    night_pick_up > free_from + ${int(restRules.leastMs)} and night_drop_off < start_ms - ${int(restRules.leastMs)} as fits, intDiv(start_ms - free_from, 3) as third,
    not is_first and not was_away and metres_squared > ${bind('Float64', restRules.movedMetres ** 2)} and metres_squared < ${bind('Float64', restRules.lostMetres ** 2)} and (fits or third > 0) as was_moved,
    if(fits, night_pick_up, free_from + third) as pick_up, multiIf(fits, night_drop_off, third > 0, start_ms - third, start_ms - 1000) as drop_off,
    if(next_start > 0, next_start - end_ms >= ${int(restRules.workshopMs)}, has(${bind('Array(String)', wanted.resting)}, vehicle_id)) as goes_away,
    end_ms + ${int(restRules.workshopAfterMs)} + (number % ${int(restRules.pickUpSpread)}) * 1000 as workshop
  from (${neighbours(wanted)})`
