import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Scope } from './scope.ts'
import { OutsideScope, createScopePlugin } from './scope-plugin.ts'
import { scopeColumns, type StateTables } from './state-tables.ts'

const dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (store: Kysely<StateTables>) => new PostgresIntrospector(store),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}
const openStore = (overrides: Partial<Scope>) =>
  new Kysely<StateTables>({ dialect }).withPlugin(
    createScopePlugin({
      organizationId: 'o',
      regionIds: ['r1', 'r2'],
      operators: null,
      userId: null,
      ...overrides,
    } as Scope),
  )
const store = openStore({})
const system = openStore({ organizationId: null, regionIds: null })

describe('the limits of a Scope', () => {
  it('the limits of a Scope follow the condition, which is put in parentheses', () => {
    const { sql: text, parameters } = store
      .selectFrom('layer')
      .select('name')
      .where((is) => is.or([is('name', '=', 'a'), is('name', '=', 'b')]))
      .compile()
    expect(text).toBe(
      'select "name" from "layer" where ("name" = $1 or "name" = $2) and "layer"."region_id" in ($3, $4)'
        .replace('where (', 'where ((')
        .replace('$2)', '$2))'),
    )
    expect(parameters).toEqual(['a', 'b', 'r1', 'r2'])
  })

  it.each(Object.entries(scopeColumns).filter(([, column]) => column !== 'system'))(
    'the limits of a Scope are those of the table %s',
    (table, column) => {
      const { sql: text, parameters } = store
        .selectFrom(table as 'layer')
        .selectAll()
        .compile()
      expect(text).toContain(`"${table}"."${column}" in (`)
      expect(parameters).toEqual(column === 'region_id' ? ['r1', 'r2'] : ['o'])
    },
  )

  it('the limits of a Scope apply to every table that a change reads', () => {
    const removal = store
      .deleteFrom('shape')
      .using('layer')
      .whereRef('shape.layer_id', '=', 'layer.layer_id')
      .compile().sql
    const change = store.updateTable('shape').from('layer as l').set({ name: 'x' }).compile().sql
    for (const limit of ['"shape"."region_id" in', '"layer"."region_id" in']) expect(removal).toContain(limit)
    for (const limit of ['"shape"."region_id" in', '"l"."region_id" in']) expect(change).toContain(limit)
  })

  it('the limits of a Scope exclude all rows if there are no regions', () => {
    expect(openStore({ regionIds: [] }).selectFrom('layer').selectAll().compile().parameters).toEqual([''])
  })

  it('a Scope has no limits for the system', () => {
    expect(system.selectFrom('account').selectAll().compile().sql).toBe('select * from "account"')
    expect(system.deleteFrom('layer').compile().sql).toBe('delete from "layer"')
  })
})

describe('a viewer is refused', () => {
  it.each(
    Object.entries(scopeColumns)
      .filter(([, column]) => column === 'system')
      .map(([table]) => table as 'account'),
  )('the table %s of the system', (table) => {
    expect(() => store.selectFrom(table).selectAll().compile()).toThrow(OutsideScope)
    expect(() =>
      store
        .selectFrom('layer')
        .select((eb) =>
          eb
            .selectFrom(table)
            .select((builder) => builder.fn.countAll().as('n'))
            .as('n'),
        )
        .compile(),
    ).toThrow(OutsideScope)
    expect(() =>
      store
        .selectFrom('user')
        .innerJoin(`${table} as a`, (on) => on.onTrue())
        .select('user.id')
        .compile(),
    ).toThrow(OutsideScope)
    expect(() => store.deleteFrom(table).compile()).toThrow(OutsideScope)
    expect(() =>
      store
        .with('layer', (eb) => eb.selectFrom(table).selectAll())
        .selectFrom('layer')
        .selectAll()
        .compile(),
    ).toThrow(OutsideScope)
  })

  it.each(['verification', 'rateLimit', 'schema_migration', 'pg_class', 'constructor'])(
    'the undeclared table %s',
    (table) => {
      expect(() =>
        store
          .selectFrom(table as 'layer')
          .selectAll()
          .compile(),
      ).toThrow(OutsideScope)
      expect(() =>
        system
          .selectFrom(table as 'layer')
          .selectAll()
          .compile(),
      ).toThrow(OutsideScope)
    },
  )

  it('raw SQL that names tables', () => {
    expect(() => sql`select * from account`.compile(store)).toThrow(OutsideScope)
    expect(() =>
      store
        .selectFrom(sql<StateTables['layer']>`account`.as('layer'))
        .selectAll()
        .compile(),
    ).toThrow(OutsideScope)
    expect(() =>
      store
        .selectFrom('layer')
        .select(sql<string>`(select password from account limit 1)`.as('p'))
        .compile(),
    ).toThrow(OutsideScope)
    expect(() =>
      store
        .selectFrom('layer')
        .select(sql<string>`(select 1 from ${sql.table('account')})`.as('p'))
        .compile(),
    ).toThrow(OutsideScope)
    expect(
      store
        .selectFrom('layer')
        .select(sql<string>`lower(name)`.as('p'))
        .orderBy('p', 'desc')
        .compile().sql,
    ).toContain('lower(name)')
  })

  it('queries that insert rows of other organizations, or of no known one', () => {
    const insert = (region: 'r1' | 'x' | null) =>
      store
        .insertInto('curb_zone_policy')
        .columns(['region_id', 'curb_zone_id'])
        .expression((eb) =>
          eb
            .selectFrom('curb_zone')
            .select((is) => [
              region === null ? is.ref('source_id').as('region_id') : is.val(region).as('region_id'),
              'curb_zone_id',
            ]),
        )
        .compile()
    expect(insert('r1').sql).toContain('"curb_zone"."region_id" in (')
    expect(() => insert('x')).toThrow(OutsideScope)
    expect(() => insert(null)).toThrow(OutsideScope)
  })

  it('raw SQL in place of a table', () => {
    const from = (source: RawBuilder<{ a: string }>) =>
      store.selectFrom(source.as('s')).select('s.a').compile()
    expect(() => from(sql`unnest(${['1']}::text[])`)).toThrow(OutsideScope)
    expect(() => from(sql`unnest(${['1']}::text[]), account`)).toThrow(OutsideScope)
    expect(() => from(sql`unnest(array(table account))`)).toThrow(OutsideScope)
  })

  it('merges and DDL', () => {
    expect(() =>
      store
        .mergeInto('layer')
        .using('shape', 'shape.layer_id', 'layer.layer_id')
        .whenMatched()
        .thenDelete()
        .compile(),
    ).toThrow(OutsideScope)
    expect(() => store.schema.dropTable('layer').compile()).toThrow(OutsideScope)
  })

  it('tables of regions, if an organization does not name its regions', () => {
    expect(() => openStore({ regionIds: null }).selectFrom('layer').selectAll().compile()).toThrow(
      'must name its regions',
    )
  })

  const operator = { slug: 's', name: 'n', color_hex: '#000000' }
  it('inserts for other organizations, also among own rows', () => {
    expect(
      store
        .insertInto('operator')
        .values({ ...operator, organization_id: 'o' })
        .compile().parameters,
    ).toContain('o')
    expect(() =>
      store
        .insertInto('operator')
        .values({ ...operator, organization_id: 'x' })
        .compile(),
    ).toThrow(OutsideScope)
    expect(() =>
      store
        .insertInto('operator')
        .values([
          { ...operator, organization_id: 'o' },
          { ...operator, organization_id: 'x' },
        ])
        .compile(),
    ).toThrow(OutsideScope)
    expect(() =>
      store
        .insertInto('operator')
        .values(operator as typeof operator & { organization_id: string })
        .compile(),
    ).toThrow(OutsideScope)
    expect(() =>
      store
        .insertInto('operator')
        .values((eb) => ({ ...operator, organization_id: eb.val('x') }))
        .compile(),
    ).toThrow(OutsideScope)
    expect(() => store.insertInto('operator').defaultValues().compile()).toThrow(OutsideScope)
  })

  it('updates that move rows to other organizations', () => {
    expect(store.updateTable('layer').set({ region_id: 'r2' }).compile().parameters).toEqual([
      'r2',
      'r1',
      'r2',
    ])
    expect(() => store.updateTable('layer').set({ region_id: 'x' }).compile()).toThrow(OutsideScope)
    expect(() =>
      store
        .updateTable('layer')
        .set((eb) => ({ region_id: eb.ref('name') }))
        .compile(),
    ).toThrow(OutsideScope)
  })
})
