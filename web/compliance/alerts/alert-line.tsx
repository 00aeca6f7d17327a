import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Alert } from '#contract/compliance-alerts.ts'
import { formatDateTime, formatInteger } from '#web/kit/format.ts'
import styles from './alerts.module.css'

/** One message: time, subject, status, and the reason of a failure. */
export function AlertLine({ alert, timezone }: { alert: Alert; timezone: string }) {
  const { t } = useTranslation()
  const { state, is_test: isTest, tries, next_time: next, problem } = alert
  const subject = isTest
    ? t('compliance:alerts.test')
    : t('compliance:alerts.records', {
        count: alert.records,
        shown: formatInteger(alert.records),
        policy: alert.policy_name ?? '',
      })
  const isRetrying = state === 'waiting' && tries > 0
  return (
    <div className={styles['line']}>
      <span className={styles['mark']} data-state={isRetrying ? 'again' : state}>
        {t(`compliance:alerts.state.${isRetrying ? 'again' : state}`)}
      </span>
      <div className={styles['details']}>
        <Text size="sm">{subject}</Text>
        <Text size="xs" c="dimmed">
          {formatDateTime(alert.created_time, timezone)}
          {tries > 1 || isRetrying ? ` · ${t('compliance:alerts.tries', { count: tries })}` : ''}
          {isRetrying && next
            ? ` · ${t('compliance:alerts.next', { time: formatDateTime(next, timezone) })}`
            : ''}
        </Text>
        {problem ? (
          <Text size="xs" className={styles['problem'] ?? ''}>
            {problem}
          </Text>
        ) : null}
      </div>
    </div>
  )
}
