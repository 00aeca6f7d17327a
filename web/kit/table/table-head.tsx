import { UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { TableColumn } from './table-column.ts'
import type { Sorting } from './table-state.ts'
import styles from './table.module.css'

interface Props<T> {
  columns: readonly TableColumn<T>[]
  sorting: Sorting | null
  canSort: (key: string) => boolean
  onSort: (key: string) => void
}

/** The header row. A click on a title sorts by its column. */
export function TableHead<T>({ columns, sorting, canSort, onSort }: Props<T>) {
  const { t } = useTranslation()
  return (
    <thead className={styles['head']}>
      <tr aria-rowindex={1} data-title={t('kit:sort')}>
        {columns.map(({ key, title, isNumber, isActions, renderHead, canSort: isSortable = true }) => {
          if (isActions)
            return (
              <th key={key} scope="col" data-actions>
                {renderHead ? renderHead() : <span className="visually-hidden">{title}</span>}
              </th>
            )
          if (!isSortable || !canSort(key))
            return (
              <th key={key} scope="col" data-number={isNumber || undefined}>
                <span className={styles['unsorted']}>{title}</span>
              </th>
            )
          const isSorted = sorting?.key === key
          const direction = sorting?.isDescending ? 'descending' : 'ascending'
          const Arrow = isSorted && sorting.isDescending ? IconArrowDown : IconArrowUp
          return (
            <th
              key={key}
              scope="col"
              aria-sort={isSorted ? direction : undefined}
              data-number={isNumber || undefined}
            >
              <UnstyledButton
                className={styles['sort'] ?? ''}
                title={t('kit:sortBy', { column: title })}
                onClick={() => onSort(key)}
              >
                {title}
                <Arrow
                  size={14}
                  aria-hidden="true"
                  className={styles['arrow'] ?? ''}
                  data-on={isSorted || undefined}
                />
              </UnstyledButton>
            </th>
          )
        })}
      </tr>
    </thead>
  )
}
