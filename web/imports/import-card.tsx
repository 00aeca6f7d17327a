import { Text, Progress } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Import } from '#contract/imports.ts'
import { formatBytes, formatDateTime, formatPercent, formatInteger } from '#web/kit/format.ts'
import { useRegion } from '#web/shell/region.tsx'
import { formatDuration } from '#web/kit/format-duration.ts'
import { translateServerText } from '#web/i18n/server-text.ts'
import { ImportActions } from './import-actions.tsx'
import { ImportOutcome } from './import-outcome.tsx'
import { isBusy } from './use-imports.ts'
import styles from './imports.module.css'

/** The progress of an import that is waiting, running or being canceled. */
function ImportProgress({ imported }: { imported: Import }) {
  const { t } = useTranslation()
  const texts =
    imported.status !== 'running'
      ? [t(`imports:${imported.status === 'queued' ? 'queued' : 'canceling'}`)]
      : [
          formatPercent(imported.progress),
          imported.rows_per_second === null
            ? null
            : t('imports:rate', { rows: formatInteger(imported.rows_per_second) }),
          imported.seconds_left === null
            ? null
            : t('imports:left', { time: formatDuration(imported.seconds_left) }),
        ]
  return (
    <>
      <Progress
        value={100 * imported.progress}
        mt="sm"
        animated={imported.status === 'running'}
        aria-label={t('imports:importing', { name: imported.file_name })}
      />
      <Text size="sm" c="dimmed" mt={4} className="figures">
        {texts.filter(Boolean).join(' · ')}
      </Text>
    </>
  )
}

/** An import with its progress, result and actions. */
export function ImportCard({ imported, onMap }: { imported: Import; onMap: () => void }) {
  const { t } = useTranslation()
  const { timezone } = useRegion()
  return (
    <article className={styles['card']} data-status={imported.status} aria-label={imported.file_name}>
      <div className={styles['head']}>
        <div className={styles['name']}>
          <Text fw={600} truncate title={imported.file_name}>
            {imported.file_name}
          </Text>
          <span className={styles['status']} data-status={imported.status}>
            {t(`imports:status.${imported.status}`)}
          </span>
        </div>
        <Text size="sm" c="dimmed">
          {[
            t(`imports:kind.${imported.kind}`),
            imported.layout,
            imported.bytes > 0 ? formatBytes(imported.bytes) : null,
            formatDateTime(imported.created_time, timezone),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </div>
      {imported.asks.length > 0 ? (
        <Text size="sm" mt="xs">
          {imported.asks.map((requirement) => t(`imports:asks.${requirement}`)).join(' ')}
        </Text>
      ) : null}
      {isBusy(imported) ? <ImportProgress imported={imported} /> : null}
      {imported.problem ? (
        <Text c="var(--red)" size="sm" mt="xs" role="alert">
          {translateServerText(imported.problem)}
        </Text>
      ) : null}
      {imported.same_as ? (
        <Text size="sm" mt="xs">
          {t('imports:sameAs')}
        </Text>
      ) : null}
      {imported.rows_read > 0 ? <ImportOutcome imported={imported} /> : null}
      {imported.notes.length > 0 ? (
        <ul className={styles['notes']}>
          {imported.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      ) : null}
      <ImportActions imported={imported} onMap={onMap} />
    </article>
  )
}
