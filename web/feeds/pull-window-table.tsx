import { useTranslation } from 'react-i18next'
import { type PullWindow, pullWindowOrders } from '#contract/feeds.ts'
import { Table } from '#web/kit/table/table.tsx'
import { formatDateTime, formatInteger } from '#web/kit/format.ts'
import type { TableColumn } from '#web/kit/table/table-column.ts'
import type { TableState, TableStateHandler } from '#web/kit/table/table-state.ts'
import styles from './feeds.module.css'
import { serverText } from '#web/i18n/server-text.ts'

/** Pull windows of a feed, each with its result. */
export function PullWindowTable({
  pullWindows,
  zone,
  label,
  total,
  state,
  onState,
}: {
  pullWindows: readonly PullWindow[]
  zone: string
  label: string
  total: number
  state: TableState
  onState: TableStateHandler
}) {
  const { t } = useTranslation()
  const moment = (time: string | null): string => (time ? formatDateTime(time, zone) : '')
  const columns: TableColumn<PullWindow>[] = [
    {
      key: 'window_start',
      title: t('feeds:pullWindows.from'),
      width: 210,
      value: ({ windowStart }) => windowStart,
      renderCell: ({ windowStart }) => moment(windowStart),
    },
    {
      key: 'stream',
      title: t('feeds:pullWindows.stream'),
      width: 110,
      value: ({ stream }) => stream,
    },
    {
      key: 'status',
      title: t('feeds:pullWindows.status'),
      width: 110,
      value: ({ status }) => t(`feeds:status.${status}`),
      renderCell: ({ status }) => (
        <span className={styles['mark']} data-state={status}>
          {t(`feeds:status.${status}`)}
        </span>
      ),
    },
    {
      key: 'records',
      title: t('feeds:pullWindows.records'),
      width: 90,
      isNumber: true,
      value: ({ records }) => records,
      renderCell: ({ records }) => formatInteger(records),
    },
    {
      key: 'when',
      title: t('feeds:pullWindows.when'),
      width: 240,
      value: ({ doneTime, nextTime }) => doneTime ?? nextTime,
      renderCell: ({ doneTime, nextTime }) =>
        doneTime
          ? moment(doneTime)
          : nextTime
            ? t('feeds:pullWindows.next', { moment: moment(nextTime) })
            : '',
    },
    {
      key: 'problem',
      title: t('feeds:pullWindows.problem'),
      value: ({ problem }) => problem && serverText(problem),
      renderCell: ({ problem }) => {
        const text = serverText(problem ?? '')
        return <span title={text}>{text}</span>
      },
    },
  ]
  return (
    <Table
      label={label}
      rows={pullWindows}
      columns={columns}
      rowKey={({ stream, windowStart }) => `${stream} ${windowStart}`}
      maxHeight={360}
      state={state}
      onState={onState}
      defaultSort="-window_start"
      server={{ total, sortKeys: pullWindowOrders }}
    />
  )
}
