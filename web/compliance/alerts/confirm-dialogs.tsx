import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import {
  type AlertSubscription,
  endAlertSubscription,
  listAlertSubscriptions,
  rotateAlertSecret,
} from '#contract/compliance-alerts.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { useFormatTarget } from './use-target-text.ts'

interface Props {
  subscription: AlertSubscription
  onClose: () => void
}

export function EndSubscriptionDialog({ subscription, onClose }: Props) {
  const { t } = useTranslation()
  const name = useFormatTarget(subscription.region_id)(subscription)
  const end = useEndpointMutation(endAlertSubscription, [listAlertSubscriptions])
  const params = { region_id: subscription.region_id, subscription_id: subscription.subscription_id }
  return (
    <ConfirmDialog
      title={t('compliance:alerts.end.title')}
      action={t('compliance:alerts.act.end')}
      isPending={end.isPending}
      error={end.error}
      onConfirm={() => end.mutate({ params }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text fw={600} mb="xs">
        {name}
      </Text>
      {t(`compliance:alerts.end.${subscription.channel}`)}
    </ConfirmDialog>
  )
}

/** Asks to confirm that the secret of a webhook is replaced. */
export function NewSecretDialog({
  subscription,
  onSecret,
  onClose,
}: Props & { onSecret: (secret: string) => void }) {
  const { t } = useTranslation()
  const rotate = useEndpointMutation(rotateAlertSecret)
  const params = { region_id: subscription.region_id, subscription_id: subscription.subscription_id }
  return (
    <ConfirmDialog
      title={t('compliance:alerts.rotate.title')}
      action={t('compliance:alerts.rotate.act')}
      isPending={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate({ params }, { onSuccess: ({ secret }) => onSecret(secret) })}
      onClose={onClose}
    >
      {t('compliance:alerts.rotate.text')}
    </ConfirmDialog>
  )
}
