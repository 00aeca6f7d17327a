import { Button } from '@mantine/core'
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
import { KeyDialog } from './key-dialog.tsx'
import { type KeyAct, KeyTable } from './key-table.tsx'
import { SecretDialog } from './secret-dialog.tsx'

interface ConfirmProps {
  act: KeyAct
  apiKey: ApiKey
  onClose: () => void
  /** Called with a new secret, which can be shown only once. */
  onSecret: (secret: string) => void
}

/** Confirms that a key is replaced, taken over or revoked. */
function ConfirmKeyAct({ act, apiKey, onClose, onSecret }: ConfirmProps) {
  const { t } = useTranslation()
  const rotate = useEndpointMutation(rotateApiKey, [listApiKeys])
  const revoke = useEndpointMutation(revokeApiKey, [listApiKeys])
  const takeOver = useEndpointMutation(takeOverApiKey, [listApiKeys])
  const input = { params: { key_id: apiKey.key_id } }
  const finish = () => {
    showToast(t(`keys:done.${act}`, { name: apiKey.name }))
    onClose()
  }
  const confirm = () => {
    if (act === 'rotate') rotate.mutate(input, { onSuccess: ({ secret }) => onSecret(secret) })
    else (act === 'revoke' ? revoke : takeOver).mutate(input, { onSuccess: finish })
  }
  return (
    <ConfirmDialog
      title={t(`keys:ask.${act}.title`, { name: apiKey.name })}
      action={t(`keys:ask.${act}.action`)}
      isDanger={act === 'revoke'}
      isPending={rotate.isPending || revoke.isPending || takeOver.isPending}
      error={rotate.error ?? revoke.error ?? takeOver.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      {t(`keys:ask.${act}.text`)}
    </ConfirmDialog>
  )
}

type OpenDialog =
  | { kind: 'create' }
  | { kind: 'act'; act: KeyAct; apiKey: ApiKey }
  | { kind: 'secret'; secret: string }

/** API keys of the organization: create, rotate, take over, revoke. */
export function ApiKeysScreen() {
  const { t } = useTranslation()
  const zone = useCityZone()
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const keys = useEndpointQuery(listApiKeys, {}, { staleTime: 0 })
  const close = () => setOpen(null)
  const showSecret = (secret: string) => setOpen({ kind: 'secret', secret })
  const add = (
    <Button leftSection={<IconPlus size={18} />} onClick={() => setOpen({ kind: 'create' })}>
      {t('keys:create.open')}
    </Button>
  )
  const actions = (
    <>
      <Button component={Link} to="/admin/try-api" variant="default">
        {t('shell:pages.tryApi')}
      </Button>
      {add}
    </>
  )
  return (
    <AdminPage page="apiKeys" context={t('keys:context')} zone={zone} actions={actions}>
      <Loaded
        of={keys}
        isEmpty={({ items }) => items.length === 0}
        empty={
          <EmptyState title={t('keys:empty.title')} action={add}>
            {t('keys:empty.text')}
          </EmptyState>
        }
      >
        {({ items }) => (
          <KeyTable keys={items} zone={zone} onAct={(act, apiKey) => setOpen({ kind: 'act', act, apiKey })} />
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
      {open?.kind === 'act' ? (
        <ConfirmKeyAct act={open.act} apiKey={open.apiKey} onClose={close} onSecret={showSecret} />
      ) : null}
      {open?.kind === 'secret' ? <SecretDialog secret={open.secret} onClose={close} /> : null}
    </AdminPage>
  )
}
