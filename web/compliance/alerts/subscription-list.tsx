import { Button, Stack, Text } from '@mantine/core'
import { IconBell, IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type AlertSubscription, listAlertSubscriptions } from '#contract/compliance-alerts.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import styles from './alerts.module.css'
import { SubscriptionCard, type SubscriptionAction } from './subscription-card.tsx'

interface Props {
  regionId: string
  timezone: string
  onAdd: () => void
  onChoose: (action: SubscriptionAction, subscription: AlertSubscription) => void
}

/** The user's subscriptions in the region, each with the status of its last message. */
export function SubscriptionList({ regionId, timezone, onAdd, onChoose }: Props) {
  const { t } = useTranslation()
  const response = useEndpointQuery(
    listAlertSubscriptions,
    { params: { region_id: regionId } },
    { staleTime: 0 },
  )
  const addButton = (
    <Button leftSection={<IconPlus size={16} />} onClick={onAdd}>
      {t('compliance:alerts.add.open')}
    </Button>
  )
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t('compliance:alerts.text')}
      </Text>
      <Loaded
        query={response}
        isEmpty={({ items }) => items.length === 0}
        empty={
          <EmptyState title={t('compliance:alerts.none.title')} icon={<IconBell />} action={addButton}>
            {t('compliance:alerts.none.text')}
          </EmptyState>
        }
      >
        {({ items }) => (
          <Stack gap="md">
            <ul className={styles['list']} aria-label={t('compliance:alerts.title')}>
              {items.map((subscription) => (
                <SubscriptionCard
                  key={subscription.subscription_id}
                  subscription={subscription}
                  timezone={timezone}
                  onChoose={(action) => onChoose(action, subscription)}
                />
              ))}
            </ul>
            <div>{addButton}</div>
          </Stack>
        )}
      </Loaded>
    </Stack>
  )
}
