import { bind, facts, latest, type Sql, sql } from '#server/stores/sql.ts'

/** Days from the first to the last, both in. */
export interface DayRange {
  regionId: string
  from: string
  until: string
}

/** A local day of which the routes a list does not know as they are now. */
export interface PendingDay {
  day: string
  /** The newest version among its routes, and the number of rows with it: a running derivation adds more of them. */
  version: string
  version_rows: string
  /** Rows, of all versions. */
  ways: string
  /** Routes of this version and above must be examined; 0 for all. */
  since: string
}

const within = ({ regionId, from, until }: DayRange): Sql =>
  sql`region_id = ${bind('String', regionId)} and local_date >= ${bind('Date', from)} and local_date <= ${bind('Date', until)}`

/** How far the routes of each day have come. */
const dayVersions = (range: DayRange): Sql => sql`
  select local_date, max(row_version) as newest, argMax(n, row_version) as newest_rows, sum(n) as all_rows
  from (select local_date, version as row_version, count() as n from ${facts('trip_routes')} where ${within(range)} group by local_date, row_version)
  group by local_date`

const knownDays = (range: DayRange, listId: string): Sql =>
  sql`select local_date, version, version_rows from ${latest('way_days')} where ${within(range)} and list_id = ${bind('UUID', listId)}`

/** The days that a list does not know as they are, the newest first. */
export const pendingDays = (range: DayRange, listId: string): Sql => sql`
  select toString(there.local_date) as day, toString(there.newest) as version, toString(there.newest_rows) as version_rows, toString(there.all_rows) as ways, toString(known.version) as since
  from (${dayVersions(range)}) as there
  left join (${knownDays(range, listId)}) as known on known.local_date = there.local_date
  where known.version != there.newest or known.version_rows != there.newest_rows
  order by day desc`

/** The days that a list knows as they are. */
export const currentDays = (range: DayRange, listId: string): Sql => sql`
  select toString(there.local_date) as day
  from (${dayVersions(range)}) as there
  inner join (${knownDays(range, listId)}) as known on known.local_date = there.local_date and known.version = there.newest and known.version_rows = there.newest_rows`
