import type { Span } from '../span.ts'
import { type Sql, sql } from '#server/stores/sql.ts'
import { movesOf } from './moves.ts'
import { rowColumns } from './row-columns.ts'
import { feedTrips } from './trip-counts.ts'

/** Movements that are too fast for a vehicle, and trips that are too fast on average; the value is km/h. */
export const impossibleSpeedRows = (span: Span, at: number): Sql => sql`
  select ${rowColumns({ feed: sql`feed_id`, time: sql`time`, id: sql`id`, device: sql`device_id`, part: 'moves', value: sql`if(seconds > 0, meters / seconds * 3.6, nan)`, details: sql`[toString(round(meters)), toString(round(seconds))]` })}
  from (${movesOf(span)}) where is_impossible
  union all
  select ${rowColumns({ time: sql`time`, id: sql`trip_id`, device: sql`vehicle_id`, trip: sql`trip_id`, part: 'trips', value: sql`distance_m / duration_s * 3.6`, details: sql`[toString(round(distance_m)), toString(round(duration_s))]` })}
  from (${feedTrips(span, at)}) where is_impossible`
