import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, Code, Stack, Text } from '@mantine/core'
import type { AlertSubscription } from '#contract/compliance-alerts.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { useFocusReturn } from '#web/kit/focus.ts'
import { Warning } from '#web/kit/warning.tsx'
import { CopyField } from '#web/kit/copy-field.tsx'
import { AlertHistory } from './alert-history.tsx'
import { EndSubscriptionDialog, NewSecretDialog } from './confirm-dialogs.tsx'
import { SubscriptionForm } from './subscription-form.tsx'
import { SubscriptionList } from './subscription-list.tsx'
import styles from './alerts.module.css'
import { useFormatTarget } from './use-target-text.ts'

interface WebhookSecretProps {
  subscription: AlertSubscription
  secret: string
  onDone: () => void
}

/** The secret of a webhook, which is shown once, and how to use it. */
function WebhookSecret({ subscription, secret, onDone }: WebhookSecretProps) {
  const { t } = useTranslation()
  const name = useFormatTarget(subscription.region_id)(subscription)
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed" className={styles['url'] ?? ''}>
        {name} · {subscription.url}
      </Text>
      <Warning title={t('compliance:alerts.secret.once')} />
      <CopyField label={t('compliance:alerts.secret.label')} value={secret} />
      <Text size="sm">{t('compliance:alerts.secret.how')}</Text>
      <Code block className={styles['code'] ?? ''}>
        {
          'webhook-id: 5f0c…\nwebhook-timestamp: 1774000000\nwebhook-signature: v1,K5oZ…\nv1 = base64(HMAC-SHA256(base64decode(secret after "whsec_"), id + "." + timestamp + "." + body))'
        }
      </Code>
      <div className={styles['foot']}>
        <Button onClick={onDone}>{t('compliance:alerts.secret.done')}</Button>
      </div>
    </Stack>
  )
}

interface Props {
  regionId: string
  timezone: string
  policy?: { constant_policy_uuid: string } | undefined
  onClose: () => void
}

type View =
  | { kind: 'list' | 'add' }
  | { kind: 'history' | 'end' | 'rotate'; subscription: AlertSubscription }
  | { kind: 'secret'; subscription: AlertSubscription; secret: string }

/** The user's alerts about new violations, by mail or webhook; adds and ends them. */
export function AlertsDialog({ regionId, timezone, policy, onClose }: Props) {
  const { t } = useTranslation()
  const [view, setView] = useState<View>({ kind: 'list' })
  const showList = () => setView({ kind: 'list' })
  // Views open one another, so only this component knows which element opened the first.
  useFocusReturn()
  if (view.kind === 'end')
    return <EndSubscriptionDialog subscription={view.subscription} onClose={showList} />
  if (view.kind === 'rotate')
    return (
      <NewSecretDialog
        subscription={view.subscription}
        onSecret={(secret) => setView({ kind: 'secret', subscription: view.subscription, secret })}
        onClose={showList}
      />
    )
  const title = { list: 'title', add: 'add.title', history: 'history.title', secret: 'secret.title' }[
    view.kind
  ]
  // A click outside must not close the dialog while it shows the secret.
  const backToList = view.kind === 'secret' ? undefined : showList
  return (
    <Dialog
      key={view.kind}
      size={680}
      title={t(`compliance:alerts.${title}`)}
      onClose={view.kind === 'list' ? onClose : backToList}
    >
      {view.kind === 'list' ? (
        <SubscriptionList
          regionId={regionId}
          timezone={timezone}
          onAdd={() => setView({ kind: 'add' })}
          onChoose={(kind, subscription) => setView({ kind, subscription })}
        />
      ) : null}
      {view.kind === 'add' ? (
        <SubscriptionForm
          regionId={regionId}
          policyId={policy?.constant_policy_uuid ?? null}
          onClose={showList}
          onAdded={(subscription, secret) =>
            setView(secret === null ? { kind: 'list' } : { kind: 'secret', subscription, secret })
          }
        />
      ) : null}
      {view.kind === 'history' ? (
        <AlertHistory subscription={view.subscription} timezone={timezone} onBack={showList} />
      ) : null}
      {view.kind === 'secret' ? (
        <WebhookSecret subscription={view.subscription} secret={view.secret} onDone={showList} />
      ) : null}
    </Dialog>
  )
}
