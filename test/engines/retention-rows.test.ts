// Data retention removes old rows of every table and no others, on all kinds of fact stores.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RetentionCategory } from '#contract/retention.ts'
import { regionScope } from '#server/identity/scope.ts'
import { oldRows } from '#server/operations/retention/categories.ts'
import { countRows, removeRows } from '#server/operations/retention/remove-rows.ts'
import type { RetentionCutoff } from '#server/regions/old-rows.ts'
import type { Engine } from '#server/stores/engine.ts'
import { createFacts, type Facts } from '#server/stores/facts.ts'
import { migrateFacts } from '#server/stores/open-facts.ts'
import type { State } from '#server/stores/state.ts'
import { engineKinds } from './open-stores.ts'

const [regionId, otherRegion] = ['alder', 'birch']
const beforeCutoff = '2026-01-10 17:00:00'
const afterCutoff = '2026-03-10 17:00:00'
const [oldImport, newImport] = [randomUUID(), randomUUID()]
const cutoff: RetentionCutoff = {
  regionId,
  timezone: 'America/New_York',
  lostAfterHours: 48,
  beforeDay: '2026-02-01',
  importIds: [oldImport],
}
const categories = Object.entries(oldRows).map(([category, list]) => ({
  category: category as RetentionCategory,
  tables: list.map(({ table }) => table as string),
}))
const limits = { seconds: 60, memory: 2 ** 30 }

describe.each(engineKinds)('old rows on $name', ({ open }) => {
  let engine: Engine
  let facts: Facts
  let close: () => Promise<void>
  beforeAll(async () => {
    const opened = await open()
    engine = opened.store
    close = opened.close
    await migrateFacts(engine)
    facts = createFacts(engine)
  })
  afterAll(() => close())

  const readRows = (query: string): Promise<Record<string, string>[]> =>
    engine.rows(query, {}, limits) as Promise<Record<string, string>[]>

  /** Adds a row with the same time in all columns of times. */
  async function addRow(table: string, region: string, time: string): Promise<void> {
    const columns = await readRows(
      `select name, type
      from system.columns
      where database = currentDatabase() and table = '${table}' and default_kind = ''`,
    )
    const namesAndValues = columns.flatMap(({ name = '', type = '' }) => {
      if (name === 'region_id') return [[name, `'${region}'`]]
      if (name === 'import_id') return [[name, `'${time === beforeCutoff ? oldImport : newImport}'`]]
      if (type.startsWith('DateTime')) return [[name, `'${time}'`]]
      return type === 'Date' ? [[name, `'${time.slice(0, 10)}'`]] : []
    })
    const names = namesAndValues.map(([name]) => name).join(', ')
    const values = namesAndValues.map(([, value]) => value).join(', ')
    await engine.command(`insert into ${table} (${names}) values (${values})`, {}, limits)
  }
  const listRegions = async (table: string): Promise<string[]> =>
    (await readRows(`select region_id from ${table} order by region_id`)).map((row) => row['region_id'] ?? '')

  it.each(categories)('$category: $tables', async ({ category, tables }) => {
    const scope = regionScope(randomUUID(), regionId)
    for (const table of tables) {
      await engine.command(`truncate table ${table}`, {}, limits)
      await addRow(table, regionId, beforeCutoff)
      await addRow(table, regionId, afterCutoff)
      await addRow(table, otherRegion, beforeCutoff)
    }
    const oldCounts = await countRows({ facts }, scope, category, cutoff)
    expect(oldCounts).toEqual(tables.map((table) => ({ table, rows: 1 })))
    await removeRows({ state: {} as State, facts }, scope, category, cutoff)
    for (const table of tables)
      expect([table, ...(await listRegions(table))]).toEqual([table, regionId, otherRegion])
    const remainingCounts = await countRows({ facts }, scope, category, cutoff)
    expect(remainingCounts.every(({ rows: count }) => count === 0)).toBe(true)
  })
})
