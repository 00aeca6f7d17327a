import fc from 'fast-check'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stateKinds } from '../../test/engines/open-stores.ts'
import type { Scope } from './scope.ts'
import { createScopePlugin } from './scope-plugin.ts'
import type { State } from './state.ts'
import type { StateTables } from './state-tables.ts'

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const mine = uuid(1)
const theirs = uuid(2)
const system = { organizationId: null, regionIds: null, operators: null, userId: null } as unknown as Scope
const viewer = {
  organizationId: mine,
  regionIds: ['mine-1', 'mine-2'],
  operators: null,
  userId: 'me',
} as unknown as Scope

type Store = Kysely<StateTables>

interface Refusal {
  name: string
  code?: string
}

/** Every row contains the word `mine` or `theirs` in its texts, so that leaks can be seen. */
async function fill(store: Store): Promise<void> {
  for (const [owner, organization_id] of [
    ['mine', mine],
    ['theirs', theirs],
  ] as const) {
    await store.insertInto('organization').values({ organization_id, name: owner, type: 'city' }).execute()
    await store
      .insertInto('user')
      .values({
        id: `${owner}-u`,
        email: `${owner}@example.org`,
        name: owner,
        emailVerified: true,
        image: null,
        organizationId: organization_id,
        updatedAt: new Date(0),
      })
      .execute()
    await store
      .insertInto('account')
      .values({
        id: `${owner}-a`,
        accountId: 'a',
        providerId: 'credential',
        userId: `${owner}-u`,
        password: owner,
        updatedAt: new Date(0),
      })
      .execute()
    await store
      .insertInto('operator')
      .values({ organization_id, slug: 'lark', name: owner, color_hex: '#000000' })
      .execute()
    for (const n of [1, 2]) {
      const region_id = `${owner}-${n}`
      await store
        .insertInto('region')
        .values({
          region_id,
          organization_id,
          text: owner,
          lat: 0,
          lon: 0,
          map_zoom: 11,
          currency_code: 'USD',
          timezone: 'UTC',
          is_metric: true,
          logo_filename: null,
          allowed_maps: null,
        })
        .execute()
      const layer_id = uuid(10 * n + (owner === 'mine' ? 1 : 2))
      await store
        .insertInto('layer')
        .values({ layer_id, region_id, name: owner, slug: 'l', level: null, bbox: null, content_hash: '' })
        .execute()
      await store
        .insertInto('shape')
        .values({
          shape_uuid: layer_id,
          region_id,
          layer_id,
          position: n,
          shape_id: 's',
          name: owner,
          description: null,
          geometry: '{}',
          side_of_street: null,
        })
        .execute()
    }
  }
}

const tables = ['region', 'layer', 'shape'] as const
/** One of the tables, with one type for all because only their common columns are used. */
const anyTable = fc.constantFrom(...tables) as fc.Arbitrary<'layer'>
const eitherWay = fc.boolean()

/** Queries of many forms over tables of regions. */
const queries = fc.oneof(
  anyTable.map(
    (table) => (store: Store) =>
      store.selectFrom(`${table} as t`).selectAll().orderBy('t.region_id').execute(),
  ),
  fc
    .tuple(anyTable, anyTable, fc.constantFrom('inner', 'left', 'right', 'full', 'cross'))
    .map(([table, joinedTable, kind]) => (store: Store) => {
      const from = store.selectFrom(`${table} as a`)
      const joins = {
        cross: () => from.crossJoin(`${joinedTable} as b`),
        inner: () => from.innerJoin(`${joinedTable} as b`, (on) => on.onTrue()),
        left: () => from.leftJoin(`${joinedTable} as b`, (on) => on.onTrue()),
        right: () => from.rightJoin(`${joinedTable} as b`, 'a.region_id', 'b.region_id'),
        full: () => from.fullJoin(`${joinedTable} as b`, 'a.region_id', 'b.region_id'),
      }
      return joins[kind]().select(['a.region_id as one', 'b.region_id as two']).execute()
    }),
  fc.tuple(anyTable, anyTable).map(
    ([one, two]) =>
      (store: Store) =>
        store
          .selectFrom([`${one} as a`, `${two} as b`])
          .select(['a.region_id as one', 'b.region_id as two'])
          .execute(),
  ),
  anyTable.map(
    (table) => (store: Store) =>
      store
        .selectFrom((eb) => eb.selectFrom(table).select('region_id').as('inner'))
        .selectAll()
        .execute(),
  ),
  anyTable.map(
    (table) => (store: Store) =>
      store
        .selectFrom('organization')
        .select([
          'name',
          (eb) =>
            eb
              .selectFrom(table)
              .select((builder) => builder.fn.max('region_id').as('m'))
              .as('sub'),
        ])
        .execute(),
  ),
  anyTable.map(
    (table) => (store: Store) =>
      store
        .selectFrom('operator')
        .selectAll()
        .where((is) =>
          is.exists(is.selectFrom(table).select('region_id').where('region_id', 'like', 'theirs%')),
        )
        .execute(),
  ),
  fc.tuple(anyTable, anyTable).map(
    ([one, two]) =>
      (store: Store) =>
        store.selectFrom(one).select('region_id').union(store.selectFrom(two).select('region_id')).execute(),
  ),
  fc.tuple(anyTable, eitherWay).map(
    ([table, or]) =>
      (store: Store) =>
        store
          .selectFrom(table)
          .select('region_id')
          .where((is) =>
            or
              ? is.or([is('region_id', 'like', 'theirs%'), is.lit(true)])
              : is.not(is('region_id', '=', 'mine-1')),
          )
          .execute(),
  ),
  anyTable.map(
    (table) => (store: Store) =>
      store
        .selectFrom(table)
        .select((eb) => [
          eb.fn.count('region_id').as('n'),
          eb.fn.min('region_id').as('min'),
          eb.fn.max('region_id').as('max'),
        ])
        .execute(),
  ),
  fc.constant((store: Store) => store.selectFrom('user').selectAll().execute()),
  fc.constant((store: Store) =>
    store
      .selectFrom('organization')
      .innerJoin('operator', (on) => on.onTrue())
      .select(['organization.name', 'operator.name as operator'])
      .execute(),
  ),
)

/** Changes of many forms; without limits, all of them would affect rows of both organizations. */
const changes = fc.oneof(
  fc.tuple(fc.constantFrom('layer', 'shape'), eitherWay).map(
    ([table, all]) =>
      (store: Store) =>
        store
          .updateTable(table as 'layer')
          .set({ name: 'changed' })
          .$if(!all, (eb) => eb.where((is) => is.or([is('name', '=', 'theirs'), is.lit(true)])))
          .execute(),
  ),
  fc.constant((store: Store) =>
    store.updateTable('layer as l').set({ name: 'changed' }).where('l.name', '=', 'theirs').execute(),
  ),
  fc.constant((store: Store) =>
    store
      .updateTable('layer')
      .from('shape')
      .set((eb) => ({ name: eb.ref('shape.name') }))
      .whereRef('shape.position', '<', 'layer.shape_count')
      .execute(),
  ),
  fc.constant((store: Store) =>
    store
      .updateTable('layer')
      .from('shape as s')
      .set((eb) => ({ slug: eb.ref('s.name') }))
      .where('s.name', '=', 'theirs')
      .execute(),
  ),
  fc.constant((store: Store) =>
    store
      .updateTable('layer')
      .set((eb) => ({ name: eb.selectFrom('shape').select('name').where('name', '=', 'theirs').limit(1) }))
      .where('slug', '=', 'none')
      .execute(),
  ),
  fc
    .constantFrom('mine-1', 'theirs-1')
    .map(
      (region_id) => (store: Store) =>
        store.updateTable('layer').set({ region_id }).where('slug', '=', 'l').execute(),
    ),
  fc.constant((store: Store) =>
    store.updateTable('operator').set({ organization_id: theirs, slug: 'moved' }).execute(),
  ),
  fc
    .constantFrom('layer', 'shape')
    .map((table) => (store: Store) => store.deleteFrom(table as 'layer').execute()),
  fc.constant((store: Store) =>
    store.deleteFrom('shape').using('layer').where('layer.name', '=', 'theirs').execute(),
  ),
  fc.constant((store: Store) =>
    store
      .deleteFrom('layer as l')
      .where('l.name', 'in', (eb) => eb.selectFrom('shape').select('name'))
      .execute(),
  ),
  fc.constantFrom('mine-1', 'theirs-1').map(
    (region_id) => (store: Store) =>
      store
        .insertInto('layer')
        .values({
          layer_id: uuid(12),
          region_id,
          name: 'changed',
          slug: 'other',
          level: null,
          bbox: null,
          content_hash: '',
        })
        .onConflict((clash) => clash.column('layer_id').doUpdateSet({ name: 'changed' }))
        .execute(),
  ),
  fc.constant((store: Store) =>
    store
      .insertInto('operator')
      .columns(['organization_id', 'slug', 'name', 'color_hex'])
      .expression((eb) => eb.selectFrom('operator').select(['organization_id', 'name', 'slug', 'color_hex']))
      .execute(),
  ),
)

describe.each(stateKinds)('the Scope on $name', ({ open }) => {
  let state: State
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ store: state, close } = await open())
    await fill(state.as(system))
  })
  afterAll(() => close())

  /** Reads all rows of the other organization, as the system sees them. */
  const readOtherRows = async (store: Store): Promise<string> =>
    JSON.stringify([
      ...(await Promise.all(
        tables.map((table) =>
          store
            .selectFrom(table)
            .selectAll()
            .where('region_id', 'like', 'theirs%')
            .orderBy('region_id')
            .execute(),
        ),
      )),
      await store
        .selectFrom('operator')
        .selectAll()
        .where('organization_id', '=', theirs)
        .orderBy('slug')
        .execute(),
    ])

  it('lets no query of one organization read a row of another', async () => {
    await fc.assert(
      fc.asyncProperty(queries, async (runQuery) => {
        expect(JSON.stringify(await runQuery(state.as(viewer)))).not.toContain('theirs')
      }),
      { numRuns: Number(process.env['SCOPE_RUNS'] ?? 100) },
    )
    expect(
      JSON.stringify(await state.as(system).selectFrom('region').select('region_id').execute()),
    ).toContain('theirs-2')
  })

  it('lets no change of one organization affect a row of another or move one there', async () => {
    const before = await readOtherRows(state.as(system))
    await fc.assert(
      fc.asyncProperty(changes, async (change) => {
        const rollback = new Error('rolled back')
        // Each change is rolled back, so that there is always something to change.
        const outcome = { error: null as Refusal | null, theirs: before, mine: '' }
        const end = await state
          .as(system)
          .transaction()
          .execute(async (store) => {
            outcome.error = await change(store.withPlugin(createScopePlugin(viewer))).then(
              () => null,
              (error: Refusal) => error,
            )
            // After an error the transaction accepts no more statements.
            if (!outcome.error)
              Object.assign(outcome, {
                theirs: await readOtherRows(store),
                mine: JSON.stringify(
                  await store.selectFrom('layer').selectAll().where('region_id', 'like', 'mine%').execute(),
                ),
              })
            throw rollback
          })
          .catch((error: unknown) => error)
        expect(end).toBe(rollback)
        // Refused by the Scope, or by PostgreSQL because the key exists.
        expect(['OutsideScope', '23505', 'none']).toContain(
          outcome.error === null
            ? 'none'
            : outcome.error.name === 'OutsideScope'
              ? 'OutsideScope'
              : outcome.error.code,
        )
        expect(outcome.theirs).toBe(before)
        expect(outcome.mine).not.toContain('theirs')
        expect(await readOtherRows(state.as(system))).toBe(before)
      }),
      { numRuns: Number(process.env['SCOPE_RUNS'] ?? 40) },
    )
  })

  it('returns rows without a match in a left join', async () => {
    const rows = await state
      .as(viewer)
      .selectFrom('region as r')
      .leftJoin('layer as l', (on) => on.onRef('l.region_id', '=', 'r.region_id').on('l.slug', '=', 'none'))
      .select(['r.region_id', 'l.name'])
      .orderBy('r.region_id')
      .execute()
    expect(rows).toEqual([
      { region_id: 'mine-1', name: null },
      { region_id: 'mine-2', name: null },
    ])
  })
})
