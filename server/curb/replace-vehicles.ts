import { cutoffTimeSql, regionCondition, type RetentionCutoff } from '#server/regions/old-rows.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, columnsWith, facts as factTable, type Sql, sql } from '#server/stores/sql.ts'
import { eventColumns } from './sessions/event-rows.ts'
import { sessionColumns } from './sessions/session-rows.ts'

const tables = [
  { name: 'curb_sessions', columns: sessionColumns, time: sql`from_time` },
  { name: 'curb_events', columns: eventColumns, time: sql`event_time` },
] as const
type VehicleTable = (typeof tables)[number]

/** Prefix of the lanes of rows with a replaced vehicle. Events have no such lanes, so none are paired. */
const replacedLane = 'removed:'

/** Builds the condition for rows before the cutoff with a vehicle that has not been replaced. */
const identifiedRowsCondition = ({ time }: VehicleTable, cutoff: RetentionCutoff): Sql => sql`
  ${regionCondition(cutoff)}
    and ${time} < ${cutoffTimeSql(cutoff)}
    and vehicle != ''
    and not startsWith(lane, ${bind('String', replacedLane)})`

/** Builds SQL for the hexadecimal hash of a column with a salt. */
const hashSql = (column: Sql, salt: string): Sql =>
  sql`hex(sipHash128(concat(${bind('String', salt)}, ${column})))`

/** Builds SQL for rows with a replaced vehicle, which cannot be computed from its plate without the salt. */
const replacedRowsSql = (table: VehicleTable, cutoff: RetentionCutoff, salt: string): Sql => sql`
  select ${columnsWith(table.columns, {
    lane: sql`concat(${bind('String', replacedLane)}, ${hashSql(sql`lane`, salt)}) as new_lane`,
    vehicle: sql`substring(${hashSql(sql`vehicle`, salt)}, 1, 22) as new_vehicle`,
  })}
  from ${factTable(table.name)}
  where ${identifiedRowsCondition(table, cutoff)}`

/** Counts the rows with a vehicle that would be replaced, by table. */
export async function countVehicles(
  facts: Facts,
  scope: Scope,
  cutoff: RetentionCutoff,
): Promise<{ table: string; rows: number }[]> {
  const counts: { table: string; rows: number }[] = []
  for (const table of tables) {
    const [row] = await facts.rows<{ row_count: string }>(
      scope,
      sql`select toString(count()) as row_count from ${factTable(table.name)} where ${identifiedRowsCondition(table, cutoff)}`,
      { limits: { seconds: 300 } },
    )
    counts.push({ table: table.name, rows: Number(row?.row_count ?? 0) })
  }
  return counts
}

/**
 * Replaces the vehicles of old rows irreversibly. `salt` is random. The caller passes the same salt until
 * this succeeds, so that a repetition after an interruption writes the same rows, and then discards it.
 */
export async function replaceVehicles(
  facts: Facts,
  scope: Scope,
  cutoff: RetentionCutoff,
  salt: string,
): Promise<void> {
  const queryOptions = { limits: { seconds: 600, memory: 4 * 2 ** 30 } }
  for (const table of tables) {
    await facts.add(scope, table.name, {
      columns: table.columns,
      rows: replacedRowsSql(table, cutoff, salt),
      ...queryOptions,
    })
    await facts.remove(scope, table.name, identifiedRowsCondition(table, cutoff), queryOptions)
  }
}
