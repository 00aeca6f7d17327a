import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Scope } from './scope.ts'
import { bind, facts, identifier, joinSql, renderSql, type Sql, sql } from './sql.ts'

const makeScope = (overrides: Partial<Scope>): Scope =>
  ({ organizationId: 'o', regionIds: ['r1', 'r2'], operators: null, userId: null, ...overrides }) as Scope
const viewer = makeScope({})
const system = makeScope({ organizationId: null, regionIds: null })
const rawText = (text: string): Sql => ({ strings: [text], values: [] })

describe('values', () => {
  it('values never appear in the text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 6 }), (texts) => {
        const marked = texts.map((text) => `«${text}»'; drop table trips; --`)
        const conditions = marked.map((text) => sql`a = ${bind('String', text)}`)
        const { text, parameters } = renderSql(sql`select 1 where ${joinSql(conditions, ' or ')}`, viewer)
        expect(text).toBe(`select 1 where ${marked.map((_, index) => `a = {p${index}:String}`).join(' or ')}`)
        expect(Object.values(parameters)).toEqual(marked)
      }),
    )
  })

  it('values that are the same object become one parameter', () => {
    const day = bind('Date', '2026-01-01')
    expect(renderSql(sql`select ${day}, ${day}, ${bind('Date', '2026-01-01')}`, viewer)).toEqual({
      text: 'select {p0:Date}, {p0:Date}, {p1:Date}',
      parameters: { p0: '2026-01-01', p1: '2026-01-01' },
    })
  })
})

describe('fact tables', () => {
  it('renders fact tables as their rows of the Scope in every position', () => {
    const inner = sql`select trip_id from ${facts('trips')}`
    const { text, parameters } = renderSql(
      sql`select * from ${facts('set_aside_rows')} where id in (${inner}) and x in (${joinSql([inner, inner], ', ')})`,
      viewer,
    )
    const within = 'where region_id in {scope_regions:Array(String)}'
    expect(
      text.match(/\(select \* from trips where region_id in \{scope_regions:Array\(String\)\}\)/g),
    ).toHaveLength(3)
    expect(text).toContain(`from (select * from set_aside_rows ${within})`)
    expect(parameters).toEqual({ scope_regions: ['r1', 'r2'] })
  })

  it('limits a fact table to the operators of a Scope if it has an operator column', () => {
    const narrow = makeScope({ operators: ['lark'] })
    expect(renderSql(sql`from ${facts('trips')}`, narrow)).toEqual({
      text: 'from (select * from trips where region_id in {scope_regions:Array(String)} and operator in {scope_operators:Array(String)})',
      parameters: { scope_regions: ['r1', 'r2'], scope_operators: ['lark'] },
    })
    expect(renderSql(sql`from ${facts('way_days')}`, narrow).parameters).toEqual({
      scope_regions: ['r1', 'r2'],
    })
  })

  it('fact tables without an operator column are refused to a Scope of some operators', () => {
    expect(() => renderSql(sql`from ${facts('set_aside_rows')}`, makeScope({ operators: ['lark'] }))).toThrow(
      'cannot read set_aside_rows',
    )
  })

  it('fact tables stay empty for a viewer without regions', () => {
    expect(renderSql(sql`from ${facts('trips')}`, makeScope({ regionIds: [] })).parameters).toEqual({
      scope_regions: [],
    })
  })

  it('fact tables are unlimited only for the system', () => {
    expect(renderSql(sql`select * from ${facts('trips')}`, system)).toEqual({
      text: 'select * from trips',
      parameters: {},
    })
    expect(() => renderSql(sql`from ${facts('trips')}`, makeScope({ regionIds: null }))).toThrow(
      'must name its regions',
    )
  })

  it('fact tables without facts of a region need no limit', () => {
    expect(renderSql(sql`from ${facts('layer_codes')}`, viewer)).toEqual({
      text: 'from layer_codes',
      parameters: {},
    })
  })

  it('fact tables must be declared', () => {
    expect(() => renderSql(sql`from ${facts('users' as 'trips')}`, viewer)).toThrow('Not a fact table')
  })
})

describe('a fact table named in the text', () => {
  it.each([
    'select * from trips',
    'select * FROM  trips',
    'select * from\ntrips as t',
    'join trips using x',
    'insert into trips values',
    'from set_aside_rows',
    'from trips_staging',
    'from system.one, trips',
    'from default.trips',
    'from `trips`',
    'from "default"."trips"',
    'from (trips)',
    'from a,trips where',
    'delete from trips where 1',
    'truncate table trips',
  ])('refuses a fact table named in the text: %s', (text) => {
    expect(() => renderSql(rawText(text), viewer)).toThrow('must be named by facts()')
    expect(() => renderSql(sql`select * from (${rawText(text)})`, viewer)).toThrow('must be named by facts()')
  })

  it.each([
    'select count() as trips',
    'select trips_per_day from x',
    'from round_trips',
    'order by trips desc',
    "select 'trips'",
  ])('does not confuse a fact table with: %s', (text) => {
    expect(renderSql(rawText(text), viewer).text).toBe(text)
  })
})

describe('identifier', () => {
  it('accepts only letters, digits and underscores, and a column of a nested one', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('a', 'z', '_', '7', 'Z', ' ', ';', '.') })),
        (name) => {
          const rendered = ((): string | null => {
            try {
              return renderSql(identifier(name), viewer).text
            } catch {
              return null
            }
          })()
          expect(rendered).toBe(/^([a-z][a-z0-9_]{0,100}\.)?[a-z][a-z0-9_]{0,100}$/.test(name) ? name : null)
        },
      ),
    )
  })

  it.each([
    'trips',
    'a.trips',
    'trips.a',
    'a.b.c',
    'a.',
    'set_aside_rows',
    'trips_staging',
    'a b',
    'a;',
    'A',
    '1a',
    '',
    'a\n',
  ])('refuses %j', (name) => expect(() => identifier(name)).toThrow('Not a name'))
})

test('joinSql joins an empty list to an empty text', () =>
  expect(renderSql(sql`a${joinSql([], ', ')}b`, viewer).text).toBe('ab'))
