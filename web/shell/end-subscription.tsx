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
  textKey: 'health:unsubscribe' | 'compliance:alerts.unsubscribe' | 'reporting:schedules.unsubscribe'
}

/** The page of unsubscribe links in emails. A click is needed, as mail programs open links by themselves. */
export function EndSubscription({ endpoint, textKey }: Props) {
  const { t } = useTranslation()
  const { token = '' } = useParams({ strict: false }) as { token?: string }
  const [status, setStatus] = useState<'idle' | 'pending' | 'done' | ApiError>('idle')
  async function endSubscription(): Promise<void> {
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
        <FailedState error={status} title={t(`${textKey}.failed`)} onRetry={() => void endSubscription()} />
      ) : null}
      {status === 'done' ? (
        <div role="status">
          <EmptyState
            order={1}
            title={t(`${textKey}.done`)}
            icon={<IconMailOff />}
            action={<Anchor href="/">{t(`${textKey}.toApp`)}</Anchor>}
          >
            {t(`${textKey}.doneText`)}
          </EmptyState>
        </div>
      ) : (
        <EmptyState
          order={1}
          title={t(`${textKey}.title`)}
          icon={<IconMailOff />}
          action={
            <Button loading={status === 'pending'} onClick={() => void endSubscription()}>
              {t(`${textKey}.act`)}
            </Button>
          }
        >
          {t(`${textKey}.text`)}
        </EmptyState>
      )}
    </main>
  )
}
