import { useTranslation } from 'react-i18next'
import type { UseQueryResult } from '@tanstack/react-query'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { type Issue, issueSortKeys, type listIssues } from '#contract/issues.ts'
import type { LocalDay } from '#contract/period.ts'
import { drawerGap } from '#web/map-page/covered-map.ts'
import { bucketName } from '#web/map-page/time/bucket-name.ts'
import type { DownloadFormat } from '#web/kit/download-button.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatDateTime, formatInteger } from '#web/kit/format.ts'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import type { TableState, TableStateHandler } from '#web/kit/table/table-state.ts'
import { Table } from '#web/kit/table/table.tsx'
import type { ApiError } from '#web/data/api-error.ts'
import { toIssueKey } from './issue-key.ts'
import { formatResolutionTime, getTypeName } from './issue-text.ts'

interface Props {
  list: UseQueryResult<EndpointOutput<typeof listIssues>, ApiError>
  /** Download formats of all issues. */
  formats: readonly DownloadFormat[]
  state: TableState
  onStateChange: TableStateHandler
  /** Time zone of the region. */
  timezone: string
  /** The day of the issues; null unless the map shows single days. */
  day: LocalDay | null
  height: number
  /** Key of the selected issue. */
  selected: string | undefined
  onSelect: (key: string) => void
}

/** The issues of the map and those without a place, paged and sorted by the server. */
export function IssuesTable({
  list,
  formats,
  state,
  onStateChange,
  timezone,
  day,
  height,
  selected,
  onSelect,
}: Props) {
  const { t, i18n } = useTranslation()
  const columns: TableColumn<Issue>[] = [
    column('id', t('issues:table.number'), (issue) => issue.id, { width: 200 }),
    column('service_name', t('issues:table.type'), getTypeName),
    column('status', t('issues:table.status'), (issue) => t(`issues:status.${issue.status}`), { width: 100 }),
    column('source_status', t('issues:table.words'), (issue) => issue.source_status, { width: 140 }),
    column(
      'requested_time',
      t('issues:table.requested'),
      (issue) => formatDateTime(issue.requested_time, timezone),
      { width: 190 },
    ),
    column('closed_time', t('issues:table.closed'), (issue) => formatDateTime(issue.closed_time, timezone), {
      width: 190,
    }),
    column(
      'resolution_time',
      t('issues:table.resolution'),
      (issue) => formatResolutionTime(issue.resolution_time),
      { width: 190 },
    ),
    column('address', t('issues:table.address'), (issue) => issue.address),
  ]
  return (
    <>
      {list.error ? <FailedState error={list.error} onRetry={() => void list.refetch()} /> : null}
      <Table
        label={t('issues:table.label')}
        rows={list.data?.items}
        moreFormats={formats}
        columns={columns}
        rowKey={(issue) => toIssueKey(issue.source, issue.id)}
        state={state}
        onStateChange={onStateChange}
        defaultSort="-requested_time"
        server={{ total: list.data?.total ?? 0, sortKeys: issueSortKeys }}
        height={height - drawerGap}
        selected={selected}
        onSelect={onSelect}
        countText={[
          ...(list.data
            ? [t('issues:total', { count: list.data.total, shown: formatInteger(list.data.total) })]
            : []),
          ...(day ? [bucketName(t, i18n.language, 'day', day)] : []),
        ].join(' · ')}
      />
    </>
  )
}
