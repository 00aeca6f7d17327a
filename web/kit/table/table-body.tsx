import { useVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { usePrinting } from '../use-printing.ts'
import type { RowChecks } from './row-checks.tsx'
import type { TableColumn } from './table-column.ts'
import { GroupRow, PlaceholderRows, type TableGroup, TableRow } from './table-rows.tsx'
import styles from './table.module.css'

const rowHeightPx = 40
const placeholderCount = 5
/** Shorter lists are rendered completely. */
const minVirtualRows = 60
/** Of longer lists, only the rendered rows are printed. */
const maxPrintedRows = 1000

interface VisibleRows {
  /** Indexes of the rendered rows. */
  indexes: readonly number[]
  /** Height in pixels of the rows above and below, which are not rendered. */
  heightAbove: number
  heightBelow: number
}

/** The rows of a scrolled table that are rendered. */
export function useVisibleRows(
  count: number,
  scrollBox: RefObject<HTMLDivElement | null>,
  isWrapped: boolean,
): VisibleRows {
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scrollBox.current,
    estimateSize: () => rowHeightPx,
    overscan: 12,
    initialRect: { width: 800, height: 560 },
  })
  const items = virtual.getVirtualItems()
  const isPrinting = usePrinting()
  // Rows of different heights cannot be virtualized.
  const isFullyRendered = isWrapped || count < (isPrinting ? maxPrintedRows : minVirtualRows)
  const heightAbove = isFullyRendered ? 0 : (items[0]?.start ?? 0)
  const heightBelow = isFullyRendered ? 0 : virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  const indexes = isFullyRendered ? [...Array(count).keys()] : items.map(({ index }) => index)
  return { indexes, heightAbove, heightBelow }
}

interface BodyRowsProps<T> {
  /** Undefined while loading. */
  rows: readonly T[] | undefined
  columns: readonly TableColumn<T>[]
  visibleRows: VisibleRows
  /** Index of the first row among the rows of all pages. */
  firstIndex: number
  rowKey: (row: T) => string
  selected: string | null | undefined
  onSelect: ((key: string) => void) | undefined
  canSelect: ((row: T) => boolean) | undefined
  checks: RowChecks<T> | undefined
  getGroup: ((row: T) => TableGroup | null) | undefined
  isWrapped: boolean
  empty: string | undefined
}

/** The rows of the table's body, its placeholders, or the text of an empty table. */
export function BodyRows<T>({
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
}: BodyRowsProps<T>) {
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
      ) : rows.length === 0 ? (
        <tr>
          <td colSpan={columns.length} className={styles['none']}>
            {empty ?? t('kit:noRows')}
          </td>
        </tr>
      ) : null}
    </>
  )
}
