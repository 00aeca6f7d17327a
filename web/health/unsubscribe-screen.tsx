import { Anchor, Button } from '@mantine/core'
import { IconMailOff } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endIncidentSubscription } from '#contract/incidents.ts'
import { ApiError } from '#web/data/api-error.ts'
import { call } from '#web/data/client.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import styles from './unsubscribe-screen.module.css'

/** Where the link in mails about incidents leads: mail programs open links by themselves, so that only a click ends it. */
export function UnsubscribeScreen() {
  const { t } = useTranslation()
  const { token = '' } = useParams({ strict: false }) as { token?: string }
  const [standing, setStanding] = useState<'asks' | 'ends' | 'ended' | ApiError>('asks')

  async function end(): Promise<void> {
    setStanding('ends')
    try {
      await call(endIncidentSubscription, { body: { token } })
      setStanding('ended')
    } catch (caught) {
      if (!(caught instanceof ApiError)) throw caught
      setStanding(caught)
    }
  }

  return (
    <main className={styles['page']}>
      {standing instanceof ApiError ? <FailedState error={standing} title={t('health:unsubscribe.failed')} onRetry={() => void end()} /> : null}
      {standing === 'ended' ? (
        <div role="status"><EmptyState order={1} title={t('health:unsubscribe.done')} icon={<IconMailOff />} action={<Anchor href="/">{t('health:unsubscribe.toApp')}</Anchor>}>{t('health:unsubscribe.doneText')}</EmptyState></div>
      ) : (
        <EmptyState order={1} title={t('health:unsubscribe.title')} icon={<IconMailOff />} action={<Button loading={standing === 'ends'} onClick={() => void end()}>{t('health:unsubscribe.act')}</Button>}>{t('health:unsubscribe.text')}</EmptyState>
      )}
    </main>
  )
}
