import { Skeleton, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../format.ts'
import type { CellValue, TableColumn } from './table-column.ts'
import styles from './table.module.css'

const formatCell = (value: CellValue): string =>
  typeof value === 'string' && value !== '' ? value : formatNumber(typeof value === 'number' ? value : null)

interface RowProps<T> {
  row: T
  columns: readonly TableColumn<T>[]
  /** Index in the list of all pages, from 0. */
  index: number
  /** Undefined if rows grow with their text. */
  height: number | undefined
  isSelected: boolean
  isGrouped: boolean
  /** Called when the first cell is clicked; without it, the row cannot be selected. */
  onSelect?: (() => void) | undefined
}

/** A row. It is selected by its first cell, and shows long text in full on hover. */
export function TableRow<T>({ row, columns, index, height, isSelected, isGrouped, onSelect }: RowProps<T>) {
  const firstColumn = columns.find(({ isActions }) => !isActions)
  return (
    <tr
      aria-rowindex={index + 2}
      style={height === undefined ? {} : { height }}
      data-selected={isSelected || undefined}
      data-grouped={isGrouped || undefined}
    >
      {columns.map((column) => {
        const content = column.renderCell ? column.renderCell(row) : formatCell(column.value(row))
        const cell =
          column === firstColumn && onSelect ? (
            <UnstyledButton className={styles['select'] ?? ''} aria-pressed={isSelected} onClick={onSelect}>
              {content}
            </UnstyledButton>
          ) : (
            content
          )
        return (
          <td
            key={column.key}
            data-number={column.isNumber || undefined}
            data-actions={column.isActions || undefined}
            data-title={height === undefined && !column.isActions ? column.title : undefined}
            // The full text, because long text is cut off.
            title={height !== undefined && typeof content === 'string' ? content : undefined}
          >
            {height === undefined ? <div>{cell}</div> : cell}
          </td>
        )
      })}
    </tr>
  )
}

/** The header of a group of rows, with totals by column key. */
export interface TableGroup {
  key: string
  title: string
  totals: Readonly<Record<string, ReactNode>>
}

/** Header row of a group; its title spans the columns before the first total. */
export function GroupRow<T>({ columns, group }: { columns: readonly TableColumn<T>[]; group: TableGroup }) {
  const { title, totals } = group
  const firstTotalIndex = columns.findIndex(({ key }) => key in totals)
  const titleSpan = firstTotalIndex < 1 ? columns.length : firstTotalIndex
  return (
    <tr className={styles['group']}>
      <th scope="rowgroup" colSpan={titleSpan}>
        {title}
      </th>
      {columns.slice(titleSpan).map(({ key, isNumber }) => (
        <td key={key} data-number={isNumber || undefined} data-empty={!(key in totals) || undefined}>
          <div>{totals[key]}</div>
        </td>
      ))}
    </tr>
  )
}

interface PlaceholderProps {
  /** Number of columns. */
  columns: number
  /** Number of rows. */
  count: number
  height: number
}

/** Placeholders for rows that are still loading. */
export function PlaceholderRows({ columns, count, height }: PlaceholderProps) {
  const { t } = useTranslation()
  return Array.from({ length: count }, (_, index) => (
    <tr key={index} style={{ height }}>
      <td colSpan={columns}>
        {/* Different widths, as of texts. */}
        <Skeleton height={12} width={`${40 + ((index * 17) % 40)}%`} />
        {index === 0 ? <span className="visually-hidden">{t('kit:loading')}</span> : null}
      </td>
    </tr>
  ))
}

interface TotalsProps<T> {
  columns: readonly TableColumn<T>[]
  totals: Readonly<Record<string, ReactNode>>
}

const formatTotal = (total: ReactNode): ReactNode => (typeof total === 'number' ? formatNumber(total) : total)

/** The totals of all rows, always visible. */
export function TotalsRow<T>({ columns, totals }: TotalsProps<T>) {
  const { t } = useTranslation()
  const firstColumn = columns.find(({ isActions }) => !isActions)
  return (
    <tfoot className={styles['totals']}>
      <tr>
        {columns.map((column) => {
          const { key, title, isNumber } = column
          const isEmpty = column !== firstColumn && !(key in totals)
          return (
            <td
              key={key}
              data-number={isNumber || undefined}
              data-title={title}
              data-empty={isEmpty || undefined}
            >
              {column === firstColumn ? t('kit:total') : formatTotal(totals[key])}
            </td>
          )
        })}
      </tr>
    </tfoot>
  )
}
