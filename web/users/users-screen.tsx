import { Button, Group } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  listUsers,
  type ManagedUser,
  renewInvitation,
  changeUser,
  deleteUser,
  removeSecondFactors,
} from '#contract/users.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { useMe } from '#web/shell/me.tsx'
import { useCityZone } from '#web/shell/use-city-zone.ts'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { AdminPage } from '#web/shell/admin-page.tsx'
import { SearchField } from '#web/kit/search-field.tsx'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import type { UserAction } from './user-menu.ts'
import { UserDialog } from './user-dialog.tsx'
import { UserTable } from './user-table.tsx'
import { InvitationDialog } from './invitation-dialog.tsx'
import { usersSearch } from './users-search.ts'

interface Props {
  action: 'disable' | 'enable' | 'removeFactors' | 'remove'
  /** Changed one after the other; a retry after a failure sends all again. */
  users: readonly ManagedUser[]
  onDone: () => void
  onClose: () => void
}

/** Asks to confirm an action for one or several users. */
function UserActionDialog({ action, users, onDone, onClose }: Props) {
  const { t } = useTranslation()
  const change = useEndpointMutation(changeUser, [listUsers])
  const removeFactors = useEndpointMutation(removeSecondFactors, [listUsers])
  const remove = useEndpointMutation(deleteUser, [listUsers])
  const textValues = { count: users.length, email: users[0]?.email }
  const confirm = async () => {
    for (const { id } of users) {
      const params = { user_id: id }
      if (action === 'removeFactors') await removeFactors.mutateAsync({ params })
      else if (action === 'remove') await remove.mutateAsync({ params })
      else await change.mutateAsync({ params, body: { disabled: action === 'disable' } })
    }
    onDone()
  }
  return (
    <ConfirmDialog
      title={t(`users:confirm.${action}.title`, textValues)}
      action={t(`users:confirm.${action}.action`)}
      isDanger={action !== 'enable'}
      isPending={change.isPending || remove.isPending || removeFactors.isPending}
      error={change.error ?? remove.error ?? removeFactors.error}
      // The error is shown from the mutation.
      onConfirm={() => void confirm().catch(() => undefined)}
      onClose={onClose}
    >
      {t(`users:confirm.${action}.text`, textValues)}
    </ConfirmDialog>
  )
}

/** Creates a new link for a user who has not accepted the invitation. */
function RenewInvitationDialog({ user, onClose }: { user: ManagedUser; onClose: () => void }) {
  const { t } = useTranslation()
  const renew = useEndpointMutation(renewInvitation)
  if (renew.data)
    return (
      <InvitationDialog
        title={t('users:invite.renewed')}
        email={user.email}
        link={renew.data.onboarding_link}
        isMailed={renew.data.is_mailed}
        onClose={onClose}
      />
    )
  return (
    <ConfirmDialog
      title={t('users:confirm.renew.title', { email: user.email })}
      action={t('users:confirm.renew.action')}
      isDanger={false}
      isPending={renew.isPending}
      error={renew.error}
      onConfirm={() => renew.mutate({ params: { user_id: user.id } })}
      onClose={onClose}
    >
      {t('users:confirm.renew.text')}
    </ConfirmDialog>
  )
}

export function UsersScreen() {
  const { t } = useTranslation()
  const { user: self } = useMe()
  const timezone = useCityZone()
  const { search: state, push: change, replace: adjust } = useSearchState(usersSearch)
  const { search = '', page = 1, size = 50, sort = 'email', edit, is_new } = state
  const [dialog, setDialog] = useState<{
    action: Exclude<UserAction, 'edit'>
    users: readonly ManagedUser[]
  } | null>(null)
  const [checked, setChecked] = useState<ReadonlyMap<string, ManagedUser>>(new Map())
  // Never served from the cache: users sign in, and other administrators change them.
  const users = useEndpointQuery(
    listUsers,
    { query: { page, size, search, order_by: sort } },
    { staleTime: 0, placeholderData: keepPreviousData },
  )
  const editedUser = users.data?.items.find(({ id }) => id === edit)
  const openAction = useCallback(
    (action: UserAction, ...targets: ManagedUser[]) =>
      action === 'edit' ? change({ edit: targets[0]?.id }) : setDialog({ action, users: targets }),
    [change],
  )
  const close = () => setDialog(null)
  const finishAction = () => {
    setDialog(null)
    setChecked(new Map())
  }
  return (
    <AdminPage
      page="users"
      context={t('users:context.users')}
      timezone={timezone}
      actions={
        <Button leftSection={<IconUserPlus size={18} />} onClick={() => change({ is_new: true })}>
          {t('users:invite.open')}
        </Button>
      }
    >
      <Group mb="md">
        <SearchField
          label={t('users:search')}
          value={search}
          onSearch={(text) => adjust({ search: text, page: undefined })}
        />
      </Group>
      <Loaded
        query={users}
        isEmpty={(userPage) => userPage.total === 0}
        empty={<EmptyState title={t('users:noUsers.title')}>{t('users:noUsers.text')}</EmptyState>}
      >
        {(userPage) => (
          <UserTable
            users={userPage.items}
            total={userPage.total}
            state={state}
            onStateChange={change}
            selfId={self.id}
            checked={checked}
            onCheck={setChecked}
            onAction={openAction}
          />
        )}
      </Loaded>
      {editedUser ? (
        <UserDialog key={editedUser.id} user={editedUser} onClose={() => change({ edit: undefined })} />
      ) : null}
      {is_new ? <InviteDialog onClose={() => change({ is_new: undefined })} /> : null}
      {dialog?.action === 'renew' && dialog.users[0] ? (
        <RenewInvitationDialog user={dialog.users[0]} onClose={close} />
      ) : null}
      {dialog && dialog.action !== 'renew' ? (
        <UserActionDialog action={dialog.action} users={dialog.users} onDone={finishAction} onClose={close} />
      ) : null}
    </AdminPage>
  )
}
