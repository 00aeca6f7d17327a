import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextSort, sortRows, toggleColumn, getVisibleColumns } from './table-state.ts'
import { column, type TableColumn } from './table-column.ts'

interface Row {
  name: string
  trips: number | null
}
const columns: TableColumn<Row>[] = [
  column('name', 'Name', (row) => row.name),
  column('trips', 'Trips', (row) => row.trips),
]
const rows: Row[] = [
  { name: 'Ward 10', trips: 5 },
  { name: 'ward 2', trips: null },
  { name: 'Ward 1', trips: 20 },
]
const names = (sorted: readonly Row[]) => sorted.map((row) => row.name)

describe('sorting', () => {
  it('compares numbers in names numerically', () => {
    expect(names(sortRows(rows, columns, 'name'))).toEqual(['Ward 1', 'ward 2', 'Ward 10'])
  })

  it('puts missing values last in both directions', () => {
    expect(names(sortRows(rows, columns, 'trips'))).toEqual(['Ward 10', 'Ward 1', 'ward 2'])
    expect(names(sortRows(rows, columns, '-trips'))).toEqual(['Ward 1', 'Ward 10', 'ward 2'])
  })

  it('leaves the rows unsorted without a sorting, or with an unknown column', () => {
    expect(sortRows(rows, columns, undefined)).toBe(rows)
    expect(sortRows(rows, columns, 'gone')).toBe(rows)
  })

  it.each([
    [undefined, undefined, 'name'],
    ['name', undefined, '-name'],
    ['-name', undefined, undefined],
    ['trips', undefined, 'name'],
    [undefined, '-name', 'name'],
    ['name', '-name', undefined],
    [undefined, 'name', '-name'],
    ['-name', 'name', undefined],
  ])('after %s with the default %s, a click leads to %s', (sort, defaultSort, next) => {
    expect(nextSort(sort, 'name', defaultSort)).toBe(next)
  })
})

it('numbers are descending first', () => {
  expect(nextSort(undefined, 'trips', undefined, true)).toBe('-trips')
  expect(nextSort('-trips', 'trips', undefined, true)).toBe('trips')
  expect(nextSort('trips', 'trips', undefined, true)).toBeUndefined()
})

it('puts summary rows last in both directions', () => {
  const isOwn = ({ name }: { name: string }) => name !== 'Ward 10'
  expect(names(sortRows(rows, columns, 'name', isOwn)).at(-1)).toBe('Ward 10')
  expect(names(sortRows(rows, columns, '-name', isOwn)).at(-1)).toBe('Ward 10')
})

describe('visible columns', () => {
  const allColumns: TableColumn<Row>[] = [
    ...columns,
    column('twice', 'Twice', () => null, { isHidden: true }),
    column('menu', 'Menu', () => null, { isActions: true }),
  ]
  const keys = (selected?: string[]) => getVisibleColumns(allColumns, selected).map(({ key }) => key)

  it('are the chosen ones, else the default ones; actions are always visible', () => {
    expect(keys()).toEqual(['name', 'trips', 'menu'])
    expect(keys(['twice', 'name', 'gone'])).toEqual(['name', 'twice', 'menu'])
    expect(keys(['gone'])).toEqual(['name', 'trips', 'menu'])
  })

  it('are toggled one by one, and the default is stored as undefined', () => {
    expect(toggleColumn(allColumns, undefined, 'twice')).toEqual(['name', 'trips', 'twice'])
    expect(toggleColumn(allColumns, ['name', 'trips', 'twice'], 'twice')).toBeUndefined()
  })
})

describe('any rows', () => {
  const row = fc.record({
    name: fc.string({ maxLength: 4 }),
    trips: fc.option(fc.integer({ min: -5, max: 5 })),
  })
  const sorting = fc.constantFrom('name', '-name', 'trips', '-trips')

  it('are all retained, and the input is not modified', () => {
    fc.assert(
      fc.property(fc.array(row), sorting, (input, order) => {
        const before = [...input]
        const sorted = sortRows(input, columns, order)
        expect(input).toEqual(before)
        expect(new Set(sorted)).toEqual(new Set(input))
        expect(sorted).toHaveLength(input.length)
      }),
    )
  })

  it('with numbers are sorted stably, missing ones last', () => {
    fc.assert(
      fc.property(fc.array(row), fc.boolean(), (input, isDescending) => {
        const turn = isDescending ? -1 : 1
        const sorted = sortRows(input, columns, `${isDescending ? '-' : ''}trips`)
        const expected = [
          ...input.filter(({ trips }) => trips !== null).toSorted((a, b) => turn * (a.trips! - b.trips!)),
          ...input.filter(({ trips }) => trips === null),
        ]
        expect(sorted).toEqual(expected)
      }),
    )
  })

  it('sorted twice are the same as sorted once', () => {
    fc.assert(
      fc.property(fc.array(row), sorting, (input, order) => {
        const once = sortRows(input, columns, order)
        expect(sortRows(once, columns, order)).toEqual(once)
      }),
    )
  })
})
