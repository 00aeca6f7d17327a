import { maxRecentTrips } from '#contract/evaluation.ts'
import { type Filters, tripFilterSql } from '#server/mobility/trip-filter-sql.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'

/** Places of one end of the most recent trips that have one, newest first. */
export const recentTripPlaces = (filters: Filters, location: 'origin' | 'destination'): Sql =>
  location === 'origin'
    ? sql`select start_lon as lon, start_lat as lat from ${latest('trips')} where ${tripFilterSql(filters)} and isFinite(lon) and isFinite(lat) order by start_time desc, trip_id limit ${bind('UInt32', maxRecentTrips)}`
    : sql`select end_lon as lon, end_lat as lat from ${latest('trips')} where ${tripFilterSql(filters)} and isFinite(lon) and isFinite(lat) order by start_time desc, trip_id limit ${bind('UInt32', maxRecentTrips)}`
