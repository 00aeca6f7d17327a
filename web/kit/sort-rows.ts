import type { CellValue, Sorting, TableColumn } from './table-column.ts'

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

function compareCells(a: CellValue, b: CellValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return collator.compare(String(a), String(b))
}

/** Sorts rows by a column; missing values are last in both directions. */
export function sortRows<T>(
  rows: readonly T[],
  columns: readonly TableColumn<T>[],
  sorting: Sorting | null,
): readonly T[] {
  const column = columns.find((each) => each.key === sorting?.key)
  if (!column || !sorting) return rows
  const direction = sorting.isDescending ? -1 : 1
  return rows
    .map((row) => ({ row, value: column.value(row) }))
    .sort((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null)
      return direction * compareCells(a.value, b.value)
    })
    .map(({ row }) => row)
}

/** Next sorting after a click on a column header: ascending, descending, unsorted. */
export function nextSorting(sorting: Sorting | null, key: string): Sorting | null {
  if (sorting?.key !== key) return { key, isDescending: false }
  return sorting.isDescending ? null : { key, isDescending: true }
}

/** Parses the sort order of a server-sorted list from a URL; undefined if it is unknown or the default. */
export const parseOrder =
  <Key extends string>(keys: readonly Key[], defaultOrder: Key | `-${Key}`) =>
  (value: unknown): Key | `-${Key}` | undefined =>
    keys.flatMap((key) => [key, `-${key}` as const]).find((each) => each === value && each !== defaultOrder)
