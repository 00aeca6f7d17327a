import type { ReactNode } from 'react'

export type CellValue = string | number | null

/** A column of a DataTable. */
export interface TableColumn<T> {
  key: string
  title: string
  /** Value for sorting and CSV. */
  value: (row: T) => CellValue
  /** Renders the cell; by default the value. */
  renderCell?: (row: T) => ReactNode
  /** Aligns the column to the right. */
  isNumber?: boolean
  /** In pixels; columns without a width share the remaining space. */
  width?: number
  /** Sort key on the server; without it the column of a server-paged table cannot be sorted. */
  orderBy?: string
  /** Hidden until the user shows the column. */
  isHidden?: boolean
  /** Column of buttons: not sorted, not in the CSV, always visible. */
  isActions?: boolean
}

/** State of a table that the server sorts and pages. `order`: a key, with a leading `-` for descending. */
export interface ServerPage {
  page: number
  size: number
  total: number
  order: string | undefined
  onOrder: (order: string | undefined) => void
  onPage: (page: number) => void
}

export interface Sorting {
  key: string
  isDescending: boolean
}
