import { bind, facts, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'

export const segmentDayColumns = [
  'region_id',
  'local_date',
  'operator',
  'vehicle_type',
  'segment',
  'forward',
  'backward',
] as const
export const segmentHourColumns = [
  'region_id',
  'local_date',
  'operator',
  'vehicle_type',
  'local_hour',
  'segment',
  'forward',
  'backward',
] as const

interface VolumeDays {
  regionId: string
  days: readonly string[]
}

/**
 * Builds SQL for the rows to add to a table of volumes so that its sums equal those of the current routes: the
 * volumes of the routes minus the stored ones. There are no rows once they are added. A trip counts once per
 * segment and direction, however often it used the segment.
 */
function volumeChangeRows(table: 'segment_days' | 'segment_hours', { regionId, days }: VolumeDays): Sql {
  const hour = table === 'segment_hours' ? [sql`local_hour`] : []
  const keys = joinSql([sql`region_id, local_date, operator, vehicle_type`, ...hour, sql`segment`], ', ')
  const where = sql`region_id = ${bind('String', regionId)} and local_date in ${bind('Array(Date)', days)}`
  const riddenColumns = joinSql(
    [
      sql`region_id, local_date, operator, vehicle_type`,
      ...hour,
      sql`ridden.1 as segment, toInt64(ridden.2 > 0) as plus, toInt64(ridden.2 < 0) as minus`,
    ],
    ', ',
  )
  const storedColumns = joinSql([keys, sql`-toInt64(forward) as plus, -toInt64(backward) as minus`], ', ')
  return sql`
    select ${keys}, toInt32(sum(plus)) as more_forward, toInt32(sum(minus)) as more_backward
    from (
      select ${riddenColumns}
      from (
        select
          region_id, local_date, local_hour, operator, vehicle_type,
          arrayDistinct(arrayZip(segments, directions)) as all_ridden
        from ${latest('trip_routes')}
        where ${where} and notEmpty(segments)
      )
      array join all_ridden as ridden
      union all
      select ${storedColumns}
      from ${facts(table)}
      where ${where}
    )
    group by ${keys}
    having more_forward != 0 or more_backward != 0`
}

export const segmentDayChangeRows = (volumeDays: VolumeDays): Sql =>
  volumeChangeRows('segment_days', volumeDays)
export const segmentHourChangeRows = (volumeDays: VolumeDays): Sql =>
  volumeChangeRows('segment_hours', volumeDays)

/** Builds SQL for local days with matched routes but without volumes, stored by a version without volumes. */
export const daysWithoutVolumesSql = (regionId: string): Sql => sql`
  select distinct toString(local_date) as day
  from ${latest('trip_routes')}
  where
    region_id = ${bind('String', regionId)}
    and notEmpty(segments)
    and local_date not in (
      select distinct local_date
      from ${facts('segment_days')}
      where region_id = ${bind('String', regionId)}
    )`
