import type { VehicleType } from '#contract/mobility.ts'
import type { PolicyFields } from '#contract/policy.ts'
import { bind, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'

/** Whose facts are asked for. */
export interface Asked {
  regionId: string
  policy: Pick<PolicyFields, 'vehicle_types' | 'propulsion_types'> & {
    /** Types that are left out. */
    exempt_vehicle_types?: readonly VehicleType[]
  }
  /** Empty: all. */
  operators: readonly string[]
  lostAfterHours: number
  /** Ms; what comes later is not there yet. */
  now: number
}

/** A scooter is one standing or seated, where the operator tells which. */
const typesOf = (types: readonly VehicleType[]): string[] =>
  types.flatMap((type) => (type === 'scooter' ? ['scooter', 'scooter_standing', 'scooter_seated'] : [type]))

const inRegion = (regionId: string): Sql => sql`region_id = ${bind('String', regionId)}`

/** Conditions on the vehicle over the columns of a fact: region, operator and type; of propulsion by its `device`. */
export function ruleConditions(
  { regionId, policy, operators }: Asked,
  device = sql`device_id`,
  type = sql`vehicle_type`,
): Sql {
  const { vehicle_types: types, propulsion_types: drives, exempt_vehicle_types: exempt = [] } = policy
  return joinSql(
    [
      inRegion(regionId),
      ...(operators.length ? [sql`operator in ${bind('Array(String)', operators)}`] : []),
      ...(types.length ? [sql`${type} in ${bind('Array(String)', typesOf(types))}`] : []),
      ...(exempt.length ? [sql`${type} not in ${bind('Array(String)', typesOf(exempt))}`] : []),
      ...(drives.length
        ? [
            sql`(operator, ${device}) in (select operator, device_id from ${latest('vehicles')} where ${inRegion(regionId)} and hasAny(propulsion_types, ${bind('Array(String)', drives)}))`,
          ]
        : []),
    ],
    ' and ',
  )
}
