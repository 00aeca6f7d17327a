import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextSorting, sortRows } from './sort-rows.ts'
import type { TableColumn } from './table-column.ts'

interface Row {
  name: string
  trips: number | null
}
const columns: TableColumn<Row>[] = [
  { key: 'name', title: 'Name', value: (row) => row.name },
  { key: 'trips', title: 'Trips', value: (row) => row.trips },
]
const rows: Row[] = [
  { name: 'Ward 10', trips: 5 },
  { name: 'ward 2', trips: null },
  { name: 'Ward 1', trips: 20 },
]
const names = (sorted: readonly Row[]) => sorted.map((row) => row.name)

describe('sorting', () => {
  it('reads numbers within names', () => {
    expect(names(sortRows(rows, columns, { key: 'name', isDescending: false }))).toEqual([
      'Ward 1',
      'ward 2',
      'Ward 10',
    ])
  })

  it('puts missing values last, either way', () => {
    expect(names(sortRows(rows, columns, { key: 'trips', isDescending: false }))).toEqual([
      'Ward 10',
      'Ward 1',
      'ward 2',
    ])
    expect(names(sortRows(rows, columns, { key: 'trips', isDescending: true }))).toEqual([
      'Ward 1',
      'Ward 10',
      'ward 2',
    ])
  })

  it('leaves the rows as they came without a sorting, or with one of another table', () => {
    expect(sortRows(rows, columns, null)).toBe(rows)
    expect(sortRows(rows, columns, { key: 'gone', isDescending: false })).toBe(rows)
  })

  it('goes up, down, and back to as it came', () => {
    const up = nextSorting(null, 'name')
    const down = nextSorting(up, 'name')
    expect([up, down, nextSorting(down, 'name')]).toEqual([
      { key: 'name', isDescending: false },
      { key: 'name', isDescending: true },
      null,
    ])
    expect(nextSorting(down, 'trips')).toEqual({ key: 'trips', isDescending: false })
  })
})

describe('any rows', () => {
  const row = fc.record({
    name: fc.string({ maxLength: 4 }),
    trips: fc.option(fc.integer({ min: -5, max: 5 })),
  })
  const sorting = fc.record({ key: fc.constantFrom('name', 'trips'), isDescending: fc.boolean() })

  it('are all kept, and the given list is not touched', () => {
    fc.assert(
      fc.property(fc.array(row), sorting, (given, order) => {
        const before = [...given]
        const sorted = sortRows(given, columns, order)
        expect(given).toEqual(before)
        expect(new Set(sorted)).toEqual(new Set(given))
        expect(sorted).toHaveLength(given.length)
      }),
    )
  })

  it('with numbers stand in their order, equal ones as they came, none last', () => {
    fc.assert(
      fc.property(fc.array(row), fc.boolean(), (given, isDescending) => {
        const turn = isDescending ? -1 : 1
        const sorted = sortRows(given, columns, { key: 'trips', isDescending })
        const expected = [
          ...given.filter(({ trips }) => trips !== null).toSorted((a, b) => turn * (a.trips! - b.trips!)),
          ...given.filter(({ trips }) => trips === null),
        ]
        expect(sorted).toEqual(expected)
      }),
    )
  })

  it('sorted twice are as sorted once', () => {
    fc.assert(
      fc.property(fc.array(row), sorting, (given, order) => {
        const once = sortRows(given, columns, order)
        expect(sortRows(once, columns, order)).toEqual(once)
      }),
    )
  })
})
