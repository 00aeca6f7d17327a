import { expect, it } from 'vitest'
import { chdb } from '../../test/engines/open-stores.ts'
import type { Engine } from './engine.ts'
import { clickhouseMigrations } from './migrations/migrations.ts'
import { migrateFacts } from './open-facts.ts'

/** An engine whose process is killed after so many statements and inserts. */
function endingAfter(engine: Engine, steps: number): Engine {
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

it('migrations of facts that are killed anywhere are continued, and recorded once', async () => {
  const { store, close } = await chdb.open()
  try {
    let kills = 0
    for (let steps = 1; ; steps += 6)
      try {
        await migrateFacts(endingAfter(store, steps))
        break
      } catch (error) {
        expect(String(error)).toContain('killed')
        kills++
      }
    expect(kills).toBeGreaterThan(3)
    expect(await migrateFacts(store)).toEqual([])
    const limits = { seconds: 60, memory: 2 ** 30 }
    const done = await store.rows(
      'select name, count() as n from schema_migrations group by name order by name',
      {},
      limits,
    )
    expect(done).toEqual(clickhouseMigrations.map(({ name }) => ({ name, n: '1' })))
    const names = clickhouseMigrations.flatMap(({ statements }) =>
      statements.flatMap((text) => /if not exists (\w+)/.exec(text)?.[1] ?? []),
    )
    const tables = await store.rows(
      'select name from system.tables where database = currentDatabase()',
      {},
      limits,
    )
    expect(tables.map((row) => (row as { name: string }).name)).toEqual(expect.arrayContaining(names))
  } finally {
    await close()
  }
})
