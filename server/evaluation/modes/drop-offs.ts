import { dropOffEvents } from '#server/fleet/cubes/cube-columns.ts'
import { sumsByShapeSql } from '#server/fleet/sums-by-shape.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import { type Sql, sql, bind, latest } from '#server/stores/sql.ts'
import { extentSql, factConditions } from '../queries/fact-sql.ts'
import { selectMoments } from '../queries/split-by-time.ts'
import { type Mode, type QueryContext, type ShapeLookup, sumRows } from './mode.ts'

/** Selects drop-off events of a region by a condition on columns of vehicle_events, with vehicle types. */
const selectDropOffEvents = (regionId: string, condition: Sql): Sql => sql`
  select
    event.region_id as region_id,
    event.operator as operator,
    if(vehicle.vehicle_type = '', 'other', vehicle.vehicle_type) as vehicle_type,
    event.lon as lon,
    event.lat as lat,
    ${toMilliseconds(sql`event.event_time`)} as at
  from (
    select region_id, operator, device_id, event_time, lon, lat
    from ${latest('vehicle_events')}
    where region_id = ${bind('String', regionId)} and superseded = 0
      and hasAny(event_types, ${bind('Array(String)', dropOffEvents)}) and (${condition})
  ) as event
  left join (
    select operator, device_id, vehicle_type from ${latest('vehicles')} where region_id = ${bind('String', regionId)}
  ) as vehicle on vehicle.operator = event.operator and vehicle.device_id = event.device_id`

/** Builds SQL for the number of drop-offs (`events`) by shape. */
export function dropOffsByShapeSql({ filters, time, bucket }: QueryContext, lookup: ShapeLookup): Sql {
  const events = selectDropOffEvents(
    filters.region_id,
    sql`event_time >= ${toDateTime(time.from)} and event_time < ${toDateTime(time.until)}`,
  )
  const filteredEvents = sql`select * from (${events}) where ${factConditions(filters)}`
  const eventsInTime = selectMoments(filteredEvents, time, bucket)
  return sumsByShapeSql({
    facts: sql`select lon, lat${bucket ? sql`, bucket` : sql``}, toUInt64(1) as events from (${eventsInTime})`,
    keys: bucket ? ['bucket'] : [],
    sums: ['events'],
    ...lookup,
  })
}

const dropOffsExtentSql = (regionId: string, timezone: string): Sql =>
  extentSql(
    sql`select operator, vehicle_type, at as first_at, at as last_at from (${selectDropOffEvents(regionId, sql`true`)})`,
    timezone,
  )

/** Vehicles dropped off by operators or the agency, by place, local day and hour. `n`: events. */
export const dropOffs: Mode = {
  name: 'drop_offs',
  getUnit: (aggregation) => (aggregation === 'daily_drop_offs' ? 'events_per_day' : 'events'),
  isMean: () => false,
  basis: () => null,
  query: dropOffsByShapeSql,
  cubed: () => ({ sums: { events: 'drop_offs' }, byOperator: false }),
  figures(aggregation, { rows, span }) {
    const count = sumRows(rows, 'events')
    const perDay = span.days ? count / span.days : null
    return { value: aggregation === 'total_drop_offs' ? count : perDay, n: count, counts: { count } }
  },
  extent: dropOffsExtentSql,
}
