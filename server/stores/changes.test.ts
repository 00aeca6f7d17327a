import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { stateKinds } from '../../test/engines/open-stores.ts'
import { findTablesWritten } from './changes.ts'
import type { Scope } from './scope.ts'
import type { State } from './state.ts'

const system = { organizationId: null, regionIds: null, operators: null, userId: null } as unknown as Scope

test('findTablesWritten finds the tables that a statement writes to', () => {
  expect(findTablesWritten('insert into "user" ("id") values ($1)')).toEqual(['user'])
  expect(
    findTablesWritten('with deleted as (delete from "session" where true returning 1) update role set a = 1'),
  ).toEqual(['session', 'role'])
  expect(findTablesWritten('truncate public.layer')).toEqual(['layer'])
  expect(findTablesWritten('select * from "user"')).toEqual([])
})

describe.each(stateKinds)('changes of a state store on $name', ({ open }) => {
  let opened: { store: State; close: () => Promise<void> }
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())

  it('counts statements, raw SQL and committed transactions, and no reads or rollbacks', async () => {
    const { store: state } = opened
    const store = state.as(system)
    const count = (): number => state.changes.countFor(['secret'])
    const insertSecret = (on: typeof store, name: string) =>
      on.insertInto('secret').values({ name, value: 'x' }).execute()
    const before = count()
    await store.selectFrom('secret').selectAll().execute()
    await store.selectFrom('region').selectAll().execute()
    expect(count()).toBe(before)
    await insertSecret(store, 'a')
    expect(count()).toBe(before + 1)
    await store.updateTable('secret').set({ value: 'z' }).where('name', '=', 'none').execute()
    expect(count()).toBe(before + 1)
    await state.execute(`update secret set value = 'y'`)
    expect(count()).toBe(before + 2)
    await sql`delete from secret where name = 'a'`.execute(store)
    expect(count()).toBe(before + 3)

    let countBeforeCommit = 0
    await store.transaction().execute(async (transaction) => {
      await insertSecret(transaction, 'b')
      countBeforeCommit = count()
    })
    expect([countBeforeCommit, count()]).toEqual([before + 3, before + 4])
    await expect(
      store.transaction().execute(async (transaction) => {
        await insertSecret(transaction, 'c')
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(count()).toBe(before + 4)
    await insertSecret(store, 'd')
    expect(count()).toBe(before + 5)
    expect(state.changes.countFor(['region'])).toBe(0)
  })
})
