import { Progress, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Import } from '#contract/ingest.ts'
import { formatDuration } from '#web/kit/format-duration.ts'
import { formatShare, formatWhole } from '#web/kit/format.ts'

export function ImportProgress({ given }: { given: Import }) {
  const { t } = useTranslation()
  const parts =
    given.status !== 'running'
      ? [t(`ingest:${given.status === 'queued' ? 'queued' : 'canceling'}`)]
      : [
          formatShare(given.progress),
          given.rows_per_second === null
            ? null
            : t('ingest:rate', { rows: formatWhole(given.rows_per_second) }),
          given.seconds_left === null ? null : t('ingest:left', { time: formatDuration(given.seconds_left) }),
        ]
  return (
    <>
      <Progress
        value={100 * given.progress}
        mt="sm"
        animated={given.status === 'running'}
        aria-label={t('ingest:importing', { name: given.file_name })}
      />
      <Text size="sm" c="dimmed" mt={4} className="figures">
        {parts.filter(Boolean).join(' · ')}
      </Text>
    </>
  )
}
