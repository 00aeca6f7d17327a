import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engineKinds } from '../../test/engines/open-stores.ts'
import type { Engine } from './engine.ts'
import { type Facts, createFacts } from './facts.ts'
import { migrateFacts } from './open-facts.ts'
import { clickhouseMigrations } from './migrations/migrations.ts'
import type { Scope } from './scope.ts'
import { bind, facts as tableOf, sql } from './sql.ts'

const makeScope = (...regionIds: string[]): Scope =>
  ({ organizationId: 'o', regionIds, operators: null, userId: null }) as unknown as Scope
const system = { organizationId: null, regionIds: null, operators: null, userId: null } as Scope
const importId = '6ba7b810-9dad-11d1-80b4-00c04fd430c8'
const columns = ['region_id', 'import_id', 'chunk', 'line', 'reason', 'detail', 'raw']

describe.each(engineKinds)('facts on $name', ({ name, open }) => {
  let engine: Engine
  let facts: Facts
  let close: () => Promise<void>
  beforeAll(async () => ({ store: engine, close } = await open()))
  afterAll(() => close())

  /** Creates an engine that fails after some statements, as if the process were killed. */
  const failAfter = (statements: number): Engine => {
    let remaining = statements
    const step = (): void => {
      if (remaining-- <= 0) throw new Error('cut off')
    }
    return {
      ...engine,
      command: async (...args) => (step(), engine.command(...args)),
      insert: async (...args) => (step(), engine.insert(...args)),
    }
  }

  it('continues a migration that was interrupted at any statement, and runs it once', async () => {
    let interruptions = 0
    for (let problem: string | null = 'cut off'; problem !== null && interruptions < 100;) {
      problem = await migrateFacts(failAfter(interruptions)).then(
        () => null,
        (error: Error) => error.message,
      )
      expect([null, 'cut off']).toContain(problem)
      if (problem !== null) interruptions++
    }
    expect(interruptions).toBeLessThan(100)
    expect(interruptions).toBeGreaterThan(
      Math.max(...clickhouseMigrations.map(({ statements }) => statements.length)),
    )
    expect(await migrateFacts(engine)).toEqual([])
    const rows = await engine.rows(
      'select name from schema_migrations order by name',
      {},
      { seconds: 10, memory: 1e9 },
    )
    expect(rows.map((row) => (row as { name: string }).name)).toEqual(
      clickhouseMigrations.map(({ name }) => name),
    )
    facts = createFacts(engine)
  })

  it('refuses data of a version before the first release', async () => {
    const older: Engine = { ...engine, rows: async () => [{ name: '001-trips' }] }
    await expect(migrateFacts(older)).rejects.toThrow('Start with an empty DATA_DIR')
  })

  it('inserts rows of many years at once', async () => {
    const columns = ['region_id', 'operator', 'device_id', 'event_time', 'event_id']
    const lines = Array.from(
      { length: 120 },
      (_, week) =>
        `r\to\t${importId}\t${new Date(Date.UTC(2018, 0, 1 + 7 * week)).toISOString().replace('T', ' ').slice(0, 23)}\t${importId}\n`,
    ).join('')
    await facts.insert(makeScope('r'), 'vehicle_events', {
      columns,
      regionId: 'r',
      lines: Buffer.from(lines),
    })
    expect(
      await facts.rows(
        makeScope('r'),
        sql`select toString(count()) as n from ${tableOf('vehicle_events')} where region_id = 'r' and operator = 'o'`,
      ),
    ).toEqual([{ n: '120' }])
    await facts.remove(makeScope('r'), 'vehicle_events', sql`operator = ${bind('String', 'o')}`)
  })

  const write = (regionId: string, ...lines: number[]): Promise<void> =>
    facts.insert(makeScope(regionId), 'set_aside_rows', {
      columns,
      regionId,
      lines: Buffer.from(
        lines.map((line) => `${regionId}\t${importId}\t0\t${line}\tempty_row\t\t[]\n`).join(''),
      ),
    })
  const readLines = async (scope: Scope): Promise<string[]> =>
    (
      await facts.rows<{ text: string }>(
        scope,
        sql`select concat(region_id, ' ', toString(line)) as text from ${tableOf('set_aside_rows')} order by text`,
      )
    ).map(({ text }) => text)

  it('reads and changes only rows inside the Scope', async () => {
    await write('a', 1, 2)
    await write('b', 1, 2)
    expect(await readLines(makeScope('a'))).toEqual(['a 1', 'a 2'])
    expect(await readLines(makeScope('a', 'b'))).toHaveLength(4)
    expect(await readLines(makeScope())).toEqual([])
    await facts.remove(
      makeScope('a'),
      'set_aside_rows',
      sql`line = ${bind('UInt64', 1)} or 1 = 1 and line = 2`,
    )
    expect(await readLines(system)).toEqual(['b 1', 'b 2'])
    await facts.remove(makeScope(), 'set_aside_rows', sql`1`)
    expect(await readLines(system)).toEqual(['b 1', 'b 2'])
    await expect(facts.remove({ ...makeScope(), regionIds: null }, 'set_aside_rows', sql`1`)).rejects.toThrow(
      'must name its regions',
    )
    expect(await readLines(system)).toEqual(['b 1', 'b 2'])
  })

  it('inserts no rows of a region outside the Scope', async () => {
    await expect(
      facts.insert(makeScope('a'), 'set_aside_rows', { columns, regionId: 'b', lines: Buffer.from('x') }),
    ).rejects.toThrow('outside of the Scope')
  })

  it('adds the rows that a query finds inside the Scope', async () => {
    await facts.add(makeScope('a'), 'set_aside_rows', {
      columns,
      rows: sql`select region_id, import_id, 1, line + 10, reason, detail, raw from ${tableOf('set_aside_rows')}`,
    })
    expect(await readLines(system)).toEqual(['b 1', 'b 2'])
    await facts.add(makeScope('b'), 'set_aside_rows', {
      columns,
      rows: sql`select region_id, import_id, 1, line + 10, reason, detail, raw from ${tableOf('set_aside_rows')}`,
    })
    expect(await readLines(system)).toEqual(['b 1', 'b 11', 'b 12', 'b 2'])
  })

  it('empties the staging of one import, given a valid id', async () => {
    await expect(facts.emptyStaging("x' or 1")).rejects.toThrow('Not an id')
    await facts.emptyStaging(importId)
    expect(await facts.rows(system, sql`select 1 as a from ${tableOf('trips_staging')}`)).toEqual([])
  })

  it.runIf(name === 'chDB')('refuses queries once it is closing', async () => {
    await facts.close()
    await expect(facts.rows(system, sql`select 1 as a`)).rejects.toThrow('closing')
  })
})
