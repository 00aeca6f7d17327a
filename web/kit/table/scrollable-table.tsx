import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { tableMark } from '../focus.ts'
import { usePrinting } from '../use-printing.ts'
import type { RowChecks } from './row-checks.tsx'
import type { TableColumn } from './table-column.ts'
import { TableHead } from './table-head.tsx'
import { GroupRow, PlaceholderRows, type TableGroup, TableRow, TotalsRow } from './table-rows.tsx'
import type { Sorting } from './table-state.ts'
import styles from './table.module.css'

const rowHeightPx = 40
const placeholderCount = 5
/** Shorter lists are rendered completely. */
const minVirtualRows = 60
/** Of longer lists, only the rendered rows are printed. */
const maxPrintedRows = 1000

interface Props<T> {
  /** Accessible name of the table. */
  label: string
  /** The rows of the current page; undefined while loading. */
  rows: readonly T[] | undefined
  columns: readonly TableColumn<T>[]
  rowKey: (row: T) => string
  /** Index of the first row among the rows of all pages. */
  firstIndex: number
  /** Number of rows of all pages. */
  total: number
  sorting: Sorting | null
  canSort: (key: string) => boolean
  onSort: (key: string) => void
  /** Maximum height of the rows; ignored if the table with toolbar and pager has a `height`. */
  maxHeight?: number | string
  height?: number
  selected?: string | null | undefined
  onSelect?: ((key: string) => void) | undefined
  canSelect?: (row: T) => boolean
  checks?: RowChecks<T> | undefined
  getGroup?: ((row: T) => TableGroup | null) | undefined
  totals?: Readonly<Record<string, ReactNode>> | undefined
  isWrapped?: boolean
  empty?: string
}

/** The header, rows and totals of a table in a box that scrolls; only visible rows are rendered. */
export function ScrollableTable<T>(props: Props<T>) {
  const { label, rows, columns, total, maxHeight = 560, height, totals, isWrapped = false } = props
  const scrollBox = useRef<HTMLDivElement>(null)
  const visibleRows = useVisibleRows(rows?.length ?? 0, scrollBox, isWrapped)
  return (
    <div
      ref={scrollBox}
      className={styles['box']}
      style={height === undefined ? { maxHeight } : {}}
      {...{ [tableMark]: true }}
      // Scrollable elements must be focusable.
      tabIndex={0}
      role="region"
      aria-label={label}
      aria-busy={rows === undefined || undefined}
    >
      <table
        className={styles['table']}
        aria-label={label}
        aria-rowcount={total + 1}
        style={{ minWidth: columns.reduce((sum, column) => sum + getMinWidth(column), 0) }}
      >
        <colgroup>
          {columns.map(({ key, width }) => (
            <col key={key} style={width ? { width } : {}} />
          ))}
        </colgroup>
        <TableHead {...props} />
        <tbody>
          <BodyRows {...props} visibleRows={visibleRows} />
        </tbody>
        {totals ? <TotalsRow columns={columns} totals={totals} /> : null}
      </table>
    </div>
  )
}

/** Minimum width of a column in pixels. Columns without a width share the remaining space. */
const getMinWidth = ({ width, isNumber }: { width?: number; isNumber?: boolean }): number =>
  width ?? (isNumber ? 110 : 140)

interface VisibleRows {
  /** Indexes of the rendered rows. */
  indexes: readonly number[]
  /** Height in pixels of the rows above and below, which are not rendered. */
  heightAbove: number
  heightBelow: number
}

/** Returns the rows of a scrolled table that are rendered. */
function useVisibleRows(
  count: number,
  scrollBox: RefObject<HTMLDivElement | null>,
  isWrapped: boolean,
): VisibleRows {
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scrollBox.current,
    estimateSize: () => rowHeightPx,
    overscan: 12,
    initialRect: { width: 800, height: 560 },
  })
  const items = virtualizer.getVirtualItems()
  const isPrinting = usePrinting()
  // Rows of different heights cannot be virtualized.
  const isFullyRendered = isWrapped || count < (isPrinting ? maxPrintedRows : minVirtualRows)
  const heightAbove = isFullyRendered ? 0 : (items[0]?.start ?? 0)
  const heightBelow = isFullyRendered ? 0 : virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)
  const indexes = isFullyRendered ? [...Array(count).keys()] : items.map(({ index }) => index)
  return { indexes, heightAbove, heightBelow }
}

/** The visible rows, placeholders while they load, or the text of an empty table. */
function BodyRows<T>({
  rows,
  columns,
  visibleRows: { indexes, heightAbove, heightBelow },
  firstIndex,
  rowKey,
  selected,
  onSelect,
  canSelect,
  checks,
  getGroup,
  isWrapped,
  empty,
}: Props<T> & { visibleRows: VisibleRows }) {
  const { t } = useTranslation()
  return (
    <>
      {heightAbove > 0 ? <tr aria-hidden="true" style={{ height: heightAbove }} /> : null}
      {indexes.map((index) => {
        const row = rows?.[index]
        if (row === undefined) return null
        const key = rowKey(row)
        const group = getGroup?.(row) ?? null
        const previousRow = index === 0 ? undefined : rows?.[index - 1]
        const isFirstOfGroup =
          group !== null && (previousRow === undefined || getGroup?.(previousRow)?.key !== group.key)
        return [
          isFirstOfGroup ? <GroupRow key={`group ${group.key}`} columns={columns} group={group} /> : null,
          <TableRow
            key={key}
            row={row}
            columns={columns}
            index={firstIndex + index}
            height={isWrapped ? undefined : rowHeightPx}
            isSelected={selected === key || checks?.checked.has(key) === true}
            isGrouped={group !== null}
            onSelect={onSelect && canSelect?.(row) !== false ? () => onSelect(key) : undefined}
          />,
        ]
      })}
      {heightBelow > 0 ? <tr aria-hidden="true" style={{ height: heightBelow }} /> : null}
      {rows === undefined ? (
        <PlaceholderRows columns={columns.length} count={placeholderCount} height={rowHeightPx} />
      ) : null}
      {rows?.length === 0 ? (
        <tr>
          <td colSpan={columns.length} className={styles['none']}>
            {empty ?? t('kit:noRows')}
          </td>
        </tr>
      ) : null}
    </>
  )
}
