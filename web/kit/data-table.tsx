import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTableHead } from './data-table-head.tsx'
import { DataTableTools } from './data-table-tools.tsx'
import { Pager } from './pager.tsx'
import { nextSorting, sortRows } from './sort-rows.ts'
import type { ServerPage, Sorting, TableColumn } from './table-column.ts'
import styles from './data-table.module.css'
import { formatNumber } from './format.ts'

interface Props<T> {
  /** Accessible name of the table. */
  label: string
  rows: readonly T[]
  columns: readonly TableColumn<T>[]
  rowKey: (row: T) => string
  /** Name of the CSV file; without it there is none to download. */
  fileName?: string
  maxHeight?: number | string
  firstSorting?: Sorting
  /** Set if the server sorts and pages; `rows` then has one page. */
  server?: ServerPage
}

const rowHeightPx = 40

/** A virtualized table: only visible rows are rendered, so that 100,000 rows scroll as smoothly as 100. */
export function DataTable<T>({
  label,
  rows,
  columns,
  rowKey,
  fileName,
  maxHeight = 560,
  firstSorting,
  server,
}: Props<T>) {
  const { t } = useTranslation()
  const [sorting, setSorting] = useState<Sorting | null>(firstSorting ?? null)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(
    () => new Set(columns.filter((column) => column.isHidden).map((column) => column.key)),
  )
  const visibleColumns = columns.filter((column) => !hidden.has(column.key))
  const isClientSide = server === undefined
  const sorted = useMemo(
    () => (isClientSide ? sortRows(rows, columns, sorting) : rows),
    [rows, columns, sorting, isClientSide],
  )
  const order = server?.order?.replace('-', '')
  const orderedKey = server
    ? (columns.find((column) => order !== undefined && column.orderBy === order)?.key ?? null)
    : null
  const currentSorting = server
    ? orderedKey === null
      ? null
      : { key: orderedKey, isDescending: server.order?.startsWith('-') === true }
    : sorting
  const sortBy = (key: string): void => {
    const next = nextSorting(currentSorting, key)
    if (!server) return setSorting(next)
    const orderBy = columns.find((column) => column.key === next?.key)?.orderBy
    server.onOrder(orderBy && `${next?.isDescending ? '-' : ''}${orderBy}`)
  }
  const rowOffset = server ? (server.page - 1) * server.size : 0

  const scrollBox = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scrollBox.current,
    estimateSize: () => rowHeightPx,
    overscan: 12,
    initialRect: { width: 800, height: 560 },
  })
  const visibleRows = virtual.getVirtualItems()
  const above = visibleRows[0]?.start ?? 0
  const below = virtual.getTotalSize() - (visibleRows.at(-1)?.end ?? 0)

  return (
    <div className={styles['frame']}>
      <DataTableTools
        rows={sorted}
        total={server && server.total > server.size ? null : sorted.length}
        columns={columns}
        visibleColumns={visibleColumns}
        hidden={hidden}
        onHide={setHidden}
        fileName={fileName}
      />
      {/* Scrollable elements must be focusable. */}
      <div
        ref={scrollBox}
        className={styles['box']}
        style={{ maxHeight }}
        tabIndex={0}
        role="region"
        aria-label={label}
      >
        <table
          className={styles['table']}
          aria-label={label}
          aria-rowcount={(server?.total ?? sorted.length) + 1}
          style={{ minWidth: visibleColumns.reduce((sum, column) => sum + (column.width ?? 140), 0) }}
        >
          <colgroup>
            {visibleColumns.map((column) => (
              <col key={column.key} style={column.width ? { width: column.width } : {}} />
            ))}
          </colgroup>
          <DataTableHead
            columns={visibleColumns}
            sorting={currentSorting}
            canSort={(column) => isClientSide || column.orderBy !== undefined}
            onSort={sortBy}
          />
          <tbody>
            {above > 0 ? <tr aria-hidden="true" style={{ height: above }} /> : null}
            {visibleRows.map((item) => {
              const row = sorted[item.index]
              return row === undefined ? null : (
                <DataTableRow
                  key={rowKey(row)}
                  row={row}
                  columns={visibleColumns}
                  index={rowOffset + item.index}
                  height={rowHeightPx}
                />
              )
            })}
            {below > 0 ? <tr aria-hidden="true" style={{ height: below }} /> : null}
            {sorted.length === 0 ? (
              <tr>
                <td colSpan={visibleColumns.length} className={styles['none']}>
                  {t('kit:noRows')}
                </td>
              </tr>
            ) : null}
          </tbody>
        </table>
      </div>
      {server ? (
        <div className={styles['foot']}>
          <Pager page={server.page} size={server.size} total={server.total} onPage={server.onPage} />
        </div>
      ) : null}
    </div>
  )
}

interface RowProps<T> {
  row: T
  columns: readonly TableColumn<T>[]
  index: number
  height: number
}

export function DataTableRow<T>({ row, columns, index, height }: RowProps<T>) {
  return (
    <tr aria-rowindex={index + 2} style={{ height }}>
      {columns.map((column) => (
        <td
          key={column.key}
          data-number={column.isNumber || undefined}
          data-actions={column.isActions || undefined}
        >
          {column.renderCell ? column.renderCell(row) : formatCell(column.value(row))}
        </td>
      ))}
    </tr>
  )
}

const formatCell = (value: string | number | null): string =>
  typeof value === 'string' && value !== '' ? value : formatNumber(typeof value === 'number' ? value : null)
