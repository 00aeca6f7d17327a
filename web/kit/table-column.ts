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
  /** Left out until chosen. */
  isHidden?: boolean
  /** Buttons: not sorted by, not in the CSV, always there. */
  isActions?: boolean
}

export interface Sorting {
  key: string
  isDescending: boolean
}
