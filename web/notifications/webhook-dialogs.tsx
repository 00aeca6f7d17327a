import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  addWebhook,
  changeWebhook,
  listWebhooks,
  type Webhook,
  type WebhookEvent,
  webhookEventNames,
} from '#contract/webhooks.ts'
import { getFieldIssues } from '#web/data/api-error.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { CopyField } from '#web/kit/copy-field.tsx'
import { Dialog } from '#web/kit/dialog.tsx'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { Warning } from '#web/kit/warning.tsx'

/** Returns the text key of an event; keys must not contain dots. */
export const getEventKey = (event: string): string => event.replaceAll('.', '_')

/** The events that a webhook receives. */
function EventChoice({
  value,
  error,
  onChange,
}: {
  value: readonly WebhookEvent[]
  error: string | undefined
  onChange: (events: WebhookEvent[]) => void
}) {
  const { t } = useTranslation()
  return (
    <Checkbox.Group
      label={t('notifications:add.events')}
      required
      error={error}
      value={[...value]}
      onChange={(selected) => onChange(webhookEventNames.filter((name) => selected.includes(name)))}
    >
      <Stack gap="xs" mt="sm">
        {webhookEventNames.map((event) => (
          <Checkbox
            key={event}
            value={event}
            label={t(`notifications:event.${getEventKey(event)}`)}
            description={event}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

interface NewProps {
  regionId: string
  onClose: () => void
  onSecret: (secret: string) => void
}

/** Creates a webhook. `onSecret` gets its secret, which cannot be shown again. */
export function NewWebhookDialog({ regionId, onClose, onSecret }: NewProps) {
  const { t } = useTranslation()
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<WebhookEvent[]>([])
  const createWebhook = useEndpointMutation(addWebhook, [listWebhooks])
  const issues = getFieldIssues(createWebhook.error)
  return (
    <FormDialog
      size={560}
      title={t('notifications:add.title')}
      action={t('notifications:add.action')}
      isPending={createWebhook.isPending}
      isDisabled={url.trim() === '' || events.length === 0}
      error={createWebhook.error}
      errorTitle={t('notifications:add.failed')}
      onSubmit={() =>
        createWebhook.mutate(
          { params: { region_id: regionId }, body: { url: url.trim(), events } },
          { onSuccess: ({ secret }) => onSecret(secret) },
        )
      }
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        type="url"
        required
        maxLength={1000}
        label={t('notifications:add.url')}
        description={t('notifications:add.urlNote')}
        placeholder="https://"
        autoComplete="off"
        value={url}
        error={issues.get('url')}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <EventChoice value={events} error={issues.get('events')} onChange={setEvents} />
    </FormDialog>
  )
}

/** Changes the events of a webhook. */
export function EventsDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTranslation()
  const [events, setEvents] = useState<WebhookEvent[]>(webhook.events)
  const change = useEndpointMutation(changeWebhook, [listWebhooks])
  const params = { region_id: webhook.region_id, webhook_id: webhook.webhook_id }
  return (
    <FormDialog
      size={560}
      title={t('notifications:change.title')}
      action={t('notifications:change.action')}
      isPending={change.isPending}
      isDisabled={events.length === 0}
      error={change.error}
      errorTitle={t('notifications:change.failed')}
      onSubmit={() => change.mutate({ params, body: { events } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{webhook.url}</p>
      <EventChoice value={events} error={undefined} onChange={setEvents} />
    </FormDialog>
  )
}

/** The secret of a webhook, which cannot be shown again. */
export function WebhookSecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('notifications:secret.title')} size={620} onClose={onClose}>
      <Stack gap="md">
        <Warning title={t('notifications:secret.once')}>{t('notifications:secret.text')}</Warning>
        <CopyField label={t('notifications:secret.label')} value={secret} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('notifications:secret.close')}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
