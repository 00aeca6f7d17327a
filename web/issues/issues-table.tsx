import { Text, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { Issue, IssueSort, listIssues } from '#contract/issues.ts'
import type { LocalDay } from '#contract/period.ts'
import { bucketName } from '#web/evaluation/time/bucket-name.ts'
import { DataTableHead } from '#web/kit/data-table-head.tsx'
import { DataTableRow } from '#web/kit/data-table.tsx'
import table from '#web/kit/data-table.module.css'
import { formatDateTime, formatInteger } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { nextSorting } from '#web/kit/sort-rows.ts'
import type { Sorting, TableColumn } from '#web/kit/table-column.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ApiError } from '#web/data/api-error.ts'
import { Pager } from '#web/kit/pager.tsx'
import { keyText } from './issue-key.ts'
import { resolutionText, typeText } from './issue-text.ts'
import styles from './issues-table.module.css'

interface Props {
  list: UseQueryResult<EndpointOutput<typeof listIssues>, ApiError>
  sort: IssueSort
  /** Of the region. */
  zone: string
  /** The one day whose issues these are, where the map shows single days. */
  day: LocalDay | null
  height: number
  /** Key of the selected issue. */
  selected: string | undefined
  onSelect: (key: string) => void
  onSort: (sort: IssueSort | undefined) => void
  onPage: (page: number) => void
}

const rowHeight = 40
/** What stands above and below the rows. */
const around = 92

const sortingOf = (sort: IssueSort): Sorting => ({
  key: sort.replace(/^-/, ''),
  isDescending: sort.startsWith('-'),
})

/** The issues of the map, those without a place too: a page of them, sorted by the server. */
export function IssuesTable({ list, sort, zone, day, height, selected, onSelect, onSort, onPage }: Props) {
  const { t, i18n } = useTranslation()
  const sorting = sortingOf(sort)
  const columns: TableColumn<Issue>[] = [
    {
      key: 'id',
      title: t('issues:table.number'),
      width: 200,
      value: (issue) => issue.id,
      renderCell: (issue) => (
        <UnstyledButton
          className={styles['name'] ?? ''}
          aria-pressed={keyText(issue.source, issue.id) === selected}
          onClick={() => onSelect(keyText(issue.source, issue.id))}
        >
          {issue.id}
        </UnstyledButton>
      ),
    },
    { key: 'service_name', title: t('issues:table.type'), value: typeText },
    {
      key: 'status',
      title: t('issues:table.status'),
      width: 100,
      value: (issue) => t(`issues:status.${issue.status}`),
    },
    {
      key: 'source_status',
      title: t('issues:table.words'),
      width: 140,
      value: (issue) => issue.source_status,
    },
    {
      key: 'requested_time',
      title: t('issues:table.requested'),
      width: 190,
      value: (issue) => formatDateTime(issue.requested_time, zone),
    },
    {
      key: 'closed_time',
      title: t('issues:table.closed'),
      width: 190,
      value: (issue) => formatDateTime(issue.closed_time, zone),
    },
    {
      key: 'resolution_time',
      title: t('issues:table.resolution'),
      width: 190,
      value: (issue) => resolutionText(issue.resolution_time),
    },
    { key: 'address', title: t('issues:table.address'), value: (issue) => issue.address },
  ]
  const sortBy = (key: string): void => {
    const next = nextSorting(sorting, key)
    onSort(next ? (`${next.isDescending ? '-' : ''}${next.key}` as IssueSort) : undefined)
  }
  return (
    <Loaded of={list}>
      {({ items, total, page, size }) => (
        <div className={table['frame']}>
          <Text size="sm" c="dimmed" className="figures" px="sm" py={6} data-total={total}>
            {[
              t('issues:total', { count: total, shown: formatInteger(total) }),
              ...(day ? [bucketName(t, i18n.language, 'day', day)] : []),
            ].join(' · ')}
          </Text>
          {/* A box that scrolls must be reachable by keyboard. */}
          <div
            className={table['box']}
            style={{ maxHeight: Math.max(120, height - around) }}
            tabIndex={0}
            role="region"
            aria-label={t('issues:table.label')}
          >
            <table
              className={table['table']}
              aria-label={t('issues:table.label')}
              aria-rowcount={total + 1}
              style={{ minWidth: columns.reduce((sum, column) => sum + (column.width ?? 180), 0) }}
            >
              <colgroup>
                {columns.map((column) => (
                  <col key={column.key} style={column.width ? { width: column.width } : {}} />
                ))}
              </colgroup>
              <DataTableHead columns={columns} sorting={sorting} onSort={sortBy} />
              <tbody>
                {items.map((issue, at) => (
                  <DataTableRow
                    key={keyText(issue.source, issue.id)}
                    row={issue}
                    columns={columns}
                    index={(page - 1) * size + at}
                    height={rowHeight}
                  />
                ))}
                {items.length === 0 ? (
                  <tr>
                    <td colSpan={columns.length} className={table['none']}>
                      {t('kit:noRows')}
                    </td>
                  </tr>
                ) : null}
              </tbody>
            </table>
          </div>
          <div className={styles['foot']}>
            <Pager page={page} size={size} total={total} onPage={onPage} />
          </div>
        </div>
      )}
    </Loaded>
  )
}
