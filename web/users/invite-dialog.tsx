import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inviteUser, listUsers } from '#contract/users.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { getFieldIssues } from '#web/data/api-error.ts'
import { useMe } from '#web/shell/me.tsx'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { InvitationDialog } from './invitation-dialog.tsx'
import { emptyUserDraft, dropOperatorRoles, type UserDraft } from './user-draft.ts'
import { UserFields } from './user-fields.tsx'

/** Invites a user and then shows the link, because some servers send no mail. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { user: self } = useMe()
  const [email, setEmail] = useState('')
  const [draft, setDraft] = useState<UserDraft>({ ...emptyUserDraft, regionIds: self.regionIds })
  const invite = useEndpointMutation(inviteUser, [listUsers])
  const issues = getFieldIssues(invite.error)
  const updateDraft = (changes: Partial<UserDraft>) => setDraft({ ...draft, ...changes })
  if (invite.data)
    return (
      <InvitationDialog
        title={t('users:invite.done')}
        email={invite.data.user.email}
        link={invite.data.onboarding_link}
        isMailed={invite.data.is_mailed}
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      size={560}
      title={t('users:invite.title')}
      onClose={onClose}
      action={t('users:invite.action')}
      isPending={invite.isPending}
      error={invite.error}
      errorTitle={t('users:failed.invite')}
      onSubmit={() => {
        invite.mutate({
          body: {
            email: email.trim(),
            name: draft.name.trim(),
            role_ids: dropOperatorRoles(draft).roleIds,
            region_ids: draft.regionIds,
            operators: draft.operators,
          },
        })
      }}
    >
      <TextInput
        data-autofocus
        type="email"
        label={t('users:field.email')}
        required
        maxLength={254}
        error={issues.get('email')}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <UserFields draft={draft} issues={issues} onChange={updateDraft} />
    </FormDialog>
  )
}
