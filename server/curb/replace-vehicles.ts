import { startOfCut, ofRegion, type RetentionCutoff } from '#server/regions/old-rows.ts'
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

/**
 * Prefix of the lanes of rows with a replaced vehicle. Events never have such a lane, so none is paired with
 * these rows.
 */
const replacedLane = 'removed:'

/** Returns rows before the cutoff with a vehicle that has not been replaced. */
const identified = ({ time }: VehicleTable, cutoff: RetentionCutoff): Sql => sql`
  ${ofRegion(cutoff)}
    and ${time} < ${startOfCut(cutoff)}
    and vehicle != ''
    and not startsWith(lane, ${bind('String', replacedLane)})`

const hashed = (column: Sql, salt: string): Sql =>
  sql`hex(sipHash128(concat(${bind('String', salt)}, ${column})))`

/**
 * Returns rows with the vehicle replaced by a number that cannot be computed from its plate without the
 * discarded salt.
 */
const replacedRows = (table: VehicleTable, cutoff: RetentionCutoff, salt: string): Sql => sql`
  select ${columnsWith(table.columns, {
    lane: sql`concat(${bind('String', replacedLane)}, ${hashed(sql`lane`, salt)}) as new_lane`,
    vehicle: sql`substring(${hashed(sql`vehicle`, salt)}, 1, 22) as new_vehicle`,
  })}
  from ${factTable(table.name)}
  where ${identified(table, cutoff)}`

/** Returns the numbers of rows with a vehicle that would be replaced, by table. */
export async function countVehicles(
  facts: Facts,
  scope: Scope,
  cutoff: RetentionCutoff,
): Promise<{ table: string; rows: number }[]> {
  const found: { table: string; rows: number }[] = []
  for (const table of tables) {
    const [row] = await facts.rows<{ row_count: string }>(
      scope,
      sql`select toString(count()) as row_count from ${factTable(table.name)} where ${identified(table, cutoff)}`,
      { limits: { seconds: 300 } },
    )
    found.push({ table: table.name, rows: Number(row?.row_count ?? 0) })
  }
  return found
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
      rows: replacedRows(table, cutoff, salt),
      ...queryOptions,
    })
    await facts.remove(scope, table.name, identified(table, cutoff), queryOptions)
  }
}
