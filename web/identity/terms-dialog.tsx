import { Button, Group } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { changeMe, getMe } from '#contract/identity.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { TermsText } from './terms-text.tsx'
import styles from './terms.module.css'

/** Blocks the app until the terms of service are accepted; users who decline are signed out. */
export function TermsDialog() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const accept = useEndpointMutation(changeMe, [getMe])
  return (
    <Dialog title={t('identity:terms')} size={560}>
      <p className={styles['request']}>{t('terms:request')}</p>
      {/* Focusable, so that the keyboard can scroll it. */}
      <div className={styles['frame']} tabIndex={0} role="region" aria-label={t('identity:terms')}>
        <TermsText order={3} />
      </div>
      {accept.error ? <FailedState error={accept.error} title={t('terms:failed')} /> : null}
      <Group justify="flex-end" gap="sm" mt="md">
        <Button variant="default" onClick={() => void navigate({ to: '/logout' })}>
          {t('kit:cancel')}
        </Button>
        <Button
          data-autofocus
          loading={accept.isPending}
          onClick={() => accept.mutate({ body: { acceptedTermsOfService: true } })}
        >
          {t('terms:accept')}
        </Button>
      </Group>
    </Dialog>
  )
}
