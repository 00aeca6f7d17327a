import { ActionIcon, CloseButton, Skeleton } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import type { IssueWithHistory } from '#contract/issues.ts'
import { FailedState, type DisplayableError } from '#web/kit/failed-state.tsx'
import { formatDateTime, formatInteger } from '#web/kit/format.ts'
import type { Scheme } from '#web/kit/theme.ts'
import styles from './issue-card.module.css'
import { getStatusColors } from './issue-colors.ts'
import { formatDistrictField, formatResolutionTime, getTypeName } from './issue-text.ts'

interface Props {
  /** The id, as in the URL. */
  id: string
  response: { data: IssueWithHistory | undefined; error: DisplayableError | null; refetch: () => unknown }
  /** Time zone of the region. */
  timezone: string
  scheme: Scheme
  /** Its index among the issues at the same place, with navigation; null if it is the only one. */
  stack: { index: number; count: number; go: (step: 1 | -1) => void } | null
  onClear: () => void
}

/** The selected issue: details and history. */
export function IssueCard({
  id,
  response: { data: issue, error, refetch },
  timezone,
  scheme,
  stack,
  onClear,
}: Props) {
  const { t } = useTranslation()
  return (
    <section className={styles['card']} aria-label={t('issues:card.label')}>
      <header className={styles['head']}>
        <div className={styles['names']}>
          <h2 className={styles['name']}>{issue ? getTypeName(issue) : t('issues:card.number', { id })}</h2>
          {issue ? (
            <p className={styles['status']}>
              <span
                className={styles['dot']}
                aria-hidden="true"
                style={{ '--swatch': getStatusColors(scheme)[issue.status] } as CSSProperties}
              />
              {t(`issues:status.${issue.status}`)}
              {issue.source_status.toLowerCase() ===
              t(`issues:status.${issue.status}`).toLowerCase() ? null : (
                <span className={styles['quiet']}>· {issue.source_status}</span>
              )}
            </p>
          ) : null}
        </div>
        <CloseButton size="sm" aria-label={t('issues:card.clear')} onClick={onClear} />
      </header>
      {stack ? <StackNavigation stack={stack} /> : null}
      {issue ? (
        <IssueDetails issue={issue} timezone={timezone} />
      ) : error ? (
        <FailedState error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={120} mt={8} />
      )}
    </section>
  )
}

/** The position of the issue among those at the same place, with navigation. */
function StackNavigation({ stack }: { stack: NonNullable<Props['stack']> }) {
  const { t } = useTranslation()
  return (
    <nav className={styles['stack']} aria-label={t('issues:card.place')}>
      <ActionIcon
        size="sm"
        variant="subtle"
        color="gray"
        aria-label={t('issues:card.previous')}
        onClick={() => stack.go(-1)}
      >
        <IconChevronLeft size={16} />
      </ActionIcon>
      <span role="status">
        {t('issues:card.of', {
          at: formatInteger(stack.index + 1),
          count: stack.count,
          shown: formatInteger(stack.count),
        })}
      </span>
      <ActionIcon
        size="sm"
        variant="subtle"
        color="gray"
        aria-label={t('issues:card.next')}
        onClick={() => stack.go(1)}
      >
        <IconChevronRight size={16} />
      </ActionIcon>
    </nav>
  )
}

/** The fields of the issue, and its history. */
function IssueDetails({ issue, timezone }: { issue: IssueWithHistory; timezone: string }) {
  const { t } = useTranslation()
  const figures = [
    [t('issues:card.requested'), formatDateTime(issue.requested_time, timezone)],
    [
      t('issues:card.closed'),
      issue.status === 'open' ? t('issues:card.notYet') : formatDateTime(issue.closed_time, timezone),
    ],
    ...(issue.status === 'closed'
      ? [[t('issues:card.resolution'), formatResolutionTime(issue.resolution_time)]]
      : []),
    [t('issues:card.address'), issue.address ?? t('issues:card.unknown')],
    ...Object.entries(issue.districts).map(([name, value]) => [formatDistrictField(name), value]),
    [t('issues:card.source'), t(issue.source === 'files' ? 'issues:card.files' : 'issues:card.feed')],
  ]
  return (
    <>
      <p className={styles['quiet']}>{t('issues:card.number', { id: issue.id })}</p>
      {issue.description ? <p className={styles['text']}>{issue.description}</p> : null}
      <dl className={styles['figures']}>
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {issue.lat === null ? <p className={styles['quiet']}>{t('issues:card.placeless')}</p> : null}
      <h3 className={styles['part']}>{t('issues:card.history')}</h3>
      <ol className={styles['history']}>
        {issue.history.map(({ time, source_status: sourceStatus, status }) => (
          <li key={`${time} ${sourceStatus}`}>
            <span>{sourceStatus || t(`issues:status.${status}`)}</span>
            <time dateTime={time}>{formatDateTime(time, timezone)}</time>
          </li>
        ))}
      </ol>
    </>
  )
}
