import { bind, facts, latest, type Sql, sql } from '#server/stores/sql.ts'

/** The first and the last local day, inclusive. */
export interface DayRange {
  regionId: string
  from: string
  until: string
}

/** A local day for which the results of a list are missing or outdated. */
export interface PendingDay {
  day: string
  /**
   * The newest version among its routes and the number of rows with that version. Both are compared, because
   * a running derivation adds rows of the same version.
   */
  version: string
  version_rows: string
  /** The number of rows of all versions. */
  route_count: string
  /** Routes of this version or later must be intersected; 0 for all. */
  since: string
}

const rangeCondition = ({ regionId, from, until }: DayRange): Sql =>
  sql`
    region_id = ${bind('String', regionId)}
    and local_date >= ${bind('Date', from)}
    and local_date <= ${bind('Date', until)}`

/** Builds SQL for the newest version of each day's routes. */
const dayVersionsSql = (range: DayRange): Sql => sql`
  select
    local_date,
    max(row_version) as newest,
    argMax(row_count, row_version) as newest_rows,
    sum(row_count) as all_rows
  from (
    select local_date, version as row_version, count() as row_count
    from ${facts('trip_routes')}
    where ${rangeCondition(range)}
    group by local_date, row_version
  )
  group by local_date`

const computedDaysSql = (range: DayRange, listId: string): Sql =>
  sql`
    select local_date, version, version_rows
    from ${latest('way_days')}
    where ${rangeCondition(range)} and list_id = ${bind('UUID', listId)}`

/** Builds SQL for the days for which the results of a list are missing or outdated, newest first. */
export const pendingDaysSql = (range: DayRange, listId: string): Sql => sql`
  select
    toString(stored.local_date) as day,
    toString(stored.newest) as version,
    toString(stored.newest_rows) as version_rows,
    toString(stored.all_rows) as route_count,
    toString(computed.version) as since
  from (${dayVersionsSql(range)}) as stored
  left join (${computedDaysSql(range, listId)}) as computed on computed.local_date = stored.local_date
  where computed.version != stored.newest or computed.version_rows != stored.newest_rows
  order by day desc`

/** Builds SQL for the days for which the results of a list are up to date. */
export const currentDaysSql = (range: DayRange, listId: string): Sql => sql`
  select toString(stored.local_date) as day
  from (${dayVersionsSql(range)}) as stored
  inner join (${computedDaysSql(range, listId)}) as computed
    on computed.local_date = stored.local_date
    and computed.version = stored.newest
    and computed.version_rows = stored.newest_rows`
