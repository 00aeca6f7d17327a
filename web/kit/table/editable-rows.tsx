import { ActionIcon, Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './editable-rows.module.css'

interface Props<T> {
  rows: readonly T[]
  /** Fields of a row with their errors. `change` replaces parts of the row. */
  fields: (row: T, change: (part: Partial<T>) => void) => ReactNode
  /** The row that is added after these. */
  newRow: (rows: readonly T[]) => T
  onChange: (rows: T[]) => void
  /** Accessible names; rows are counted from 1. */
  rowLabel: (row: number) => string
  removeLabel: (row: number) => string
  addLabel: string
  /** False if the rows must not get fewer; by default one row remains. */
  canRemove?: boolean
  /** The order matters: rows move by buttons and by Alt with the arrow keys. */
  canMove?: boolean
}

/** Rows of fields that are added, removed and moved, also by keyboard. */
export function EditableRows<T>({
  rows,
  fields,
  newRow,
  onChange,
  rowLabel,
  removeLabel,
  addLabel,
  canRemove = rows.length > 1,
  canMove = false,
}: Props<T>) {
  const { t } = useTranslation()
  const move = (at: number, by: -1 | 1): void => {
    const [row, other] = [rows[at], rows[at + by]]
    if (row !== undefined && other !== undefined) onChange(rows.with(at, other).with(at + by, row))
  }
  // Keys pressed in the fields of a row bubble to it.
  const keysOf = (at: number) => ({
    onKeyDown: (event: KeyboardEvent): void => {
      if (!canMove || !event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
      event.preventDefault()
      move(at, event.key === 'ArrowUp' ? -1 : 1)
    },
  })
  return (
    <>
      {rows.map((row, at) => (
        <div key={at} role="group" aria-label={rowLabel(at + 1)} className={styles['row']} {...keysOf(at)}>
          {fields(row, (part) => onChange(rows.with(at, { ...row, ...part })))}
          <div className={styles['buttons']}>
            {canMove
              ? ([-1, 1] as const).map((by) => (
                  <ActionIcon
                    key={by}
                    variant="subtle"
                    color="gray"
                    size="lg"
                    disabled={rows[at + by] === undefined}
                    aria-label={`${t(by < 0 ? 'kit:moveUp' : 'kit:moveDown')}: ${rowLabel(at + 1)}`}
                    onClick={() => move(at, by)}
                  >
                    {by < 0 ? <IconArrowUp size={18} /> : <IconArrowDown size={18} />}
                  </ActionIcon>
                ))
              : null}
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              disabled={!canRemove}
              aria-label={removeLabel(at + 1)}
              onClick={() => onChange(rows.toSpliced(at, 1))}
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
          onClick={() => onChange([...rows, newRow(rows)])}
        >
          {addLabel}
        </Button>
      </div>
    </>
  )
}
