import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { StreamTest } from '#contract/feeds.ts'
import { formatBytes, formatInteger } from '#web/kit/format.ts'
import styles from './feeds.module.css'
import { RecordTable } from './record-table.tsx'
import { translateServerText } from '#web/i18n/server-text.ts'

/** The result of each stream of a feed, and its first records as they were read. */
export function TestResults({ tests }: { tests: readonly StreamTest[] }) {
  const { t } = useTranslation()
  return (
    <section aria-label={t('feeds:test.results')} aria-live="polite">
      {tests.map((test) => {
        const {
          stream,
          status,
          milliseconds,
          bytes,
          read,
          setAside,
          reasons,
          lists,
          hasMore,
          problem,
          note,
        } = test
        const mark = problem ? 'failing' : note ? 'off' : setAside > 0 ? 'late' : 'working'
        return (
          <div key={stream} className={styles['stream']}>
            <Group gap="sm" justify="space-between">
              <Text fw={600} component="h3">
                {stream}
              </Text>
              <span className={styles['mark']} data-state={mark}>
                {t(`feeds:test.mark.${mark}`)}
              </span>
            </Group>
            <Text size="sm" c="dimmed" className="figures">
              {[
                ...(status === null ? [] : [t('feeds:test.status', { status })]),
                t('feeds:test.milliseconds', { count: formatInteger(milliseconds) }),
                formatBytes(bytes),
                t('feeds:test.read', { count: formatInteger(read) }),
                ...(setAside > 0 ? [t('feeds:test.setAside', { count: formatInteger(setAside) })] : []),
                ...(hasMore ? [t('feeds:test.hasMore')] : []),
              ].join(' · ')}
            </Text>
            {problem ? (
              <Text size="sm" className={styles['problem'] ?? ''}>
                {translateServerText(problem)}
              </Text>
            ) : null}
            {note ? <Text size="sm">{t(`feeds:test.note.${note}`)}</Text> : null}
            {reasons.length ? (
              <ul className={styles['reasons']}>
                {reasons.map(({ reason, count }) => (
                  <li key={reason}>
                    {formatInteger(count)} × {reason}
                  </li>
                ))}
              </ul>
            ) : null}
            {lists.map(({ name, first }) => (
              <RecordTable key={name} name={name} records={first} />
            ))}
          </div>
        )
      })}
    </section>
  )
}
