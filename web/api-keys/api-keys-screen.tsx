import { Button, Group, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ApiKey, listApiKeys, revokeApiKey, rotateApiKey, takeOverApiKey } from '#contract/api-keys.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { useCityZone } from '#web/shell/use-city-zone.ts'
import { AdminPage } from '#web/shell/admin-page.tsx'
import { CopyField } from '#web/kit/copy-field.tsx'
import { Dialog } from '#web/kit/dialog.tsx'
import { Warning } from '#web/kit/warning.tsx'
import { KeyDialog } from './key-dialog.tsx'
import { type KeyAction, KeyTable } from './key-table.tsx'

interface ConfirmProps {
  action: KeyAction
  apiKey: ApiKey
  onClose: () => void
  /** Called with a new secret, which can be shown only once. */
  onSecret: (secret: string) => void
}

/** Asks to confirm that a key is replaced, taken over or revoked. */
function KeyActionDialog({ action, apiKey, onClose, onSecret }: ConfirmProps) {
  const { t } = useTranslation()
  const rotate = useEndpointMutation(rotateApiKey, [listApiKeys])
  const revoke = useEndpointMutation(revokeApiKey, [listApiKeys])
  const takeOver = useEndpointMutation(takeOverApiKey, [listApiKeys])
  const input = { params: { key_id: apiKey.key_id } }
  const finish = () => {
    showToast(t(`keys:done.${action}`, { name: apiKey.name }))
    onClose()
  }
  const confirm = () => {
    if (action === 'rotate') rotate.mutate(input, { onSuccess: ({ secret }) => onSecret(secret) })
    else (action === 'revoke' ? revoke : takeOver).mutate(input, { onSuccess: finish })
  }
  return (
    <ConfirmDialog
      title={t(`keys:confirm.${action}.title`, { name: apiKey.name })}
      action={t(`keys:confirm.${action}.action`)}
      isDanger={action === 'revoke'}
      isPending={rotate.isPending || revoke.isPending || takeOver.isPending}
      error={rotate.error ?? revoke.error ?? takeOver.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      {t(`keys:confirm.${action}.text`)}
    </ConfirmDialog>
  )
}

type OpenDialog =
  | { kind: 'create' }
  | { kind: 'action'; action: KeyAction; apiKey: ApiKey }
  | { kind: 'secret'; secret: string }

/** API keys of the organization: create, rotate, take over, revoke. */
export function ApiKeysScreen() {
  const { t } = useTranslation()
  const timezone = useCityZone()
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const keys = useEndpointQuery(listApiKeys, {}, { staleTime: 0 })
  const close = () => setOpen(null)
  const showSecret = (secret: string) => setOpen({ kind: 'secret', secret })
  const addButton = (
    <Button leftSection={<IconPlus size={18} />} onClick={() => setOpen({ kind: 'create' })}>
      {t('keys:create.open')}
    </Button>
  )
  const actions = (
    <>
      <Button component={Link} to="/admin/try-api" variant="default">
        {t('shell:pages.tryApi')}
      </Button>
      {addButton}
    </>
  )
  return (
    <AdminPage page="apiKeys" context={t('keys:context')} timezone={timezone} actions={actions}>
      <Loaded
        query={keys}
        isEmpty={({ items }) => items.length === 0}
        empty={
          <EmptyState title={t('keys:empty.title')} action={addButton}>
            {t('keys:empty.text')}
          </EmptyState>
        }
      >
        {({ items }) => (
          <KeyTable
            keys={items}
            timezone={timezone}
            onAction={(action, apiKey) => setOpen({ kind: 'action', action, apiKey })}
          />
        )}
      </Loaded>
      {open?.kind === 'create' ? (
        <KeyDialog
          defaultDays={keys.data?.default_days ?? 365}
          maxDays={keys.data?.max_days ?? 730}
          onClose={close}
          onSecret={showSecret}
        />
      ) : null}
      {open?.kind === 'action' ? (
        <KeyActionDialog action={open.action} apiKey={open.apiKey} onClose={close} onSecret={showSecret} />
      ) : null}
      {open?.kind === 'secret' ? <SecretDialog secret={open.secret} onClose={close} /> : null}
    </AdminPage>
  )
}

/** A new key or secret, which cannot be shown again. Asks before it is closed without having been copied. */
function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useTranslation()
  const [isCopied, setIsCopied] = useState(false)
  const [isConfirming, setIsConfirming] = useState(false)
  // In place of the key, because Escape would close both dialogs.
  if (isConfirming)
    return (
      <ConfirmDialog
        title={t('keys:secret.leave.title')}
        action={t('kit:close')}
        isPending={false}
        error={null}
        onConfirm={onClose}
        onClose={() => setIsConfirming(false)}
      >
        {t('keys:secret.leave.text')}
      </ConfirmDialog>
    )
  return (
    <Dialog
      title={t('keys:secret.title')}
      size={620}
      onClose={() => (isCopied ? onClose() : setIsConfirming(true))}
    >
      <Stack gap="md">
        <Warning title={t('keys:secret.once')}>{t('keys:secret.store')}</Warning>
        <CopyField label={t('keys:secret.label')} value={secret} isFirst onCopied={() => setIsCopied(true)} />
        <Text size="sm" c="dimmed">
          {t('keys:secret.use')}
        </Text>
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('keys:secret.close')}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
