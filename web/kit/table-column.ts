import type { ReactNode } from 'react'

export type CellValue = string | number | null

/** A column of a DataTable. */
export interface TableColumn<T> {
  key: string
  title: string
  /** What is sorted by and written to CSV. */
  value: (row: T) => CellValue
  /** What is shown; without it the value. */
  renderCell?: (row: T) => ReactNode
  /** Numbers stand at the right. */
  isNumber?: boolean
  /** In pixels; the columns without one share the rest. */
  width?: number
  /** What the server sorts by, where it pages the table; without it the column is not sorted then. */
  orderBy?: string
  /** Left out until chosen. */
  isHidden?: boolean
  /** Buttons: not sorted by, not in the CSV, always there. */
  isActions?: boolean
}

/** A table of which the server sorts and cuts out a page. `order`: a key, `-` before it for descending. */
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
