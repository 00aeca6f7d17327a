import type { CellValue, TableColumn } from './table-column.ts'

export const pageSizes = [5, 10, 50, 300] as const
export type PageSize = (typeof pageSizes)[number]

/** Choices of the user; defaults are absent. Screens store it in the URL (`tableParams`). */
export interface TableState {
  /** Key of a column, with a leading `-` for descending. */
  sort?: string | undefined
  /** Keys of the visible columns. */
  columns?: string[] | undefined
  page?: number | undefined
  size?: PageSize | undefined
}

/** Handles a change. A method, for bivariance: screens narrow `sort` to their keys and drop others. */
export type TableStateHandler = { handle(changes: TableState): void }['handle']

/** The column by which a table is sorted. */
export interface Sorting {
  key: string
  isDescending: boolean
}

/** Parses a sort key with a leading `-` for descending. */
export const parseSort = (sort: string | undefined): Sorting | null =>
  sort ? { key: sort.replace(/^-/, ''), isDescending: sort.startsWith('-') } : null

/**
 * Returns the sort after a click on a column header: ascending, descending, then the default (undefined). Numbers
 * begin descending. If the default sorts by this column, the cycle has only two steps.
 */
export function nextSort(
  sort: string | undefined,
  key: string,
  defaultSort: string | undefined,
  isNumber = false,
): string | undefined {
  const currentSort = sort ?? defaultSort
  const firstSort = isNumber ? `-${key}` : key
  const secondSort = isNumber ? key : `-${key}`
  if (currentSort === secondSort) return currentSort === defaultSort ? firstSort : undefined
  const next = currentSort === firstSort ? secondSort : firstSort
  return next === defaultSort ? undefined : next
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
const compareCells = (a: CellValue, b: CellValue): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b))

/** Sorts rows by a column, either way with missing values last, then summary rows (`isData` is false). */
export function sortRows<T>(
  rows: readonly T[],
  columns: readonly TableColumn<T>[],
  sort: string | undefined,
  isData: (row: T) => boolean = () => true,
): readonly T[] {
  const sorting = parseSort(sort)
  const column = columns.find(({ key }) => key === sorting?.key)
  if (!column || !sorting) return rows
  const direction = sorting.isDescending ? -1 : 1
  return rows
    .map((row) => ({ row, value: column.value(row) }))
    .sort((a, b) => {
      if (isData(a.row) !== isData(b.row)) return Number(isData(b.row)) - Number(isData(a.row))
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null)
      return direction * compareCells(a.value, b.value)
    })
    .map(({ row }) => row)
}

/** Returns the selected columns, or else all that are not hidden by default. Actions are always visible. */
export function getVisibleColumns<T>(
  columns: readonly TableColumn<T>[],
  selected: readonly string[] | undefined,
): TableColumn<T>[] {
  const selectedColumns = columns.filter(({ key, isActions }) => isActions || selected?.includes(key))
  return selectedColumns.some(({ isActions }) => !isActions)
    ? selectedColumns
    : columns.filter(({ isHidden, isActions }) => isActions || !isHidden)
}

/** Returns the keys of the visible columns after one was shown or hidden; undefined if they are the default. */
export function toggleColumn<T>(
  columns: readonly TableColumn<T>[],
  selected: readonly string[] | undefined,
  key: string,
): string[] | undefined {
  const visibleKeys = new Set(getVisibleColumns(columns, selected).map((column) => column.key))
  if (!visibleKeys.delete(key)) visibleKeys.add(key)
  const isDefault = columns.every(
    (column) => column.isActions || visibleKeys.has(column.key) === !column.isHidden,
  )
  return isDefault
    ? undefined
    : columns.filter((column) => !column.isActions && visibleKeys.has(column.key)).map((column) => column.key)
}
