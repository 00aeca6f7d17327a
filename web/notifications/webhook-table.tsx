import { IconKey, IconList, IconPencil, IconSend, IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Webhook } from '#contract/webhooks.ts'
import { formatDateTime } from '#web/kit/format.ts'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { getEventKey } from './webhook-dialogs.tsx'

/** The actions of a webhook, with their icons. */
const icons = {
  log: IconList,
  events: IconPencil,
  test: IconSend,
  rotate: IconKey,
  remove: IconTrash,
} as const
export type WebhookAction = keyof typeof icons
const actions = Object.keys(icons) as WebhookAction[]

interface Props {
  webhooks: readonly Webhook[]
  timezone: string
  onAction: (action: WebhookAction, webhook: Webhook) => void
}

/** Webhooks with their state and actions. */
export function WebhookTable({ webhooks, timezone, onAction }: Props) {
  const { t } = useTranslation()
  const columns = useMemo(
    (): TableColumn<Webhook>[] => [
      column('url', t('notifications:field.url'), ({ url }) => url, { width: 300 }),
      column(
        'events',
        t('notifications:field.events'),
        ({ events }) => events.map((event) => t(`notifications:event.${getEventKey(event)}`)).join(', '),
        { width: 320 },
      ),
      column('owner', t('notifications:field.owner'), (webhook) => webhook.owner_email, { width: 200 }),
      column(
        'state',
        t('notifications:field.state'),
        ({ disabled_time: disabledTime }) => t(disabledTime ? 'notifications:off' : 'notifications:on'),
        { width: 110 },
      ),
      column(
        'last',
        t('notifications:field.last'),
        ({ last }) =>
          last
            ? `${t(`notifications:state.${last.state}`)} · ${formatDateTime(last.created_time, timezone)}`
            : t('notifications:none'),
        { width: 230 },
      ),
    ],
    [t, timezone],
  )
  return (
    <Table
      label={t('shell:pages.webhooks')}
      rows={webhooks}
      columns={columns}
      rowKey={({ webhook_id: id }) => id}
      rowMenu={(webhook) => ({
        label: t('notifications:actionsOf', { url: webhook.url }),
        actions: actions.map((action) => ({
          key: action,
          label: t(`notifications:act.${action}`),
          icon: icons[action],
          isDanger: action === 'remove',
          onSelect: () => onAction(action, webhook),
        })),
      })}
    />
  )
}
