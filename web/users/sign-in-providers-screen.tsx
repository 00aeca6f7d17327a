import { Button, Paper } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  listSignInProviders,
  type SignInProvider,
  changeSignInProvider,
  deleteSignInProvider,
} from '#contract/sign-in-providers.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { useMe } from '#web/shell/me.tsx'
import { AdminPage } from '#web/shell/admin-page.tsx'
import { CopyField } from '#web/kit/copy-field.tsx'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { ProviderDialog } from './provider-dialog.tsx'
import { ProviderTable, type ProviderAction } from './provider-table.tsx'

interface Props {
  action: 'disable' | 'enable' | 'remove'
  provider: SignInProvider
  onClose: () => void
}

/** Asks to confirm an action that ends or restores the sign-in of a provider's users. */
function ProviderActionDialog({ action, provider, onClose }: Props) {
  const { t } = useTranslation()
  const change = useEndpointMutation(changeSignInProvider, [listSignInProviders])
  const remove = useEndpointMutation(deleteSignInProvider, [listSignInProviders])
  const params = { provider_id: provider.id }
  const confirm = () => {
    if (action === 'remove')
      remove.mutate(
        { params },
        {
          onSuccess: () => {
            showToast(t('kit:did.deleted', { name: provider.name }))
            onClose()
          },
        },
      )
    else change.mutate({ params, body: { enabled: action === 'enable' } }, { onSuccess: onClose })
  }
  return (
    <ConfirmDialog
      title={t(`users:provider.${action}`, { name: provider.name })}
      action={t(`users:provider.action.${action}`)}
      isDanger={action !== 'enable'}
      isPending={change.isPending || remove.isPending}
      error={change.error ?? remove.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      {t(`users:provider.confirm.${action}`)}
    </ConfirmDialog>
  )
}

type OpenDialog = { action: 'add' } | { action: ProviderAction; provider: SignInProvider }

export function SignInProvidersScreen() {
  const { t } = useTranslation()
  const { user } = useMe()
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const providers = useEndpointQuery(listSignInProviders, {})
  const close = () => setOpen(null)
  const addButton = (
    <Button leftSection={<IconPlus size={18} />} onClick={() => setOpen({ action: 'add' })}>
      {t('users:provider.add')}
    </Button>
  )
  return (
    <AdminPage page="signInProviders" context={t('users:context.signInProviders')} actions={addButton}>
      <Paper withBorder p="md" mb="md" maw={720}>
        <CopyField
          label={t('users:provider.redirect')}
          description={t('users:provider.redirectNote')}
          value={`${location.origin}/api/sso/callback/${user.organizationId}`}
        />
      </Paper>
      <Loaded
        query={providers}
        isEmpty={(loadedProviders) => loadedProviders.length === 0}
        empty={
          <EmptyState title={t('users:provider.empty.title')} action={addButton}>
            {t('users:provider.empty.text')}
          </EmptyState>
        }
      >
        {(loadedProviders) => (
          <ProviderTable
            providers={loadedProviders}
            onAction={(action, provider) => setOpen({ action, provider })}
          />
        )}
      </Loaded>
      {open?.action === 'add' ? <ProviderDialog provider={null} onClose={close} /> : null}
      {open?.action === 'change' ? <ProviderDialog provider={open.provider} onClose={close} /> : null}
      {open && open.action !== 'add' && open.action !== 'change' ? (
        <ProviderActionDialog action={open.action} provider={open.provider} onClose={close} />
      ) : null}
    </AdminPage>
  )
}
