import { Text, Progress } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Import } from '#contract/imports.ts'
import { formatBytes, formatDateTime, formatPercent, formatInteger } from '#web/kit/format.ts'
import { useRegion } from '#web/shell/region.tsx'
import { ImportActions } from './import-actions.tsx'
import { ImportOutcome } from './import-outcome.tsx'
import { isBusy } from './use-imports.ts'
import styles from './imports.module.css'
import { formatDuration } from '#web/kit/format-duration.ts'
import { serverText } from '#web/i18n/server-text.ts'

function ImportProgress({ given }: { given: Import }) {
  const { t } = useTranslation()
  const parts =
    given.status !== 'running'
      ? [t(`imports:${given.status === 'queued' ? 'queued' : 'canceling'}`)]
      : [
          formatPercent(given.progress),
          given.rows_per_second === null
            ? null
            : t('imports:rate', { rows: formatInteger(given.rows_per_second) }),
          given.seconds_left === null
            ? null
            : t('imports:left', { time: formatDuration(given.seconds_left) }),
        ]
  return (
    <>
      <Progress
        value={100 * given.progress}
        mt="sm"
        animated={given.status === 'running'}
        aria-label={t('imports:importing', { name: given.file_name })}
      />
      <Text size="sm" c="dimmed" mt={4} className="figures">
        {parts.filter(Boolean).join(' · ')}
      </Text>
    </>
  )
}

interface Props {
  given: Import
  onMap: () => void
}

export function ImportCard({ given, onMap }: Props) {
  const { t } = useTranslation()
  const { timezone } = useRegion()
  return (
    <article className={styles['card']} data-status={given.status} aria-label={given.file_name}>
      <div className={styles['head']}>
        <div className={styles['name']}>
          <Text fw={600} truncate title={given.file_name}>
            {given.file_name}
          </Text>
          <span className={styles['status']} data-status={given.status}>
            {t(`imports:status.${given.status}`)}
          </span>
        </div>
        <Text size="sm" c="dimmed">
          {[
            t(`imports:kind.${given.kind}`),
            given.layout,
            given.bytes > 0 ? formatBytes(given.bytes) : null,
            formatDateTime(given.created_time, timezone),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </div>
      {given.asks.length > 0 ? (
        <Text size="sm" mt="xs">
          {given.asks.map((each) => t(`imports:asks.${each}`)).join(' ')}
        </Text>
      ) : null}
      {isBusy(given) ? <ImportProgress given={given} /> : null}
      {given.problem ? (
        <Text c="var(--red)" size="sm" mt="xs" role="alert">
          {serverText(given.problem)}
        </Text>
      ) : null}
      {given.same_as ? (
        <Text size="sm" mt="xs">
          {t('imports:sameAs')}
        </Text>
      ) : null}
      {given.rows_read > 0 ? <ImportOutcome given={given} /> : null}
      {given.notes.length > 0 ? (
        <ul className={styles['notes']}>
          {given.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      ) : null}
      <ImportActions given={given} onMap={onMap} />
    </article>
  )
}
