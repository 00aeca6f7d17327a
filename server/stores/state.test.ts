import fs from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { createDatabase, createFolder, stateKinds } from '../../test/engines/open-stores.ts'
import { createDataDir } from '../../test/new-data-dir.ts'
import { postgresMigrations, PreReleaseData } from './migrations/migrations.ts'
import type { Scope } from './scope.ts'
import { openState } from './state.ts'

const system = { organizationId: null, regionIds: null, operators: null, userId: null } as unknown as Scope
const names = postgresMigrations.map(({ name }) => name)
const server = process.env['TEST_DATABASE_URL']

test('The state store retains its rows when it is opened again, and migrates once', async () => {
  const { folder, remove } = createFolder()
  const first = await openState({ databaseUrl: null, dataDir: folder })
  await first.as(system).insertInto('secret').values({ name: 'a', value: 'a secret' }).execute()
  await first.close()
  const second = await openState({ databaseUrl: null, dataDir: folder })
  expect(await second.as(system).selectFrom('secret').select('value').execute()).toEqual([
    { value: 'a secret' },
  ])
  expect((await second.execute('select name from schema_migration order by name')).rows).toEqual(
    names.map((name) => ({ name })),
  )
  await second.close()
  remove()
})

test('The state store leaves the formats of curb files to the contract', async () => {
  const dataDir = createDataDir()
  const state = await openState({ databaseUrl: null, dataDir })
  const { rows } = await state.execute(
    `select conname from pg_constraint where conrelid = 'curb_inventory'::regclass and contype = 'c'`,
  )
  expect(rows).toEqual([])
  await state.close()
  fs.rmSync(dataDir, { recursive: true, force: true })
})

test('The state store refuses a data directory of a version before the first release', async () => {
  const dataDir = createDataDir()
  const first = await openState({ databaseUrl: null, dataDir })
  await first.execute(`update schema_migration set name = '001-start' where name like '001-%'`)
  await first.close()
  await expect(openState({ databaseUrl: null, dataDir })).rejects.toThrow(PreReleaseData)
  fs.rmSync(dataDir, { recursive: true, force: true })
})

test.skipIf(!server)(
  'Servers that start at once on an empty database all start, and migrate it once',
  async () => {
    const { url, drop } = await createDatabase(server ?? '')
    const states = await Promise.all(
      Array.from({ length: 4 }, () => openState({ databaseUrl: url, dataDir: '' })),
    )
    expect((await states[0]?.execute('select name from schema_migration order by name'))?.rows).toEqual(
      names.map((name) => ({ name })),
    )
    for (const state of states) await state.close()
    await drop()
  },
)

describe.each(stateKinds)('state on $name', ({ open }) => {
  it('returns bigints as text, parses JSON and times, and serializes transactions', async () => {
    const { store: state, close } = await open()
    const store = state.as(system)
    const organization_id = '6ba7b810-9dad-11d1-80b4-00c04fd430c8'
    await store
      .insertInto('organization')
      .values({
        organization_id,
        name: "d'Été 北",
        type: 'city',
        settings: '{"a":[1,null,"x"]}',
        created_time: new Date('2026-03-08T10:00:00.123Z'),
      })
      .execute()
    expect(await store.selectFrom('organization').selectAll().execute()).toEqual([
      {
        organization_id,
        name: "d'Été 北",
        type: 'city',
        settings: { a: [1, null, 'x'] },
        created_time: new Date('2026-03-08T10:00:00.123Z'),
      },
    ])
    await store
      .insertInto('region')
      .values({
        region_id: 'r',
        organization_id,
        text: 'r',
        lat: 0,
        lon: 0,
        map_zoom: 1,
        currency_code: 'USD',
        timezone: 'UTC',
        is_metric: true,
        logo_filename: null,
        allowed_maps: null,
      })
      .execute()
    await store
      .insertInto('region_facts')
      .values({ region_id: 'r', facts_version: '9007199254740993' })
      .execute()
    expect(await store.selectFrom('region_facts').select('facts_version').execute()).toEqual([
      { facts_version: '9007199254740993' },
    ])

    await store.updateTable('region_facts').set({ facts_version: 0 }).execute()
    await Promise.all(
      Array.from({ length: 12 }, () =>
        store.transaction().execute(async (transaction) => {
          const { facts_version } = await transaction
            .selectFrom('region_facts')
            .select('facts_version')
            .forUpdate()
            .executeTakeFirstOrThrow()
          await transaction
            .updateTable('region_facts')
            .set({ facts_version: Number(facts_version) + 1 })
            .execute()
        }),
      ),
    )
    expect(await store.selectFrom('region_facts').select('facts_version').execute()).toEqual([
      { facts_version: '12' },
    ])

    const undone = store.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('region').execute()
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    expect((await store.deleteFrom('region').executeTakeFirst()).numDeletedRows).toBe(1n)
    expect((await state.execute('select 1 as a; select 2 as b')).rows).toEqual([{ b: 2 }])
    expect((await state.execute('select $1::text as a', ["it's"])).rows).toEqual([{ a: "it's" }])
    await close()
  })
})
