import { IconKey, IconList, IconPencil, IconSend, IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Webhook } from '#contract/webhooks.ts'
import { formatDateTime } from '#web/kit/format.ts'
import { Table } from '#web/kit/table/table.tsx'
import type { TableColumn } from '#web/kit/table/table-column.ts'
import { eventKey } from './webhook-dialogs.tsx'

const icons = {
  log: IconList,
  events: IconPencil,
  test: IconSend,
  rotate: IconKey,
  remove: IconTrash,
} as const
export type WebhookAct = keyof typeof icons
const acts = Object.keys(icons) as WebhookAct[]

interface Props {
  webhooks: readonly Webhook[]
  zone: string
  onAct: (act: WebhookAct, webhook: Webhook) => void
}

export function WebhookTable({ webhooks, zone, onAct }: Props) {
  const { t } = useTranslation()
  const columns = useMemo(
    (): TableColumn<Webhook>[] => [
      { key: 'url', title: t('notifications:field.url'), width: 300, value: ({ url }) => url },
      {
        key: 'events',
        title: t('notifications:field.events'),
        width: 320,
        value: ({ events }) => events.map((each) => t(`notifications:event.${eventKey(each)}`)).join(', '),
      },
      { key: 'owner', title: t('notifications:field.owner'), width: 200, value: (one) => one.owner_email },
      {
        key: 'state',
        title: t('notifications:field.state'),
        width: 110,
        value: ({ disabled_time: since }) => t(since ? 'notifications:off' : 'notifications:on'),
      },
      {
        key: 'last',
        title: t('notifications:field.last'),
        width: 230,
        value: ({ last }) =>
          last
            ? `${t(`notifications:state.${last.state}`)} · ${formatDateTime(last.created_time, zone)}`
            : t('notifications:none'),
      },
    ],
    [t, zone],
  )
  return (
    <Table
      label={t('shell:pages.webhooks')}
      rows={webhooks}
      columns={columns}
      rowKey={({ webhook_id: id }) => id}
      rowMenu={(webhook) => ({
        label: t('notifications:actionsOf', { url: webhook.url }),
        acts: acts.map((act) => ({
          key: act,
          label: t(`notifications:act.${act}`),
          icon: icons[act],
          isDanger: act === 'remove',
          onSelect: () => onAct(act, webhook),
        })),
      })}
    />
  )
}
