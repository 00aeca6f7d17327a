import type { VehicleType } from '#contract/mobility.ts'
import type { EventType, VehicleState } from '#contract/vehicle-states.ts'
import type { StoredIndex } from '#server/geography/face-sql.ts'
import { instant, msOf } from '#server/stores/instant.ts'
import { bind, facts, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { Span } from './fact-rows.ts'
import { inAreas } from '#server/geography/face-sql.ts'

/** What a vehicle told, until it told something else: without names, since a large city has a hundred thousand a day. */
export type StayCells = readonly [
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

/** A vehicle with its stays in order. */
export interface StaysRow {
  device_id: string
  stays: StayCells[]
}

/** Which of an operator's vehicles are looked for. */
export interface StaysAsked {
  regionId: string
  operator: string
  states: readonly VehicleState[]
  /** Null: all. */
  types: readonly string[] | null
  /** Whether it matters which events led to a state. */
  withEvents: boolean
}

const inRegion = (regionId: string): Sql => sql`region_id = ${bind('String', regionId)}`

/** Stays that begin in a span, with the areas that they lie in, by vehicle. */
export function stayRows(
  { regionId, operator, states, types, withEvents }: StaysAsked,
  { first, last }: Span,
  indexes: readonly StoredIndex[],
): Sql {
  const rows = sql`
  select device_id, ${msOf(sql`from_time`)} as begins, ${msOf(sql`to_time`)} as ends, state, ${withEvents ? sql`event_types` : sql`emptyArrayString() as event_types`}, vehicle_type, lon, lat, accuracy
  from ${latest('vehicle_intervals')}
  where ${inRegion(regionId)} and operator = ${bind('String', operator)} and state in ${bind('Array(String)', states)} and from_time >= ${instant(first)} and from_time < ${instant(last)}
    ${types ? sql`and vehicle_type in ${bind('Array(String)', types)}` : sql``}`
  return sql`
  select toString(device_id) as device_id, arraySort(stay -> stay.1, groupArray(tuple(begins, ends, state, event_types, vehicle_type, lon, lat, accuracy, areas))) as stays
  from (${inAreas(rows, indexes)})
  group by device_id`
}

/** Operators of which something began in a span. */
export const stayOperators = (regionId: string, { first, last }: Span): Sql =>
  sql`select distinct operator from ${facts('vehicle_intervals')} where ${inRegion(regionId)} and from_time >= ${instant(first)} and from_time < ${instant(last)} order by operator`

const wanted = sql`'accessibility_attributes'`
/** What is told of accessibility: a list of words, or each with whether it is so. */
const accessibility = sql`if(JSONType(attributes, ${wanted}) = 'Array', JSONExtract(attributes, ${wanted}, 'Array(String)'), arrayMap(each -> each.1, arrayFilter(each -> each.2 not in ('false', 'null', '0', '""'), JSONExtractKeysAndValuesRaw(attributes, ${wanted}))))`

/** What registered vehicles are driven by, and what they offer. */
export const traitRows = (regionId: string): Sql =>
  sql`select operator, device_id, propulsion_types, ${accessibility} as accessibility from ${latest('vehicles')} where ${inRegion(regionId)}`
