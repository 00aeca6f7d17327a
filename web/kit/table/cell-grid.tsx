import { Text, UnstyledButton } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { formatHourOfDay } from '../time/time-of-day.ts'
import styles from './cell-grid.module.css'

interface CellPosition {
  row: number
  column: number
}

/** Returns the cell to which a key moves the focus; null for other keys. */
export function findNextCell(
  { row, column }: CellPosition,
  key: string,
  rowCount: number,
  columnCount: number,
): CellPosition | null {
  switch (key) {
    case 'ArrowLeft':
      return { row, column: Math.max(0, column - 1) }
    case 'ArrowRight':
      return { row, column: Math.min(columnCount - 1, column + 1) }
    case 'ArrowUp':
      return { row: Math.max(0, row - 1), column }
    case 'ArrowDown':
      return { row: Math.min(rowCount - 1, row + 1), column }
    case 'Home':
      return { row, column: 0 }
    case 'End':
      return { row, column: columnCount - 1 }
    default:
      return null
  }
}

/** One cell of a grid, which is a button. */
export interface GridCell {
  /** Description of the cell, for its label and tooltip. */
  text: string
  content: ReactNode
  isPressed?: boolean
  /** Data attributes that style the cell. */
  data?: Readonly<Record<`data-${string}`, string | number | true | undefined>>
}

/** The header of a row or column. */
interface GridHead {
  key: string
  content: ReactNode
  /** Accessible name, if the content is shortened. */
  label?: string
  isStrong?: boolean
}

interface Props {
  label: string
  /** Header of the first column. */
  corner: ReactNode
  columns: readonly GridHead[]
  rows: readonly GridHead[]
  /** Returns the cell at a position; null if there is no data. */
  cellAt: (row: number, column: number) => GridCell | null
  /** Text for screen readers in place of a null cell. */
  noCell: string
  cellClassName: string
  /** By default, the text of a clicked cell is shown below the grid. */
  onPress?: (row: number, column: number) => void
  /** The first cell that can be focused by Tab. */
  start: CellPosition
  /** Whether the columns share the available width. */
  isWide?: boolean
}

/** Header of the column of an hour, visible every `step` hours. */
export function HourHead({ hour, step }: { hour: number; step: number }) {
  return (
    <span className={hour % step === 0 ? styles['hour'] : 'visually-hidden'}>{formatHourOfDay(hour)}</span>
  )
}

/** A table of small cells, such as days by hours. It is a single tab stop; arrow keys move between cells. */
export function CellGrid({
  label,
  corner,
  columns,
  rows,
  cellAt,
  noCell,
  cellClassName,
  onPress,
  start,
  isWide,
}: Props) {
  const [focusedCell, setFocusedCell] = useState(start)
  const [pressedText, setPressedText] = useState('')
  const body = useRef<HTMLTableSectionElement>(null)
  const currentCell = {
    row: Math.min(focusedCell.row, rows.length - 1),
    column: Math.min(focusedCell.column, columns.length - 1),
  }
  const handleKey = (event: KeyboardEvent): void => {
    const nextPosition = findNextCell(currentCell, event.key, rows.length, columns.length)
    if (!nextPosition) return
    event.preventDefault()
    setFocusedCell(nextPosition)
    body.current
      ?.querySelector<HTMLElement>(`[data-cell="${nextPosition.row}-${nextPosition.column}"]`)
      ?.focus()
  }
  return (
    <div className={styles['box']}>
      <table className={styles['grid']} aria-label={label} data-wide={isWide || undefined}>
        <thead>
          <tr>
            <th scope="col">{corner}</th>
            {columns.map(({ key, content, label: name, isStrong }) => (
              <th key={key} scope="col" aria-label={name} data-strong={isStrong || undefined}>
                {content}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map(({ key, content }, row) => (
            <tr key={key}>
              <th scope="row">{content}</th>
              {columns.map((head, column) => {
                const cell = cellAt(row, column)
                return (
                  <td key={head.key}>
                    {cell ? (
                      <UnstyledButton
                        className={`${styles['cell']} ${cellClassName}`}
                        data-cell={`${row}-${column}`}
                        {...cell.data}
                        aria-pressed={cell.isPressed}
                        aria-label={cell.text}
                        title={cell.text}
                        tabIndex={row === currentCell.row && column === currentCell.column ? 0 : -1}
                        onKeyDown={handleKey}
                        onFocus={() => setFocusedCell({ row, column })}
                        onClick={() => (onPress ? onPress(row, column) : setPressedText(cell.text))}
                      >
                        {cell.content}
                      </UnstyledButton>
                    ) : (
                      <span className="visually-hidden">{noCell}</span>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {onPress ? null : (
        <Text size="sm" role="status" mih={20}>
          {pressedText}
        </Text>
      )}
    </div>
  )
}
