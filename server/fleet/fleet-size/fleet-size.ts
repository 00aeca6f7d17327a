import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { Sql } from '#server/stores/sql.ts'
import { type FleetMethod, fleetMethodVersion, type FleetQuestion, type FleetSize } from './fleet-question.ts'
import { averageFleet, daytimeFleet, largestFleet, largestHour } from './queries.ts'

const queryOf: Readonly<Record<FleetMethod, (question: FleetQuestion) => Sql>> = {
  avg: averageFleet,
  max: largestFleet,
  sae_max: largestHour,
  daytime_avg: daytimeFleet,
}

/** The size of a fleet with how it was counted: the same method, version and parameters give the same answer elsewhere. */
interface FleetSizes {
  method: FleetMethod
  methodVersion: number
  sizes: FleetSize[]
}

/** The size of a fleet by one of the four methods, by group. A group without a vehicle has no row. */
export async function fleetSize(
  store: Facts,
  scope: Scope,
  method: FleetMethod,
  question: FleetQuestion,
): Promise<FleetSizes> {
  const counted = { method, methodVersion: fleetMethodVersion }
  if (!(question.until > question.from)) return { ...counted, sizes: [] }
  const rows = await store.rows<FleetSize>(scope, queryOf[method](question), {
    limits: { seconds: 60, memory: 6 * 2 ** 30 },
  })
  return {
    ...counted,
    sizes: rows.map((row) => ({ ...row, value: Number(row.value) })).filter(({ value }) => value > 0),
  }
}
