import { randomBytes } from 'node:crypto'
import { dayMs } from '#contract/period.ts'
import type { RetentionCategory } from '#contract/retention.ts'
import { countVehicles, replaceVehicles } from '#server/curb/replace-vehicles.ts'
import { findHeldRegions } from '#server/regions/fact-limits.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { RetentionCutoff } from '#server/regions/old-rows.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts as factTable, type Sql, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { oldRows } from './categories.ts'

export interface Stores {
  state: State
  facts: Facts
}

interface TableRows {
  table: string
  rows: number
}

const queryOptions = { limits: { seconds: 600, memory: 4 * 2 ** 30 } }

/** The condition for rows of the region that meet `where`. */
const oldRegionRowsSql = (cutoff: RetentionCutoff, where: Sql): Sql =>
  sql`region_id = ${bind('String', cutoff.regionId)} and (${where})`

/** Counts the old rows of each table of a category, including outdated versions. */
export async function countRows(
  { facts }: Pick<Stores, 'facts'>,
  scope: Scope,
  category: RetentionCategory,
  cutoff: RetentionCutoff,
): Promise<TableRows[]> {
  if (category === 'plates') return countVehicles(facts, scope, cutoff)
  const counts: TableRows[] = []
  for (const { table, where } of oldRows[category] ?? []) {
    const [row] = await facts.rows<{ row_count: string }>(
      scope,
      sql`select toString(count()) as row_count from ${factTable(table)} where ${oldRegionRowsSql(cutoff, where(cutoff))}`,
      queryOptions,
    )
    counts.push({ table, rows: Number(row?.row_count ?? 0) })
  }
  return counts
}

/** Removes the old rows of a category. Can be repeated after an interruption. */
export async function removeRows(
  { state, facts }: Stores,
  scope: Scope,
  category: RetentionCategory,
  cutoff: RetentionCutoff,
): Promise<void> {
  if (category === 'plates') return replacePlates({ state, facts }, scope, cutoff)
  for (const { table, where } of oldRows[category] ?? [])
    await facts.remove(scope, table, oldRegionRowsSql(cutoff, where(cutoff)), queryOptions)
}

/**
 * Replaces hashes of vehicles in old rows by salted ones. The salt is stored until all rows are replaced, so
 * that an interrupted run continues with the same one.
 */
async function replacePlates({ state, facts }: Stores, scope: Scope, cutoff: RetentionCutoff): Promise<void> {
  const row = await state
    .as(scope)
    .selectFrom('retention_limit')
    .select('salt')
    .where('region_id', '=', cutoff.regionId)
    .where('category', '=', 'plates')
    .executeTakeFirst()
  const salt = row?.salt ?? randomBytes(24).toString('base64url')
  const storeSalt = (value: string | null): Promise<unknown> =>
    state
      .as(scope)
      .updateTable('retention_limit')
      .set({ salt: value })
      .where('region_id', '=', cutoff.regionId)
      .where('category', '=', 'plates')
      .execute()
  await storeSalt(salt)
  await replaceVehicles(facts, scope, cutoff, salt)
  await storeSalt(null)
}

/**
 * Finds the time before which entries of an organization's audit log may be removed: that of the region with
 * the most days; null if a region has a hold or no limit.
 */
export async function findAuditCutoff(state: State, organizationId: string, at: Date): Promise<Date | null> {
  const regions = await state
    .as(systemScope)
    .selectFrom('region')
    .leftJoin('retention_days', (join) =>
      join
        .onRef('retention_days.region_id', '=', 'region.region_id')
        .on('retention_days.category', '=', 'audit'),
    )
    .select(['region.region_id', 'retention_days.days'])
    .where('region.organization_id', '=', organizationId)
    .execute()
  const heldRegions = await findHeldRegions(state)
  const days = regions.map((row) => (heldRegions.includes(row.region_id) ? null : row.days))
  if (!days.length || days.includes(null)) return null
  return new Date(at.getTime() - Math.max(...days.map(Number)) * dayMs)
}

/** Counts the entries of an organization's audit log before a time. */
export async function countAudit(state: State, organizationId: string, before: Date): Promise<TableRows[]> {
  const row = await state
    .as(systemScope)
    .selectFrom('audit')
    .select(({ fn }) => fn.countAll<string>().as('row_count'))
    .where('organization_id', '=', organizationId)
    .where('at', '<', before)
    .executeTakeFirst()
  return [{ table: 'audit', rows: Number(row?.row_count ?? 0) }]
}

/** Removes the entries of an organization's audit log before a time. */
export async function removeAudit(state: State, organizationId: string, before: Date): Promise<void> {
  await state
    .as(systemScope)
    .deleteFrom('audit')
    .where('organization_id', '=', organizationId)
    .where('at', '<', before)
    .execute()
}
