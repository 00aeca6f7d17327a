import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'

/** Number and total minutes of the parking events of one make and model; '' if unknown. */
export interface MakeModelSums {
  operator: string
  vehicle_type: string
  make: string
  model: string
  sessions: string
  minutes: number
}

/** Reads the parking events that begin in a time range, by make and model of their vehicles. */
export const readParkingByMakeModel = (
  facts: Facts,
  scope: Scope,
  query: MakeModelQuery,
  signal: AbortSignal,
): Promise<MakeModelSums[]> =>
  facts.rows<MakeModelSums>(scope, parkingByMakeModelSql(query), { signal, limits: { seconds: 60 } })

interface MakeModelQuery {
  regionId: string
  /** Milliseconds, half open. */
  from: number
  until: number
  now: number
  operators: readonly string[]
  vehicleTypes: readonly string[]
}

/** Builds SQL for `MakeModelSums`. MDS 2.0 has both in `vehicle_attributes`, 1.2 in `mfgr` and `model`. */
const parkingByMakeModelSql = ({
  regionId,
  from,
  until,
  now,
  operators,
  vehicleTypes,
}: MakeModelQuery): Sql => {
  const region = sql`region_id = ${bind('String', regionId)}`
  const operatorFilter = operators.length ? sql`and operator in ${bind('Array(String)', operators)}` : sql``
  const typeFilter = vehicleTypes.length
    ? sql`and vehicle_type in ${bind('Array(String)', vehicleTypes)}`
    : sql``
  return sql`
    select
      event.operator as operator,
      event.vehicle_type as vehicle_type,
      vehicle.make as make,
      vehicle.model as model,
      count() as sessions,
      sum(
        greatest(
          0,
          least(
            ${toMilliseconds(sql`event.to_time`)},
            ${bind('Int64', String(now))}
          ) - ${toMilliseconds(sql`event.from_time`)}
        )
      ) / 60000 as minutes
    from (
      select operator, device_id, vehicle_type, from_time, to_time
      from ${latest('parking_events')}
      where ${region} and from_time >= ${toDateTime(from)} and from_time < ${toDateTime(until)}
      ${operatorFilter} ${typeFilter}
    ) as event
    left join (
      select
        operator, device_id,
        trimBoth(
          if(
            JSONExtractString(attributes, 'vehicle_attributes', 'make') != '',
            JSONExtractString(attributes, 'vehicle_attributes', 'make'),
            JSONExtractString(attributes, 'mfgr')
          )
        ) as make,
        trimBoth(
          if(
            JSONExtractString(attributes, 'vehicle_attributes', 'model') != '',
            JSONExtractString(attributes, 'vehicle_attributes', 'model'),
            JSONExtractString(attributes, 'model')
          )
        ) as model
      from ${latest('vehicles')}
      where ${region}
    ) as vehicle
      on vehicle.operator = event.operator and vehicle.device_id = event.device_id
    group by operator, vehicle_type, make, model
    order by operator, vehicle_type, make, model`
}
