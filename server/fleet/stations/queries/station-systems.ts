import { msOf } from '#server/stores/instant.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'

/** Feeds with stations that have docks: first and last poll, ms, and the number of stations that they have described. */
export const stationSystems = (regionId: string): Sql => {
  const region = sql`region_id = ${bind('String', regionId)}`
  return sql`
  select span.operator as operator, span.feed_id as feed_id, toString(span.first) as first, toString(span.last) as last,
    toString(ifNull(detail.stations, 0)) as stations
  from (
    select operator, feed_id, min(${msOf(sql`from_time`)}) as first, max(${msOf(sql`until_time`)}) as last
    from ${latest('station_spans')}
    where ${region}
    group by operator, feed_id
  ) as span
  left join (
    select operator, feed_id, uniqExactIf(station_id, not is_virtual) as stations from ${latest('station_details')} where ${region}
    group by operator, feed_id
  ) as detail on detail.operator = span.operator and detail.feed_id = span.feed_id
  where detail.feed_id = '' or detail.stations > 0
  order by operator, feed_id`
}
