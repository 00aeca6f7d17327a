import { Checkbox } from '@mantine/core'
import { type ChangeEvent, type KeyboardEvent, type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { column, type TableColumn } from './table-column.ts'

/** Selection of several rows for a common action. */
export interface RowChecks<T> {
  /** Checked rows by key, including those of other pages. */
  checked: ReadonlyMap<string, T>
  onCheck: (checked: ReadonlyMap<string, T>) => void
  /** Accessible name of the checkbox of a row. */
  rowLabel: (row: T) => string
  /** Buttons that act on the checked rows. */
  actions: ReactNode
}

/** Moves the focus between the checkboxes of a table with the up and down arrow keys. */
function moveByArrow(event: KeyboardEvent<HTMLInputElement>): void {
  const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp'
  const step = event.key === 'ArrowDown' ? 1 : -1
  const checkboxes = [...(event.currentTarget.closest('table')?.querySelectorAll('input') ?? [])].filter(
    ({ type }) => type === 'checkbox',
  )
  const nextBox = isArrow ? checkboxes[checkboxes.indexOf(event.currentTarget) + step] : undefined
  if (!nextBox) return
  event.preventDefault()
  nextBox.focus()
}

/** Returns the column of checkboxes, if `checks` exist. With Shift, a click checks all rows since the last one. */
export function useChecksColumn<T>(
  checks: RowChecks<T> | undefined,
  shownRows: readonly T[],
  rowKey: (row: T) => string,
): TableColumn<T>[] {
  const { t } = useTranslation()
  const lastKey = useRef<string | null>(null)
  if (!checks) return []
  const { checked, onCheck, rowLabel } = checks
  /** Checks or unchecks rows; other rows remain as they are. */
  const setChecked = (rows: readonly T[], isOn: boolean): void => {
    const entries = rows.map((row) => [rowKey(row), row] as const)
    const unchangedEntries = [...checked].filter(([key]) => !entries.some(([entryKey]) => entryKey === key))
    onCheck(new Map(isOn ? [...unchangedEntries, ...entries] : unchangedEntries))
  }
  const handleCheck = (row: T, { currentTarget, nativeEvent }: ChangeEvent<HTMLInputElement>): void => {
    const index = shownRows.indexOf(row)
    const isRange = 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true
    const lastIndex = isRange ? shownRows.findIndex((other) => rowKey(other) === lastKey.current) : -1
    lastKey.current = rowKey(row)
    const startIndex = lastIndex < 0 ? index : lastIndex
    setChecked(
      shownRows.slice(Math.min(startIndex, index), Math.max(startIndex, index) + 1),
      currentTarget.checked,
    )
  }
  const checkedCount = shownRows.filter((row) => checked.has(rowKey(row))).length
  return [
    column('checks', t('kit:checks.all'), () => null, {
      isActions: true,
      width: 44,
      renderHead: () => (
        <Checkbox
          size="sm"
          aria-label={t('kit:checks.all')}
          checked={checkedCount > 0 && checkedCount === shownRows.length}
          indeterminate={checkedCount > 0 && checkedCount < shownRows.length}
          onKeyDown={moveByArrow}
          onChange={(event) => setChecked(shownRows, event.currentTarget.checked)}
        />
      ),
      renderCell: (row) => (
        <Checkbox
          size="sm"
          aria-label={rowLabel(row)}
          checked={checked.has(rowKey(row))}
          onKeyDown={moveByArrow}
          onChange={(event) => handleCheck(row, event)}
        />
      ),
    }),
  ]
}
