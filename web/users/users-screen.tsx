import { Button, Group } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listUsers, type ManagedUser } from '#contract/users.ts'
import { useAnswer } from '#web/data/query.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { useMe } from '#web/shell/me.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { AdminPage } from './admin-page.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { RenewDialog } from './renew-dialog.tsx'
import { SearchField } from '#web/kit/search-field.tsx'
import type { UserAct } from './user-actions.tsx'
import { UserAsk } from './user-ask.tsx'
import { UserDialog } from './user-dialog.tsx'
import { UserTable } from './user-table.tsx'
import { userSort, usersSearch } from './users-search.ts'

const pageSize = 50

export function UsersScreen() {
  const { t } = useTranslation()
  const { user: self } = useMe()
  const {
    search: { search = '', page = 1, sort, edit, isNew },
    change,
    adjust,
  } = useSearchState(usersSearch)
  const [asked, setAsked] = useState<{ act: Exclude<UserAct, 'edit'>; user: ManagedUser } | null>(null)
  // Others sign in and change users meanwhile.
  const users = useAnswer(
    listUsers,
    { query: { page, size: pageSize, search, order_by: sort ?? 'email' } },
    { staleTime: 0, placeholderData: keepPreviousData },
  )
  const edited = users.data?.items.find(({ id }) => id === edit)
  const begin = useCallback(
    (act: UserAct, user: ManagedUser) =>
      act === 'edit' ? change({ edit: user.id }) : setAsked({ act, user }),
    [change],
  )
  const close = () => setAsked(null)

  return (
    <AdminPage
      page="users"
      context={t('users:context.users')}
      actions={
        <Button leftSection={<IconUserPlus size={18} />} onClick={() => change({ isNew: true })}>
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
        of={users}
        isEmpty={(found) => found.total === 0}
        empty={<EmptyState title={t('users:noUsers.title')}>{t('users:noUsers.text')}</EmptyState>}
      >
        {(found) => (
          <UserTable
            users={found.items}
            selfId={self.id}
            onAct={begin}
            server={{
              page,
              size: pageSize,
              total: found.total,
              order: sort ?? 'email',
              onOrder: (order) => adjust({ sort: userSort(order), page: undefined }),
              onPage: (to) => change({ page: to }),
            }}
          />
        )}
      </Loaded>
      {edited ? (
        <UserDialog key={edited.id} user={edited} onClose={() => change({ edit: undefined })} />
      ) : null}
      {isNew ? <InviteDialog onClose={() => change({ isNew: undefined })} /> : null}
      {asked?.act === 'renew' ? <RenewDialog user={asked.user} onClose={close} /> : null}
      {asked && asked.act !== 'renew' ? <UserAsk act={asked.act} user={asked.user} onClose={close} /> : null}
    </AdminPage>
  )
}
