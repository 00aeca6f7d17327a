import { UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Sorting, TableColumn } from './table-column.ts'
import styles from './data-table.module.css'

interface Props<T> {
  columns: readonly TableColumn<T>[]
  sorting: Sorting | null
  /** Whether a column can be sorted; by default all can. */
  canSort?: (column: TableColumn<T>) => boolean
  onSort: (key: string) => void
}

export function DataTableHead<T>({ columns, sorting, canSort, onSort }: Props<T>) {
  const { t } = useTranslation()
  return (
    <thead className={styles['head']}>
      <tr aria-rowindex={1}>
        {columns.map((column) => {
          const order =
            sorting?.key === column.key ? (sorting.isDescending ? 'descending' : 'ascending') : undefined
          const Arrow = order === 'descending' ? IconArrowDown : IconArrowUp
          if (column.isActions)
            return (
              <th key={column.key} scope="col">
                <span className="only-read">{column.title}</span>
              </th>
            )
          if (canSort?.(column) === false)
            return (
              <th key={column.key} scope="col" data-number={column.isNumber || undefined}>
                <span className={styles['unsorted']}>{column.title}</span>
              </th>
            )
          return (
            <th key={column.key} scope="col" aria-sort={order} data-number={column.isNumber || undefined}>
              <UnstyledButton
                className={styles['sort'] ?? ''}
                title={t('kit:sortBy', { column: column.title })}
                onClick={() => onSort(column.key)}
              >
                {column.title}
                <Arrow
                  size={14}
                  aria-hidden="true"
                  className={styles['arrow'] ?? ''}
                  data-on={order !== undefined || undefined}
                />
              </UnstyledButton>
            </th>
          )
        })}
      </tr>
    </thead>
  )
}
