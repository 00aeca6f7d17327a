import { bind, type Sql, sql } from '#server/stores/sql.ts'
import type { DayMdsRule } from '../rules/day-mds-rules.ts'
import type { Stretch } from '../rules/open-times.ts'
import { traitRows } from './interval-rows.ts'

export interface SpeedRule {
  rule: Pick<
    DayMdsRule,
    'bounds' | 'chargesWithin' | 'vehicleTypes' | 'propulsionTypes' | 'accessibilityOptions'
  >
  /** Numbers of the rule's areas. */
  areas: readonly number[]
  open: readonly Stretch[]
}

/** The first place at which a vehicle broke a rule. */
export interface SpeedBreachRow {
  operator: string
  device_id: string
  vehicle_type: string
  fact_id: string
  trip_id: string
  begins: string
  lon: number
  lat: number
  accuracy: number | null
  speed: number
  /** Number of the rule, starting at 1. */
  rule: number
  areas: number[]
}

/** Stand in for missing bounds, beyond all reported speeds and within the range of Float32. */
const lowestBound = -3e38
const highestBound = 3e38
/** Rounds a bound like stored telemetry: 25 km/h, reported as 6.944444444 m/s, is not over 25 km/h. */
const toStoredPrecision = (bound: number): number =>
  Math.fround(Math.max(lowestBound, Math.min(highestBound, bound)))
const toList = (values: ReadonlySet<string> | null): string[] => [...(values ?? [])]

/**
 * Builds SQL for the first place at which each vehicle violated each rule, among places of trips with `speed`
 * and `areas`. Each place is evaluated separately. It counts for the first rule with bounds that it exceeds,
 * unless a rule that only charges within its bounds comes before.
 */
export function speedBreachRows(places: Sql, rules: readonly SpeedRule[], regionId: string): Sql {
  const bindByRule = <T>(type: string, getValue: (rule: SpeedRule) => T): Sql =>
    sql`${bind(`Array(${type})`, rules.map(getValue))}`
  const storedSpeed = sql`toFloat64(toFloat32(speed))`
  const isWithin = sql`(
    if(includes_min, ${storedSpeed} >= min_speed, ${storedSpeed} > min_speed)
    and if(includes_max, ${storedSpeed} <= max_speed, ${storedSpeed} < max_speed)
  )`
  const chargesWithin = bindByRule('UInt8', ({ rule }) => (rule.chargesWithin ? 1 : 0))
  // The arrays have one element per rule, in the order of the parameters of the lambda.
  const matchingRule = sql`
    arrayFirstIndex(
      (rule_areas, min_speed, includes_min, max_speed, includes_max, charges, types, drives, options, opens, shuts) ->
        hasAny(areas, rule_areas)
        and ${isWithin} = charges
        and (empty(types) or has(types, vehicle_type))
        and (empty(drives) or hasAny(propulsion_types, drives))
        and (empty(options) or hasAny(accessibility, options))
        and arrayExists((open, shut) -> begins >= open and begins < shut, opens, shuts),
      ${bindByRule('Array(UInt32)', ({ areas }) => areas)},
      ${bindByRule('Float64', ({ rule }) => toStoredPrecision(rule.bounds.minimum))},
      ${bindByRule('UInt8', ({ rule }) => (rule.bounds.inclusiveMinimum ? 1 : 0))},
      ${bindByRule('Float64', ({ rule }) => toStoredPrecision(rule.bounds.maximum))},
      ${bindByRule('UInt8', ({ rule }) => (rule.bounds.inclusiveMaximum ? 1 : 0))},
      ${chargesWithin},
      ${bindByRule('Array(String)', ({ rule }) => toList(rule.vehicleTypes))},
      ${bindByRule('Array(String)', ({ rule }) => toList(rule.propulsionTypes))},
      ${bindByRule('Array(String)', ({ rule }) => toList(rule.accessibilityOptions))},
      ${bindByRule('Array(Int64)', ({ open }) => open.map(({ from }) => from))},
      ${bindByRule('Array(Int64)', ({ open }) => open.map(({ until }) => until))}
    )`
  return sql`
  with
    places_with_rule as (
      select *, ${matchingRule} as rule
      from (${places}) as place
      left join (${traitRows(regionId)}) as traits
        on traits.operator = place.operator and traits.device_id = place.device_id
    )
  select
    operator,
    toString(device_id) as device_id,
    vehicle_type,
    toString(fact_id) as fact_id,
    toString(trip_id) as trip_id,
    begins,
    lon,
    lat,
    accuracy,
    speed,
    rule,
    areas
  from places_with_rule
  where rule > 0 and arrayElement(${chargesWithin}, rule) = 0
  order by begins, fact_id
  limit 1 by operator, device_id, rule`
}
