import { Anchor, Button } from '@mantine/core'
import { IconMailOff } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { endAlertSubscriptionByToken } from '#contract/compliance-alerts.ts'
import type { endIncidentSubscription } from '#contract/incidents.ts'
import type { endReportByToken } from '#contract/report-schedules.ts'
import { ApiError } from '#web/data/api-error.ts'
import { call } from '#web/data/client.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import styles from './end-subscription.module.css'

interface Props {
  endpoint: typeof endIncidentSubscription | typeof endAlertSubscriptionByToken | typeof endReportByToken
  /** Key prefix of the texts. */
  texts: 'health:unsubscribe' | 'compliance:alerts.unsubscribe' | 'reporting:schedules.unsubscribe'
}

/**
 * The page that unsubscribe links of mails open. A click on the button ends the subscription, because mail
 * programs open links without the user.
 */
export function EndSubscription({ endpoint, texts }: Props) {
  const { t } = useTranslation()
  const { token = '' } = useParams({ strict: false }) as { token?: string }
  const [status, setStatus] = useState<'idle' | 'pending' | 'done' | ApiError>('idle')

  async function end(): Promise<void> {
    setStatus('pending')
    try {
      await call(endpoint, { body: { token } })
      setStatus('done')
    } catch (caught) {
      if (!(caught instanceof ApiError)) throw caught
      setStatus(caught)
    }
  }

  return (
    <main className={styles['page']}>
      {status instanceof ApiError ? (
        <FailedState error={status} title={t(`${texts}.failed`)} onRetry={() => void end()} />
      ) : null}
      {status === 'done' ? (
        <div role="status">
          <EmptyState
            order={1}
            title={t(`${texts}.done`)}
            icon={<IconMailOff />}
            action={<Anchor href="/">{t(`${texts}.toApp`)}</Anchor>}
          >
            {t(`${texts}.doneText`)}
          </EmptyState>
        </div>
      ) : (
        <EmptyState
          order={1}
          title={t(`${texts}.title`)}
          icon={<IconMailOff />}
          action={
            <Button loading={status === 'pending'} onClick={() => void end()}>
              {t(`${texts}.act`)}
            </Button>
          }
        >
          {t(`${texts}.text`)}
        </EmptyState>
      )}
    </main>
  )
}
