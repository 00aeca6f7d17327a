import { useTranslation } from 'react-i18next'
import { renewInvitation, type ManagedUser } from '#contract/users.ts'
import { useAct } from '#web/data/act.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { InvitationDialog } from './invitation-dialog.tsx'

/** Makes a new link for who was invited and has not come. */
export function RenewDialog({ user, onClose }: { user: ManagedUser; onClose: () => void }) {
  const { t } = useTranslation()
  const renew = useAct(renewInvitation)
  if (renew.data)
    return (
      <InvitationDialog
        title={t('users:invite.renewed')}
        email={user.email}
        link={renew.data.onboarding_link}
        onClose={onClose}
      />
    )
  return (
    <ConfirmDialog
      title={t('users:ask.renew.title', { email: user.email })}
      action={t('users:ask.renew.action')}
      isDanger={false}
      isPending={renew.isPending}
      error={renew.error}
      onConfirm={() => renew.mutate({ params: { user_id: user.id } })}
      onClose={onClose}
    >
      {t('users:ask.renew.text')}
    </ConfirmDialog>
  )
}
