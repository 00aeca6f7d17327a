import { CloseButton, Group, Progress, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatBytes, formatShare } from '#web/kit/format.ts'
import type { Upload, Uploads } from './use-uploads.ts'
import styles from './ingest.module.css'

/** Files on their way to the server. */
export function UploadList({ uploads }: { uploads: Uploads }) {
  const { t } = useTranslation()
  if (uploads.list.length === 0) return null
  return (
    <ul className={styles['uploads']} aria-label={t('ingest:uploads')}>
      {uploads.list.map((upload) => (
        <li key={upload.id} className={styles['card']}>
          <Group justify="space-between" wrap="nowrap">
            <Text fw={600} truncate>
              {upload.file.name}
            </Text>
            <Group gap="xs" wrap="nowrap">
              <Text size="sm" c="dimmed" className="figures">
                {state(upload)}
              </Text>
              <CloseButton
                aria-label={t('ingest:stop', { name: upload.file.name })}
                onClick={() => uploads.remove(upload.id)}
              />
            </Group>
          </Group>
          {upload.error ? (
            <FailedState
              error={upload.error}
              title={t('ingest:sendFailed')}
              onRetry={() => uploads.again(upload.id)}
            />
          ) : (
            <Progress
              value={100 * (upload.share ?? 0)}
              mt="xs"
              aria-label={t('ingest:sending', { name: upload.file.name })}
            />
          )}
        </li>
      ))}
    </ul>
  )

  function state({ share, file, error }: Upload): string {
    if (error) return formatBytes(file.size)
    return share === null
      ? t('ingest:waiting')
      : t('ingest:sent', { share: formatShare(share), size: formatBytes(file.size) })
  }
}
