import { useTranslation } from 'react-i18next'
import { listWebhooks, removeWebhook, rotateWebhookSecret, type Webhook } from '#contract/webhooks.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { showToast } from '#web/kit/toasts.tsx'

interface Props {
  action: 'rotate' | 'remove'
  webhook: Webhook
  onClose: () => void
  onSecret: (secret: string) => void
}

/** Asks to confirm that a webhook's secret is replaced, or that the webhook is removed. */
export function WebhookActionDialog({ action, webhook, onClose, onSecret }: Props) {
  const { t } = useTranslation()
  const remove = useEndpointMutation(removeWebhook, [listWebhooks])
  const rotate = useEndpointMutation(rotateWebhookSecret)
  const input = { params: { region_id: webhook.region_id, webhook_id: webhook.webhook_id } }
  const confirm = () => {
    if (action === 'rotate') return rotate.mutate(input, { onSuccess: ({ secret }) => onSecret(secret) })
    return remove.mutate(input, {
      onSuccess: () => {
        showToast(t('notifications:removed'))
        onClose()
      },
    })
  }
  return (
    <ConfirmDialog
      title={t(`notifications:confirm.${action}.title`)}
      action={t(`notifications:confirm.${action}.action`)}
      isDanger={action === 'remove'}
      isPending={remove.isPending || rotate.isPending}
      error={remove.error ?? rotate.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{webhook.url}</p>
      {t(`notifications:confirm.${action}.text`)}
    </ConfirmDialog>
  )
}
