import { PGlite } from '@electric-sql/pglite'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { EmbeddedStatements } from './embedded-statements.ts'

let database: PGlite
let statements: EmbeddedStatements

beforeAll(async () => {
  database = await PGlite.create()
})
afterAll(() => database.close())
beforeEach(async () => {
  await database.exec(
    'deallocate all; drop table if exists vehicle; create table vehicle (id int primary key, name text)',
  )
  statements = new EmbeddedStatements(database)
})

/** Names of the statements that PGlite holds prepared. */
const preparedNames = async (): Promise<string[]> =>
  (await database.query<{ name: string }>('select name from pg_prepared_statements')).rows.map(
    ({ name }) => name,
  )

describe('EmbeddedStatements', () => {
  it('returns the same results as PGlite, whatever the values', async () => {
    const text = `select $1::int as count, $2::text as name, $3::jsonb as settings, $4::text[] as tags,
      $5::timestamptz as at, $6::bytea as bytes, $7::boolean as is_open, $8::double precision as share`
    await fc.assert(
      fc.asyncProperty(
        fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
        fc.option(fc.string().filter((name) => !name.includes('\0'))),
        fc.dictionary(fc.constantFrom('a', 'b'), fc.integer()),
        fc.option(fc.array(fc.constantFrom('', 'a', 'a,b', '"', '{}', '\\', 'null'))),
        fc.option(fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })),
        fc.option(fc.uint8Array({ maxLength: 9 })),
        fc.option(fc.boolean()),
        fc.double({ noDefaultInfinity: true, noNaN: true }),
        async (...values) => {
          expect(await statements.run(text, values)).toEqual(await database.query(text, values))
        },
      ),
      { numRuns: Number(process.env['STATEMENT_RUNS'] ?? 40) },
    )
  })

  it('counts affected rows, and returns rows of a changed statement', async () => {
    const insert = 'insert into vehicle select i, $1 from generate_series(1, 3) i'
    expect((await statements.run(insert, ['a'])).affectedRows).toBe(3)
    const update = 'update vehicle set name = $1 where id > $2 returning id'
    expect((await statements.run(update, ['b', 1])).rows).toEqual([{ id: 2 }, { id: 3 }])
    expect((await statements.run(update, ['c', 2])).rows).toEqual([{ id: 3 }])
  })

  it('prepares a text once, and closes the one used longest ago', async () => {
    await statements.run('select 0', [])
    const [first] = await preparedNames()
    for (let number = 1; number <= 300; number++) {
      await statements.run(`select ${number}`, [])
      await statements.run(`select ${number}`, [])
    }
    await statements.run('select 301', [])
    const names = await preparedNames()
    // The second statement was evicted with the last one, and is closed with the next message.
    expect(names).toHaveLength(301)
    expect(names).not.toContain(first)
  })

  it('does not keep long texts prepared', async () => {
    const before = await preparedNames()
    await statements.run(`select $1::int as id /* ${'x'.repeat(5000)} */`, [7])
    expect(await preparedNames()).toEqual(before)
  })

  it('runs other statements after one that failed', async () => {
    const insert = 'insert into vehicle values ($1, $2)'
    await statements.run(insert, [1, 'a'])
    await expect(statements.run(insert, [1, 'a'])).rejects.toMatchObject({ code: '23505' })
    await expect(statements.run('select nothing', [])).rejects.toMatchObject({ code: '42703' })
    await statements.run(insert, [2, 'b'])
    expect((await statements.run('select id from vehicle order by id', [])).rows).toEqual([
      { id: 1 },
      { id: 2 },
    ])
  })

  it('rolls a transaction back with all its statements', async () => {
    await statements.run('begin', [])
    await statements.run('insert into vehicle values ($1, $2)', [1, 'a'])
    await statements.run('rollback', [])
    expect((await statements.run('select * from vehicle', [])).rows).toEqual([])
  })

  it('reads the columns of a changed table after it forgot its statements, or at the second attempt', async () => {
    const select = 'select * from vehicle'
    await statements.run(select, [])
    await database.exec(
      "alter table vehicle add column kind text default 'bike'; insert into vehicle values (1, 'a')",
    )
    await expect(statements.run(select, [])).rejects.toMatchObject({ code: '0A000' })
    expect((await statements.run(select, [])).rows).toEqual([{ id: 1, name: 'a', kind: 'bike' }])
    await database.exec('alter table vehicle drop column kind')
    statements.forget()
    expect((await statements.run(select, [])).rows).toEqual([{ id: 1, name: 'a' }])
  })
})
