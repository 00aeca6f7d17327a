import { useTranslation } from 'react-i18next'
import { type PullWindow, pullWindowOrders } from '#contract/feeds.ts'
import { Table } from '#web/kit/table/table.tsx'
import { formatDateTime } from '#web/kit/format.ts'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import type { TableState, TableStateHandler } from '#web/kit/table/table-state.ts'
import { translateServerText } from '#web/i18n/server-text.ts'
import styles from './feeds.module.css'

/** Pull windows of a feed with their results. */
export function PullWindowTable({
  pullWindows,
  timezone,
  label,
  total,
  state,
  onStateChange,
}: {
  pullWindows: readonly PullWindow[]
  timezone: string
  label: string
  total: number
  state: TableState
  onStateChange: TableStateHandler
}) {
  const { t } = useTranslation()
  const formatTime = (time: string | null): string => (time ? formatDateTime(time, timezone) : '')
  const columns: TableColumn<PullWindow>[] = [
    column('window_start', t('feeds:pullWindows.from'), ({ windowStart }) => windowStart, {
      width: 210,
      renderCell: ({ windowStart }) => formatTime(windowStart),
    }),
    column('stream', t('feeds:pullWindows.stream'), ({ stream }) => stream, { width: 110 }),
    column('status', t('feeds:pullWindows.status'), ({ status }) => t(`feeds:status.${status}`), {
      width: 110,
      renderCell: ({ status }) => (
        <span className={styles['mark']} data-state={status}>
          {t(`feeds:status.${status}`)}
        </span>
      ),
    }),
    column('records', t('feeds:pullWindows.records'), ({ records }) => records, {
      width: 90,
      isNumber: true,
    }),
    column('when', t('feeds:pullWindows.when'), ({ doneTime, nextTime }) => doneTime ?? nextTime, {
      width: 240,
      renderCell: ({ doneTime, nextTime }) => {
        if (doneTime) return formatTime(doneTime)
        return nextTime ? t('feeds:pullWindows.next', { moment: formatTime(nextTime) }) : ''
      },
    }),
    column(
      'problem',
      t('feeds:pullWindows.problem'),
      ({ problem }) => problem && translateServerText(problem),
      {
        renderCell: ({ problem }) => {
          const text = translateServerText(problem ?? '')
          return <span title={text}>{text}</span>
        },
      },
    ),
  ]
  return (
    <Table
      label={label}
      rows={pullWindows}
      columns={columns}
      rowKey={({ stream, windowStart }) => `${stream} ${windowStart}`}
      maxHeight={360}
      state={state}
      onStateChange={onStateChange}
      defaultSort="-window_start"
      server={{ total, sortKeys: pullWindowOrders }}
    />
  )
}
