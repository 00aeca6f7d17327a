import type { VehicleType } from '#contract/mobility.ts'
import type { PolicyFields } from '#contract/policy.ts'
import { bind, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'

/** Which facts of a region a rule uses. */
export interface FactFilter {
  regionId: string
  policy: Pick<PolicyFields, 'vehicle_types' | 'propulsion_types'> & {
    /** Vehicle types that are excluded. */
    exempt_vehicle_types?: readonly VehicleType[]
  }
  /** Empty for all. */
  operators: readonly string[]
  lostAfterHours: number
  /** Ms; later facts do not exist yet. */
  now: number
}

/** A scooter is standing or seated, if the operator distinguishes them. */
const typesOf = (types: readonly VehicleType[]): string[] =>
  types.flatMap((type) => (type === 'scooter' ? ['scooter', 'scooter_standing', 'scooter_seated'] : [type]))

const inRegion = (regionId: string): Sql => sql`region_id = ${bind('String', regionId)}`

/** Conditions on the vehicle of a fact: region, operator and type; propulsion through `device`. */
export function ruleConditions(
  { regionId, policy, operators }: FactFilter,
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
