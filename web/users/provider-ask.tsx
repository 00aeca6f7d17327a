import { useTranslation } from 'react-i18next'
import {
  changeSignInProvider,
  deleteSignInProvider,
  listSignInProviders,
  type SignInProvider,
} from '#contract/sign-in-providers.ts'
import { useAct } from '#web/data/act.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'

interface Props {
  act: 'disable' | 'enable' | 'remove'
  provider: SignInProvider
  onClose: () => void
}

/** Asks before the users of a provider are shut out, or let in again. */
export function ProviderAsk({ act, provider, onClose }: Props) {
  const { t } = useTranslation()
  const change = useAct(changeSignInProvider, [listSignInProviders])
  const remove = useAct(deleteSignInProvider, [listSignInProviders])
  const params = { provider_id: provider.id }
  const confirm = () => {
    if (act === 'remove') remove.mutate({ params }, { onSuccess: onClose })
    else change.mutate({ params, body: { enabled: act === 'enable' } }, { onSuccess: onClose })
  }
  return (
    <ConfirmDialog
      title={t(`users:provider.${act}`, { name: provider.name })}
      action={t(`users:provider.action.${act}`)}
      isDanger={act !== 'enable'}
      isPending={change.isPending || remove.isPending}
      error={change.error ?? remove.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      {t(`users:provider.ask.${act}`)}
    </ConfirmDialog>
  )
}
