import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { Sql } from '#server/stores/sql.ts'
import { type FleetMethod, fleetMethodVersion, type FleetQuestion, type FleetSize } from './fleet-question.ts'
import { averageFleetSql, daytimeFleetSql, largestFleetSql, largestHourSql } from './queries.ts'

const buildSql: Readonly<Record<FleetMethod, (question: FleetQuestion) => Sql>> = {
  avg: averageFleetSql,
  max: largestFleetSql,
  sae_max: largestHourSql,
  daytime_avg: daytimeFleetSql,
}

/** The sizes of a fleet and the method. Equal methods, versions and parameters give equal sizes. */
interface FleetSizes {
  method: FleetMethod
  methodVersion: number
  sizes: FleetSize[]
}

/** Computes the size of a fleet by group. Groups without vehicles are omitted. */
export async function computeFleetSize(
  facts: Facts,
  scope: Scope,
  method: FleetMethod,
  question: FleetQuestion,
): Promise<FleetSizes> {
  const methodUsed = { method, methodVersion: fleetMethodVersion }
  if (!(question.until > question.from)) return { ...methodUsed, sizes: [] }
  const rows = await facts.rows<FleetSize>(scope, buildSql[method](question), {
    limits: { seconds: 60, memory: 6 * 2 ** 30 },
  })
  return {
    ...methodUsed,
    sizes: rows.map((row) => ({ ...row, value: Number(row.value) })).filter(({ value }) => value > 0),
  }
}
