import { Button, Stack, Text } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import {
  type Alert,
  type AlertSubscription,
  listAlerts,
  listAlertSubscriptions,
  replayAlert,
} from '#contract/compliance-alerts.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatDateTime } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { formatShortDay } from '#web/kit/dates/calendar-text.ts'
import { AlertLine } from './alert-line.tsx'
import styles from './alerts.module.css'
import { useFormatTarget } from './use-target-text.ts'

const isFinal = ({ state }: Alert): boolean => state === 'done' || state === 'failed'

interface Props {
  subscription: AlertSubscription
  timezone: string
  onBack: () => void
}

/** The latest messages of a subscription with their status; messages of a webhook can be sent again. */
export function AlertHistory({ subscription, timezone, onBack }: Props) {
  const { t, i18n } = useTranslation()
  const name = useFormatTarget(subscription.region_id)(subscription)
  const params = { region_id: subscription.region_id, subscription_id: subscription.subscription_id }
  const response = useEndpointQuery(listAlerts, { params }, { staleTime: 0 })
  const replay = useEndpointMutation(replayAlert, [listAlerts, listAlertSubscriptions])
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {name}
        {subscription.url === null ? '' : ` · ${subscription.url}`}
      </Text>
      <Loaded
        query={response}
        isEmpty={({ items }) => items.length === 0}
        empty={
          <EmptyState title={t('compliance:alerts.history.none')}>
            {t('compliance:alerts.nothingYet', {
              day: formatShortDay(subscription.first_day, i18n.language),
            })}
          </EmptyState>
        }
      >
        {({ items }) => (
          <ul className={styles['history']} aria-label={t('compliance:alerts.history.title')}>
            {items.map((alert) => (
              <li key={alert.alert_id}>
                <AlertLine alert={alert} timezone={timezone} />
                {subscription.channel === 'webhook' && !alert.is_test && isFinal(alert) ? (
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    aria-label={t('compliance:alerts.history.replayOf', {
                      time: formatDateTime(alert.created_time, timezone),
                    })}
                    onClick={() => replay.mutate({ params: { ...params, alert_id: alert.alert_id } })}
                  >
                    {t('compliance:alerts.history.replay')}
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {replay.error ? (
        <FailedState error={replay.error} title={t('compliance:alerts.failed.replay')} />
      ) : null}
      <div>
        <Button variant="default" leftSection={<IconArrowLeft size={16} />} onClick={onBack}>
          {t('compliance:alerts.history.back')}
        </Button>
      </div>
    </Stack>
  )
}
