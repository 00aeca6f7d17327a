import type { VehicleType } from '#contract/mobility.ts'
import type { PolicyFields } from '#contract/policy.ts'
import { bind, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'

/** Selects the facts of a region that a rule uses. */
export interface FactFilter {
  regionId: string
  policy: Pick<PolicyFields, 'vehicle_types' | 'propulsion_types'> & {
    exempt_vehicle_types?: readonly VehicleType[]
  }
  /** All operators if empty. */
  operators: readonly string[]
  lostAfterHours: number
  /** Milliseconds since 1970. Later facts are ignored. */
  now: number
}

/** Adds the subtypes of scooters, because some operators distinguish standing and seated ones. */
const addSubtypes = (types: readonly VehicleType[]): string[] =>
  types.flatMap((type) => (type === 'scooter' ? ['scooter', 'scooter_standing', 'scooter_seated'] : [type]))

const regionCondition = (regionId: string): Sql => sql`region_id = ${bind('String', regionId)}`

/**
 * Builds the SQL condition on the region, operator, vehicle type and propulsion of a fact.
 * @param device Expression of the fact's device id.
 * @param type Expression of the fact's vehicle type.
 */
export function ruleConditions(
  { regionId, policy, operators }: FactFilter,
  device = sql`device_id`,
  type = sql`vehicle_type`,
): Sql {
  const { vehicle_types: types, propulsion_types: drives, exempt_vehicle_types: exempt = [] } = policy
  return joinSql(
    [
      regionCondition(regionId),
      ...(operators.length ? [sql`operator in ${bind('Array(String)', operators)}`] : []),
      ...(types.length ? [sql`${type} in ${bind('Array(String)', addSubtypes(types))}`] : []),
      ...(exempt.length ? [sql`${type} not in ${bind('Array(String)', addSubtypes(exempt))}`] : []),
      ...(drives.length
        ? [
            sql`(operator, ${device}) in (
              select operator, device_id
              from ${latest('vehicles')}
              where ${regionCondition(regionId)} and hasAny(propulsion_types, ${bind('Array(String)', drives)})
            )`,
          ]
        : []),
    ],
    ' and ',
  )
}
