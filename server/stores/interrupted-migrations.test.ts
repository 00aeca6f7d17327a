import { expect, test } from 'vitest'
import { chdb } from '../../test/engines/open-stores.ts'
import type { Engine } from './engine.ts'
import { clickhouseMigrations } from './migrations/migrations.ts'
import { migrateFacts } from './open-facts.ts'

/** Creates an engine that fails after a number of statements and inserts, as if its process were killed. */
function endAfter(engine: Engine, steps: number): Engine {
  let left = steps
  const step = (): void => {
    if (left-- <= 0) throw new Error('killed')
  }
  return {
    ...engine,
    async command(...args) {
      step()
      await engine.command(...args)
    },
    async insert(...args) {
      step()
      await engine.insert(...args)
    },
  }
}

test('Migrations of facts that are killed anywhere are continued, and recorded once', async () => {
  const { store, close } = await chdb.open()
  try {
    const ends: string[] = []
    while (ends.at(-1) !== 'complete') {
      const migrating = migrateFacts(endAfter(store, 1 + 6 * ends.length))
      ends.push(await migrating.then(() => 'complete', String))
    }
    expect(ends.length).toBeGreaterThan(3)
    expect(new Set(ends)).toEqual(new Set(['Error: killed', 'complete']))
    expect(await migrateFacts(store)).toEqual([])
    const limits = { seconds: 60, memory: 2 ** 30 }
    const done = await store.rows(
      'select name, count() as n from schema_migrations group by name order by name',
      {},
      limits,
    )
    expect(done).toEqual(clickhouseMigrations.map(({ name }) => ({ name, n: '1' })))
    const names = clickhouseMigrations.flatMap(({ statements }) =>
      statements.flatMap((text) => /(?:table|view) if not exists (\w+)/.exec(text)?.[1] ?? []),
    )
    const tables = await store.rows(
      'select name from system.tables where database = currentDatabase()',
      {},
      limits,
    )
    const dropped = new Set(
      clickhouseMigrations.flatMap(({ statements }) =>
        statements.flatMap((text) => /drop table if exists (\w+)/.exec(text)?.[1] ?? []),
      ),
    )
    const tableNames = tables.map((row) => (row as { name: string }).name)
    expect(tableNames).toEqual(expect.arrayContaining(names.filter((name) => !dropped.has(name))))
    expect(tableNames.filter((name) => dropped.has(name))).toEqual([])
  } finally {
    await close()
  }
})
