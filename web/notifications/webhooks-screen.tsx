import { Button, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listWebhooks, testWebhook, type Webhook } from '#contract/webhooks.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { Dropdown } from '#web/kit/dropdown.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { useCityZone } from '#web/shell/use-city-zone.ts'
import { AdminPage } from '#web/shell/admin-page.tsx'
import { useRegions } from '#web/users/region-choice.tsx'
import { DeliveryLogDialog } from './delivery-log-dialog.tsx'
import { WebhookActionDialog } from './webhook-action-dialog.tsx'
import { EventsDialog, NewWebhookDialog, WebhookSecretDialog } from './webhook-dialogs.tsx'
import { type WebhookAction, WebhookTable } from './webhook-table.tsx'

type OpenDialog =
  | { kind: 'add' }
  | { kind: Exclude<WebhookAction, 'test'>; webhook: Webhook }
  | { kind: 'secret'; secret: string }

/** Webhooks of a region: their events, messages and secrets. */
export function WebhooksScreen() {
  const { t } = useTranslation()
  const timezone = useCityZone()
  const navigate = useNavigate()
  const search: { region?: string } = useSearch({ strict: false })
  const regions = useRegions() ?? []
  const regionId = regions.find(({ regionId: id }) => id === search.region)?.regionId ?? regions[0]?.regionId
  return (
    <AdminPage page="webhooks" context={t('notifications:context')} timezone={timezone}>
      {regionId === undefined ? null : (
        <>
          <Group mb="md" maw={320}>
            <Dropdown
              label={t('notifications:region')}
              options={regions.map(({ regionId: value, text }) => ({ value, text }))}
              value={regionId}
              onChange={(region) =>
                void navigate({ to: '.', search: { region: region ?? undefined } as never, replace: true })
              }
            />
          </Group>
          <WebhookList key={regionId} regionId={regionId} timezone={timezone} />
        </>
      )}
    </AdminPage>
  )
}

function WebhookList({ regionId, timezone }: { regionId: string; timezone: string }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const webhooks = useEndpointQuery(listWebhooks, { params: { region_id: regionId } }, { staleTime: 0 })
  const test = useEndpointMutation(testWebhook, [listWebhooks])
  const close = () => setOpen(null)
  const showSecret = (secret: string) => setOpen({ kind: 'secret', secret })
  const handleAction = (selected: WebhookAction, webhook: Webhook) => {
    if (selected !== 'test') return setOpen({ kind: selected, webhook })
    return test.mutate(
      { params: { region_id: regionId, webhook_id: webhook.webhook_id } },
      {
        onSuccess: ({ problem }) =>
          showToast(problem ? t('notifications:testFailed', { problem }) : t('notifications:tested')),
        onError: ({ message }) => showToast(t('notifications:testFailed', { problem: message })),
      },
    )
  }
  const addButton = (
    <Button leftSection={<IconPlus size={18} />} onClick={() => setOpen({ kind: 'add' })}>
      {t('notifications:add.open')}
    </Button>
  )
  return (
    <>
      <Loaded
        query={webhooks}
        isEmpty={({ items }) => items.length === 0}
        empty={
          <EmptyState title={t('notifications:empty.title')} action={addButton}>
            {t('notifications:empty.text')}
          </EmptyState>
        }
      >
        {({ items }) => (
          <>
            <Group justify="flex-end" mb="sm">
              {addButton}
            </Group>
            <WebhookTable webhooks={items} timezone={timezone} onAction={handleAction} />
          </>
        )}
      </Loaded>
      {open?.kind === 'add' ? (
        <NewWebhookDialog regionId={regionId} onClose={close} onSecret={showSecret} />
      ) : null}
      {open?.kind === 'events' ? <EventsDialog webhook={open.webhook} onClose={close} /> : null}
      {open?.kind === 'log' ? (
        <DeliveryLogDialog webhook={open.webhook} timezone={timezone} onClose={close} />
      ) : null}
      {open?.kind === 'rotate' || open?.kind === 'remove' ? (
        <WebhookActionDialog
          action={open.kind}
          webhook={open.webhook}
          onClose={close}
          onSecret={showSecret}
        />
      ) : null}
      {open?.kind === 'secret' ? <WebhookSecretDialog secret={open.secret} onClose={close} /> : null}
    </>
  )
}
