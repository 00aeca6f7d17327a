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
  /** Under which its texts stand. */
  texts: 'health:unsubscribe' | 'compliance:alerts.unsubscribe' | 'reporting:schedules.unsubscribe'
}

/** Where the link in mails leads: mail programs open links by themselves, so that only a click ends the subscription. */
export function EndSubscription({ endpoint, texts }: Props) {
  const { t } = useTranslation()
  const { token = '' } = useParams({ strict: false }) as { token?: string }
  const [standing, setStanding] = useState<'asks' | 'ends' | 'ended' | ApiError>('asks')

  async function end(): Promise<void> {
    setStanding('ends')
    try {
      await call(endpoint, { body: { token } })
      setStanding('ended')
    } catch (caught) {
      if (!(caught instanceof ApiError)) throw caught
      setStanding(caught)
    }
  }

  return (
    <main className={styles['page']}>
      {standing instanceof ApiError ? (
        <FailedState error={standing} title={t(`${texts}.failed`)} onRetry={() => void end()} />
      ) : null}
      {standing === 'ended' ? (
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
            <Button loading={standing === 'ends'} onClick={() => void end()}>
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
