import { ActionIcon, Progress, Text } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Export } from '#contract/exports.ts'
import { formatBytes, formatDateTime, formatInteger } from '#web/kit/format.ts'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { showToast } from '#web/kit/toasts.tsx'
import styles from './exports.module.css'

type ExportFile = Pick<
  Export,
  | 'status'
  | 'rows'
  | 'total_rows'
  | 'problem'
  | 'bytes'
  | 'sha256'
  | 'file_name'
  | 'expires_time'
  | 'created_time'
>

/** Whether a file is queued or being written. */
export const isBeingWritten = ({ status }: Pick<ExportFile, 'status'>): boolean =>
  status === 'queued' || status === 'running'

/** The status of a file: progress while it is written, or why it failed. */
function FileStatus({ file }: { file: ExportFile }) {
  const { t } = useTranslation()
  const { status, rows, total_rows: total, problem, file_name: name } = file
  const statusText = t(`exports:status.${status}`)
  if (status === 'running')
    return (
      <div className={styles['progress']}>
        <Text size="sm">{statusText}</Text>
        <Progress.Root>
          <Progress.Section
            value={total ? Math.min(100, (100 * rows) / total) : 0}
            aria-label={t('exports:progress', { name })}
          />
        </Progress.Root>
      </div>
    )
  return (
    <>
      <Text size="sm">{statusText}</Text>
      {problem ? (
        <Text size="sm" c="dimmed">
          {problem}
        </Text>
      ) : null}
    </>
  )
}

/** The first characters of a checksum, and a button that copies all of it. */
function Checksum({ file: { sha256, file_name: name } }: { file: ExportFile }) {
  const { t } = useTranslation()
  if (sha256 === null) return null
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(sha256)
      showToast(t('exports:list.copied', { name }))
    } catch {
      // The clipboard is unavailable on pages served by plain HTTP.
      showToast(sha256)
    }
  }
  return (
    <span className={styles['checksum']} title={sha256}>
      {sha256.slice(0, 8)}…
      <ActionIcon variant="subtle" aria-label={t('exports:list.copy', { name })} onClick={() => void copy()}>
        <IconCopy size={16} />
      </ActionIcon>
    </span>
  )
}

/** Returns the columns of the lists of exports and of monthly zips. */
export function useFileColumns(timezone: string): TableColumn<ExportFile>[] {
  const { t } = useTranslation()
  return [
    column('status', t('exports:list.status'), ({ status }) => t(`exports:status.${status}`), {
      width: 100,
      renderCell: (file) => <FileStatus file={file} />,
    }),
    column('rows', t('exports:list.rows'), ({ rows }) => rows, {
      isNumber: true,
      width: 95,
      renderCell: ({ status, rows, total_rows: total }) => {
        if (status === 'ready' || status === 'expired') return formatInteger(rows)
        return status === 'running' && total !== null
          ? `${formatInteger(rows)} / ${formatInteger(total)}`
          : ''
      },
    }),
    column('bytes', t('exports:list.size'), ({ bytes }) => bytes, {
      isNumber: true,
      width: 80,
      renderCell: ({ bytes }) => (bytes === null ? '' : formatBytes(bytes)),
    }),
    column('sha256', 'SHA-256', ({ sha256 }) => sha256, {
      width: 120,
      canSort: false,
      renderCell: (file) => <Checksum file={file} />,
    }),
    column('created', t('exports:list.created'), (row) => row.created_time, {
      width: 120,
      renderCell: ({ created_time: time }) => formatDateTime(time, timezone),
    }),
    column('expires', t('exports:list.expires'), (row) => row.expires_time, {
      width: 120,
      renderCell: ({ status, expires_time: time }) =>
        time === null || status !== 'ready' ? '' : formatDateTime(time, timezone),
    }),
  ]
}
