import type { VehicleType } from '#contract/mobility.ts'
import type { EventType, VehicleState } from '#contract/vehicle-states.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import { bind, facts, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { Span } from './fact-rows.ts'
import { inAreas, type StoredIndex } from '#server/geography/membership/face-sql.ts'

/**
 * An interval of a vehicle, with `begins` and `ends` in ms. The query returns it as a tuple without names,
 * because a large city has a hundred thousand per day.
 */
export type IntervalCells = readonly [
  begins: string,
  ends: string,
  state: VehicleState,
  types: EventType[],
  vehicleType: VehicleType,
  lon: number | null,
  lat: number | null,
  accuracy: number | null,
  areas: number[],
]

/** A vehicle with its intervals in order. */
export interface VehicleIntervalsRow {
  device_id: string
  intervals: IntervalCells[]
}

/** Which of an operator's vehicles are read. */
export interface IntervalQuery {
  regionId: string
  operator: string
  states: readonly VehicleState[]
  /** Vehicle types; null for all. */
  types: readonly string[] | null
  /** Whether the event types before a state are needed. */
  withEvents: boolean
}

const regionCondition = (regionId: string): Sql => sql`region_id = ${bind('String', regionId)}`

/** Builds SQL for intervals that begin in a span, with the areas that contain them, grouped by vehicle. */
export function intervalRows(
  { regionId, operator, states, types, withEvents }: IntervalQuery,
  { from, until }: Span,
  indexes: readonly StoredIndex[],
): Sql {
  const rows = sql`
  select
    device_id,
    ${toMilliseconds(sql`from_time`)} as begins,
    ${toMilliseconds(sql`to_time`)} as ends,
    state,
    ${withEvents ? sql`event_types` : sql`emptyArrayString() as event_types`},
    vehicle_type,
    lon,
    lat,
    accuracy
  from ${latest('vehicle_intervals')}
  where ${regionCondition(regionId)}
    and operator = ${bind('String', operator)}
    and state in ${bind('Array(String)', states)}
    and from_time >= ${toDateTime(from)}
    and from_time < ${toDateTime(until)}
    ${types ? sql`and vehicle_type in ${bind('Array(String)', types)}` : sql``}`
  return sql`
  select
    toString(device_id) as device_id,
    -- in order of their begin
    arraySort(
      cells -> cells.1,
      groupArray(tuple(begins, ends, state, event_types, vehicle_type, lon, lat, accuracy, areas))
    ) as intervals
  from (${inAreas(rows, indexes)})
  group by device_id`
}

/** Builds SQL for operators with intervals that begin in a span. */
export const operatorRows = (regionId: string, { from, until }: Span): Sql =>
  sql`
    select distinct operator
    from ${facts('vehicle_intervals')}
    where ${regionCondition(regionId)} and from_time >= ${toDateTime(from)} and from_time < ${toDateTime(until)}
    order by operator`

const attributeKey = sql`'accessibility_attributes'`
/** SQL of reported accessibility, which is a list of attributes or an object with a value per attribute. */
const accessibilityColumn = sql`
  if(
    JSONType(attributes, ${attributeKey}) = 'Array',
    JSONExtract(attributes, ${attributeKey}, 'Array(String)'),
    arrayMap(
      attribute -> attribute.1,
      arrayFilter(
        attribute -> attribute.2 not in ('false', 'null', '0', '""'),
        JSONExtractKeysAndValuesRaw(attributes, ${attributeKey})
      )
    )
  )`

/** Builds SQL for propulsion types and accessibility of registered vehicles. */
export const traitRows = (regionId: string): Sql =>
  sql`
    select operator, device_id, propulsion_types, ${accessibilityColumn} as accessibility
    from ${latest('vehicles')}
    where ${regionCondition(regionId)}`
