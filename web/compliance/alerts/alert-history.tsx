import { Button, Stack, Text } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type AlertSubscription, listAlerts } from '#contract/compliance-alerts.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { shortDay } from '#web/health/short-day.ts'
import { AlertLine } from './alert-line.tsx'
import styles from './alerts.module.css'
import { useTargetText } from './use-target-text.ts'

/** The last messages of a subscription and what became of them. */
export function AlertHistory({
  of,
  timezone,
  onBack,
}: {
  of: AlertSubscription
  timezone: string
  onBack: () => void
}) {
  const { t, i18n } = useTranslation()
  const name = useTargetText(of.region_id)(of)
  const answer = useEndpointQuery(
    listAlerts,
    { params: { region_id: of.region_id, subscription_id: of.subscription_id } },
    { staleTime: 0 },
  )
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {name}
        {of.url === null ? '' : ` · ${of.url}`}
      </Text>
      <Loaded
        of={answer}
        isEmpty={({ items }) => items.length === 0}
        empty={
          <EmptyState title={t('compliance:alerts.history.none')}>
            {t('compliance:alerts.nothingYet', { day: shortDay(of.first_day, i18n.language) })}
          </EmptyState>
        }
      >
        {({ items }) => (
          <ul className={styles['history']} aria-label={t('compliance:alerts.history.title')}>
            {items.map((alert) => (
              <li key={alert.alert_id}>
                <AlertLine alert={alert} timezone={timezone} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <div>
        <Button variant="default" leftSection={<IconArrowLeft size={16} />} onClick={onBack}>
          {t('compliance:alerts.history.back')}
        </Button>
      </div>
    </Stack>
  )
}
