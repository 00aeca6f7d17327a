import { type Mode, type QueryContext, sumOf } from './mode.ts'
import { type Sql, sql, bind, latest } from '#server/stores/sql.ts'
import { extentOf } from '../queries/extent-of.ts'
import type { ShapeLookup } from '../shape-queries.ts'
import { selectMoments } from '../queries/split-by-time.ts'
import { factConditions } from '../queries/fact-conditions.ts'
import { instant, msOf } from '#server/stores/instant.ts'
import { sumsByShape } from '#server/mobility/sums-by-shape.ts'
import { dropOffEvents } from '#server/mobility/cubes/cube-columns.ts'

/** Events by which vehicles of a region were put down, with the type of each vehicle; `where` is over the columns of vehicle_events. */
const dropOffEventsOf = (regionId: string, where: Sql): Sql => sql`
  select event.region_id as region_id, event.operator as operator, if(vehicle.vehicle_type = '', 'other', vehicle.vehicle_type) as vehicle_type, event.lon as lon, event.lat as lat, ${msOf(sql`event.event_time`)} as at
  from (
    select region_id, operator, device_id, event_time, lon, lat from ${latest('vehicle_events')}
    where region_id = ${bind('String', regionId)} and superseded = 0 and hasAny(event_types, ${bind('Array(String)', dropOffEvents)}) and (${where})
  ) as event
  left join (select operator, device_id, vehicle_type from ${latest('vehicles')} where region_id = ${bind('String', regionId)}) as vehicle on vehicle.operator = event.operator and vehicle.device_id = event.device_id`

/** Drop-offs by shape: `events`. */
export function dropOffsByShape({ filters, time, bucket }: QueryContext, lookup: ShapeLookup): Sql {
  const events = dropOffEventsOf(
    filters.region_id,
    sql`event_time >= ${instant(time.from)} and event_time < ${instant(time.until)}`,
  )
  const asked = selectMoments(sql`select * from (${events}) where ${factConditions(filters)}`, time, bucket)
  return sumsByShape({
    facts: sql`select lon, lat${bucket ? sql`, bucket` : sql``}, toUInt64(1) as events from (${asked})`,
    keys: bucket ? ['bucket'] : [],
    sums: ['events'],
    ...lookup,
  })
}

/** First and last day, operators and vehicle types of a region's drop-offs. */
const eventsExtent = (regionId: string, timezone: string): Sql =>
  extentOf(
    sql`select operator, vehicle_type, at as first_at, at as last_at from (${dropOffEventsOf(regionId, sql`true`)})`,
    timezone,
  )

/** Vehicles that operators or the agency put down, by the place, the local day and the hour of it. `n`: events. */
export const dropOffs: Mode = {
  name: 'drop_offs',
  unitOf: (aggregation) => (aggregation === 'daily_drop_offs' ? 'events_per_day' : 'events'),
  isMean: () => false,
  basis: () => null,
  query: dropOffsByShape,
  cubed: () => ({ sums: { events: 'drop_offs' }, byOperator: false }),
  figures(aggregation, { rows, span }) {
    const count = sumOf(rows, 'events')
    const value = aggregation === 'total_drop_offs' ? count : span.days ? count / span.days : null
    return { value, n: count, counts: { count } }
  },
  extent: eventsExtent,
}
