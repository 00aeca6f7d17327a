import type { ReactNode } from 'react'

/** The value of a cell of a table or file; null if it is missing. */
export type CellValue = string | number | null

export interface TableColumn<T> {
  /** Key of the column in the URL; if the server sorts, its sort key. */
  key: string
  title: string
  /** Value for sorting and CSV. */
  value: (row: T) => CellValue
  /** Renders the cell; by default the value. */
  renderCell?: (row: T) => ReactNode
  /** Renders the head of a column of buttons; by default its title, for screen readers only. */
  renderHead?: () => ReactNode
  /** False if sorting makes no sense, as for values of different units. */
  canSort?: boolean
  /** Aligns the column to the right. */
  isNumber?: boolean
  /** In pixels; columns without a width share the remaining space. */
  width?: number
  /** Hidden until the user shows the column. */
  isHidden?: boolean
  /** Column of buttons: not sorted, not in the CSV, always visible. */
  isActions?: boolean
}

/** Creates a column; the type of the rows is inferred from the context. */
export const column = <T>(
  key: string,
  title: string,
  value: (row: T) => CellValue,
  options: Omit<TableColumn<T>, 'key' | 'title' | 'value'> = {},
): TableColumn<T> => ({ key, title, value, ...options })
