import { SegmentedControl, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  type Cadence,
  listIncidentRecipients,
  listIncidentSubscriptions,
  setIncidentSubscription,
} from '#contract/incidents.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { endpointQueryKey, useEndpointQuery } from '#web/data/query.ts'
import { useMe } from '#web/shell/me.tsx'
import { ColleagueList } from '#web/shell/permission-holders.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import styles from './subscribe-panel.module.css'

interface Props {
  region: { regionId: string; text: string }
  operator: { slug: string; name: string }
}

/** What a subscription covers: an operator in a region, a region, or all regions (both null). */
interface Target {
  label: string
  region_id: string | null
  operator: string | null
}

type Subscriptions = readonly (Pick<Target, 'region_id' | 'operator'> & { cadence: Cadence })[]

const findCadence = (items: Subscriptions, { region_id: regionId, operator }: Target): Cadence | undefined =>
  items.find((item) => item.region_id === regionId && item.operator === operator)?.cadence

/** Names the wider subscription that already sends the same mails. */
function CoveredNote({ targets, items }: { targets: readonly Target[]; items: Subscriptions }) {
  const { t } = useTranslation()
  const widerTarget = targets.find((target) => findCadence(items, target))
  return widerTarget ? (
    <Text size="xs" c="dimmed">
      {t('health:subscribe.covered', { by: widerTarget.label })}
    </Text>
  ) : null
}

/** The other users who get these e-mails; nothing for users of operators, who must not know them. */
function OtherRecipients({ regionId, operator }: { regionId: string; operator: string }) {
  const { t } = useTranslation()
  const isOperator = useMe().user.operators !== null
  const { data } = useEndpointQuery(
    listIncidentRecipients,
    { params: { region_id: regionId }, query: { operator } },
    { enabled: !isOperator },
  )
  if (!data) return null
  return data.total ? (
    <ColleagueList label={t('health:subscribe.others')} {...data} />
  ) : (
    <Text size="sm">{t('health:subscribe.nobody')}</Text>
  )
}

/** The user's mail subscription for this operator, the region, or all regions: immediate, daily, or none. */
export function SubscribePanel({ region, operator }: Props) {
  const { t } = useTranslation()
  const { email } = useMe().user
  const client = useQueryClient()
  const response = useEndpointQuery(listIncidentSubscriptions, {})
  const subscribe = useEndpointMutation(setIncidentSubscription)
  // Each target is wider than the one before.
  const targets: Target[] = [
    {
      label: t('health:subscribe.operator', { name: operator.name, region: region.text }),
      region_id: region.regionId,
      operator: operator.slug,
    },
    {
      label: t('health:subscribe.region', { region: region.text }),
      region_id: region.regionId,
      operator: null,
    },
    { label: t('health:subscribe.all'), region_id: null, operator: null },
  ]
  const setCadence = ({ region_id, operator: slug }: Target, cadence: string) =>
    subscribe.mutate(
      { body: { region_id, operator: slug, cadence: cadence === 'off' ? null : (cadence as Cadence) } },
      { onSuccess: (items) => client.setQueryData(endpointQueryKey(listIncidentSubscriptions, {}), items) },
    )
  const cadenceOptions = ['off', 'immediate', 'daily'].map((value) => ({
    value,
    label: t(`health:subscribe.${value}`),
  }))
  return (
    <Loaded query={response} dim={false}>
      {({ items }) => (
        <div className={styles['targets']}>
          <Text size="xs" c="dimmed">
            {t('health:subscribe.to', { email })}
          </Text>
          {targets.map((target, index) => (
            <div key={target.label} className={styles['target']}>
              <div>
                <Text size="sm">{target.label}</Text>
                {findCadence(items, target) ? null : (
                  <CoveredNote targets={targets.slice(index + 1)} items={items} />
                )}
              </div>
              <SegmentedControl
                size="xs"
                aria-label={target.label}
                data={cadenceOptions}
                value={findCadence(items, target) ?? 'off'}
                onChange={(value) => setCadence(target, value)}
              />
            </div>
          ))}
          <OtherRecipients regionId={region.regionId} operator={operator.slug} />
          {subscribe.error ? (
            <FailedState error={subscribe.error} title={t('health:subscribe.failed')} />
          ) : null}
        </div>
      )}
    </Loaded>
  )
}
