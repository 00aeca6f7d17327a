import { useTranslation } from 'react-i18next'
import { changeUser, listUsers, removeSecondFactors, type ManagedUser } from '#contract/users.ts'
import { useAct } from '#web/data/act.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'

interface Props {
  act: 'disable' | 'enable' | 'removeFactors'
  user: ManagedUser
  onClose: () => void
}

/** Asks before a user is shut out, let in again, or loses all second factors. */
export function UserAsk({ act, user, onClose }: Props) {
  const { t } = useTranslation()
  const change = useAct(changeUser, [listUsers])
  const remove = useAct(removeSecondFactors, [listUsers])
  const params = { user_id: user.id }
  const confirm = () => {
    if (act === 'removeFactors') remove.mutate({ params }, { onSuccess: onClose })
    else change.mutate({ params, body: { disabled: act === 'disable' } }, { onSuccess: onClose })
  }
  return (
    <ConfirmDialog
      title={t(`users:ask.${act}.title`, { email: user.email })}
      action={t(`users:ask.${act}.action`)}
      isDanger={act !== 'enable'}
      isPending={change.isPending || remove.isPending}
      error={change.error ?? remove.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      {t(`users:ask.${act}.text`)}
    </ConfirmDialog>
  )
}
