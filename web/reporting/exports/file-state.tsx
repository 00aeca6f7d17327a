import { ActionIcon, Progress, Text } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Export } from '#contract/exports.ts'
import { formatBytes, formatDateTime, formatInteger } from '#web/kit/format.ts'
import type { TableColumn } from '#web/kit/table/table-column.ts'
import { showToast } from '#web/kit/toasts.tsx'
import styles from './exports.module.css'

type File = Pick<
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

export const isOpen = ({ status }: Pick<File, 'status'>): boolean =>
  status === 'queued' || status === 'running'

/** Status of a file: progress while it is written, the reason where it failed. */
function FileStatus({ file }: { file: File }) {
  const { t } = useTranslation()
  const { status, rows, total_rows: total, problem, file_name: name } = file
  const text = t(`exports:status.${status}`)
  if (status === 'running')
    return (
      <div className={styles['progress']}>
        <Text size="sm">{text}</Text>
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
      <Text size="sm">{text}</Text>
      {problem ? (
        <Text size="sm" c="dimmed">
          {problem}
        </Text>
      ) : null}
    </>
  )
}

/** First characters of a checksum, and a button that copies all. */
function Checksum({ file: { sha256, file_name: name } }: { file: File }) {
  const { t } = useTranslation()
  if (sha256 === null) return null
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(sha256)
      showToast(t('exports:list.copied', { name }))
    } catch {
      // Missing on pages served by plain HTTP: the whole text is in the title.
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

/** Columns that lists of files share. */
export function useFileColumns(zone: string): TableColumn<File>[] {
  const { t } = useTranslation()
  return [
    {
      key: 'status',
      title: t('exports:list.status'),
      width: 100,
      value: ({ status }) => t(`exports:status.${status}`),
      renderCell: (file) => <FileStatus file={file} />,
    },
    {
      key: 'rows',
      title: t('exports:list.rows'),
      isNumber: true,
      width: 95,
      value: ({ rows }) => rows,
      renderCell: ({ status, rows, total_rows: total }) =>
        status === 'ready' || status === 'expired'
          ? formatInteger(rows)
          : status === 'running' && total !== null
            ? `${formatInteger(rows)} / ${formatInteger(total)}`
            : '',
    },
    {
      key: 'bytes',
      title: t('exports:list.size'),
      isNumber: true,
      width: 80,
      value: ({ bytes }) => bytes,
      renderCell: ({ bytes }) => (bytes === null ? '' : formatBytes(bytes)),
    },
    {
      key: 'sha256',
      title: 'SHA-256',
      width: 120,
      canSort: false,
      value: ({ sha256 }) => sha256,
      renderCell: (file) => <Checksum file={file} />,
    },
    {
      key: 'created',
      title: t('exports:list.created'),
      width: 120,
      value: ({ created_time: time }) => time,
      renderCell: ({ created_time: time }) => formatDateTime(time, zone),
    },
    {
      key: 'expires',
      title: t('exports:list.expires'),
      width: 120,
      value: ({ expires_time: time }) => time,
      renderCell: ({ status, expires_time: time }) =>
        time === null || status !== 'ready' ? '' : formatDateTime(time, zone),
    },
  ]
}
