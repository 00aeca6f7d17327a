import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDbfRows } from '../dbf-rows.ts'
import { toDbfNames, type DbfColumn, writeDbf } from './write-dbf.ts'

const read = (columns: DbfColumn[], rows: number) =>
  readDbfRows(writeDbf(columns, rows), 'UTF-8', 'x.dbf').map(({ values }) => values)

describe('field names', () => {
  it('have at most ten ASCII characters and are unique in any case', () => {
    expect(
      toDbfNames(['neighbourhood_name', 'neighbourhood_id', 'Neighbourh', 'größe m²', '', '?', 'São Paulo']),
    ).toEqual(['neighbourh', 'neighbou_1', 'Neighbou_2', 'gro_e_m2', 'field', '_', 'Sao_Paulo'])
  })
  it('are always unique', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 14 }), { maxLength: 40 }), (names) => {
        const found = toDbfNames(names)
        expect(new Set(found.map((name) => name.toLowerCase())).size).toBe(names.length)
        for (const name of found) expect(name).toMatch(/^\w{1,10}$/)
      }),
    )
  })
})

describe('a table', () => {
  it('stores numbers, booleans and text', () => {
    const columns: DbfColumn[] = [
      { name: 'n', type: 'number', cells: [1, -2.5, null, 0.001] },
      { name: 'huge', type: 'number', cells: [1e300, 1, null, 1e-9] },
      { name: 'b', type: 'boolean', cells: [true, false, null, true] },
      { name: 't', type: 'text', cells: ['a', '', null, 'Größe 東京'] },
    ]
    expect(read(columns, 4)).toEqual([
      { n: 1, huge: '1e+300', b: true, t: 'a' },
      { n: -2.5, huge: '1', b: false, t: null },
      { n: null, huge: null, b: null, t: null },
      { n: 0.001, huge: '1e-9', b: true, t: 'Größe 東京' },
    ])
  })
  it('truncates long text between characters', () => {
    const [row] = read([{ name: 't', type: 'text', cells: [`x${'ü'.repeat(200)}`] }], 1)
    expect(row?.['t']).toBe(`x${'ü'.repeat(126)}`)
  })
  it('stores numbers without loss', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 6 }),
        (cells) => {
          const found = read([{ name: 'n', type: 'number', cells }], cells.length).map(({ n }) => Number(n))
          expect(found.map((value) => value + 0)).toEqual(cells.map((cell) => cell + 0))
        },
      ),
      { examples: [[[0.0000010000000000000002]]] },
    )
  })
})
