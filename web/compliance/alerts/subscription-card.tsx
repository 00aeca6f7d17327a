import { Button, Text } from '@mantine/core'
import { IconMail, IconWebhook } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import {
  type AlertSubscription,
  listAlertSubscriptions,
  testAlertSubscription,
} from '#contract/compliance-alerts.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FailedState } from '#web/kit/failed-state.tsx'
import { Warning } from '#web/kit/warning.tsx'
import { formatShortDay } from '#web/kit/dates/calendar-text.ts'
import { AlertLine } from './alert-line.tsx'
import styles from './alerts.module.css'
import { useFormatTarget } from './use-target-text.ts'

export type SubscriptionAction = 'history' | 'rotate' | 'end'

interface Props {
  subscription: AlertSubscription
  timezone: string
  onChoose: (action: SubscriptionAction) => void
}

/** One subscription: target, channel, last message and actions. */
export function SubscriptionCard({ subscription, timezone, onChoose }: Props) {
  const { t, i18n } = useTranslation()
  const targetText = useFormatTarget(subscription.region_id)
  const test = useEndpointMutation(testAlertSubscription, [listAlertSubscriptions])
  const name = targetText(subscription)
  const isWebhook = subscription.channel === 'webhook'
  const Icon = isWebhook ? IconWebhook : IconMail
  const formatActionLabel = (action: string): string => t(`compliance:alerts.act.of.${action}`, { name })
  return (
    <li className={styles['card']}>
      <div className={styles['head']}>
        <Icon size={20} aria-hidden="true" className={styles['icon'] ?? ''} />
        <div className={styles['what']}>
          <Text fw={600}>{name}</Text>
          <Text size="sm" c="dimmed" className={styles['url'] ?? ''}>
            {isWebhook ? subscription.url : t(`compliance:alerts.cadence.${subscription.cadence}`)}
          </Text>
        </div>
      </div>
      {subscription.last ? (
        <AlertLine alert={subscription.last} timezone={timezone} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('compliance:alerts.nothingYet', { day: formatShortDay(subscription.first_day, i18n.language) })}
        </Text>
      )}
      {subscription.disabled_time ? (
        <Warning title={t('compliance:alerts.disabled.title')}>
          {t('compliance:alerts.disabled.text')}
        </Warning>
      ) : null}
      {test.error ? <FailedState error={test.error} title={t('compliance:alerts.failed.test')} /> : null}
      <div className={styles['acts']}>
        <Button
          size="xs"
          variant="default"
          aria-label={formatActionLabel('test')}
          loading={test.isPending}
          onClick={() =>
            test.mutate({
              params: { region_id: subscription.region_id, subscription_id: subscription.subscription_id },
            })
          }
        >
          {t('compliance:alerts.act.test')}
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label={formatActionLabel('history')}
          onClick={() => onChoose('history')}
        >
          {t('compliance:alerts.act.history')}
        </Button>
        {isWebhook ? (
          <Button
            size="xs"
            variant="default"
            aria-label={formatActionLabel('rotate')}
            onClick={() => onChoose('rotate')}
          >
            {t('compliance:alerts.act.rotate')}
          </Button>
        ) : null}
        <Button
          size="xs"
          variant="subtle"
          color="red"
          aria-label={formatActionLabel('end')}
          onClick={() => onChoose('end')}
        >
          {t('compliance:alerts.act.end')}
        </Button>
      </div>
    </li>
  )
}
