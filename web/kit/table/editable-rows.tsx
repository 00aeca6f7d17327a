import { ActionIcon, Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './editable-rows.module.css'

interface Props<T> {
  rows: readonly T[]
  /** Fields of a row with their errors. `change` replaces parts of the row. */
  renderFields: (row: T, change: (changes: Partial<T>) => void) => ReactNode
  /** Returns the row to add after these. */
  createRow: (rows: readonly T[]) => T
  onChange: (rows: T[]) => void
  /** Accessible names; rows are counted from 1. */
  rowLabel: (row: number) => string
  removeLabel: (row: number) => string
  addLabel: string
  /** Whether rows can be removed; by default while there are several. */
  canRemove?: boolean
  /** Whether rows can be moved, by buttons or Alt with the arrow keys. */
  canMove?: boolean
}

/** Rows of fields that are added, removed and moved, also by keyboard. */
export function EditableRows<T>({
  rows,
  renderFields,
  createRow,
  onChange,
  rowLabel,
  removeLabel,
  addLabel,
  canRemove = rows.length > 1,
  canMove = false,
}: Props<T>) {
  const { t } = useTranslation()
  const move = (index: number, offset: -1 | 1): void => {
    const row = rows[index]
    const neighbor = rows[index + offset]
    if (row !== undefined && neighbor !== undefined)
      onChange(rows.with(index, neighbor).with(index + offset, row))
  }
  // Key presses in the fields of a row bubble to the row.
  const getRowHandlers = (index: number) => ({
    onKeyDown: (event: KeyboardEvent): void => {
      if (!canMove || !event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
      event.preventDefault()
      move(index, event.key === 'ArrowUp' ? -1 : 1)
    },
  })
  return (
    <>
      {rows.map((row, index) => (
        <div
          key={index}
          role="group"
          aria-label={rowLabel(index + 1)}
          className={styles['row']}
          {...getRowHandlers(index)}
        >
          {renderFields(row, (changes) => onChange(rows.with(index, { ...row, ...changes })))}
          <div className={styles['buttons']}>
            {canMove
              ? ([-1, 1] as const).map((offset) => (
                  <ActionIcon
                    key={offset}
                    variant="subtle"
                    color="gray"
                    size="lg"
                    disabled={rows[index + offset] === undefined}
                    aria-label={`${t(offset < 0 ? 'kit:moveUp' : 'kit:moveDown')}: ${rowLabel(index + 1)}`}
                    onClick={() => move(index, offset)}
                  >
                    {offset < 0 ? <IconArrowUp size={18} /> : <IconArrowDown size={18} />}
                  </ActionIcon>
                ))
              : null}
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              disabled={!canRemove}
              aria-label={removeLabel(index + 1)}
              onClick={() => onChange(rows.toSpliced(index, 1))}
            >
              <IconTrash size={18} />
            </ActionIcon>
          </div>
        </div>
      ))}
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={16} />}
          onClick={() => onChange([...rows, createRow(rows)])}
        >
          {addLabel}
        </Button>
      </div>
    </>
  )
}
