import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import {
  listWebhookDeliveries,
  listWebhooks,
  replayWebhookDelivery,
  type Webhook,
  type WebhookDelivery,
} from '#contract/webhooks.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatDateTime } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { translateServerText } from '#web/i18n/server-text.ts'
import { getEventKey } from './webhook-dialogs.tsx'

/** Whether a message can be sent again: not while it is waiting, and never a test. */
const canReplay = ({ state, event }: WebhookDelivery): boolean =>
  (state === 'done' || state === 'failed') && event !== 'webhook.test'

interface Props {
  webhook: Webhook
  timezone: string
  onClose: () => void
}

/** The last messages of a webhook with their state. Sent and failed ones can be sent again. */
export function DeliveryLogDialog({ webhook, timezone, onClose }: Props) {
  const { t } = useTranslation()
  const params = { region_id: webhook.region_id, webhook_id: webhook.webhook_id }
  const deliveries = useEndpointQuery(listWebhookDeliveries, { params }, { staleTime: 0 })
  const replay = useEndpointMutation(replayWebhookDelivery, [listWebhookDeliveries, listWebhooks])
  const columns: TableColumn<WebhookDelivery>[] = [
    column(
      'time',
      t('notifications:field.time'),
      (delivery) => formatDateTime(delivery.created_time, timezone),
      { width: 170 },
    ),
    column(
      'event',
      t('notifications:field.event'),
      ({ event }) => t(`notifications:event.${getEventKey(event)}`),
      { width: 180 },
    ),
    column('state', t('notifications:field.state'), ({ state }) => t(`notifications:state.${state}`), {
      width: 110,
    }),
    column('tries', t('notifications:field.tries'), ({ tries }) => tries, { width: 80, isNumber: true }),
    column(
      'problem',
      t('notifications:field.problem'),
      ({ problem }) => problem && translateServerText(problem),
      { width: 240 },
    ),
    column('actions', t('kit:actions'), () => null, {
      isActions: true,
      width: 120,
      renderCell: (delivery) =>
        canReplay(delivery) ? (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={t('notifications:log.replayOf', {
              time: formatDateTime(delivery.created_time, timezone),
            })}
            onClick={() => replay.mutate({ params: { ...params, delivery_id: delivery.delivery_id } })}
          >
            {t('notifications:log.replay')}
          </Button>
        ) : null,
    }),
  ]
  return (
    <Dialog title={t('notifications:log.title')} size={960} onClose={onClose}>
      <p>{webhook.url}</p>
      {replay.error ? <FailedState error={replay.error} title={t('notifications:log.failed')} /> : null}
      <Loaded query={deliveries}>
        {({ items }) => (
          <Table
            label={t('notifications:log.title')}
            rows={items}
            columns={columns}
            rowKey={({ delivery_id: id }) => id}
            empty={t('notifications:log.empty')}
            isWrapped
          />
        )}
      </Loaded>
    </Dialog>
  )
}
