import { Button } from '@mantine/core'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { listUsers, type ManagedUser, userOrders } from '#contract/users.ts'
import { fetchAll } from '#web/data/fetch-all.ts'
import { Table } from '#web/kit/table/table.tsx'
import { formatDateTime } from '#web/kit/format.ts'
import { useSmallScreen } from '#web/kit/use-small-screen.ts'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import type { TableStateHandler } from '#web/kit/table/table-state.ts'
import { useCityZone } from '#web/shell/use-city-zone.ts'
import { getRoleName } from './role-choice.tsx'
import { StateMark } from './state-mark.tsx'
import { getOfferedActions, type UserAction, getUserMenu } from './user-menu.ts'
import type { UsersSearch } from './users-search.ts'
import { getRegionName, useRegions } from './region-choice.tsx'
import { getOperatorName, useOperators } from './operator-choice.tsx'

type UserState = 'active' | 'invited' | 'disabled'

/** Returns the state of a user; disabled has precedence over invited. */
export const getUserState = ({ disabled, invited }: Pick<ManagedUser, 'disabled' | 'invited'>): UserState =>
  disabled ? 'disabled' : invited ? 'invited' : 'active'

const getId = ({ id }: ManagedUser): string => id

interface Props {
  users: readonly ManagedUser[]
  total: number
  state: UsersSearch
  onStateChange: TableStateHandler
  /** ID of the signed-in user. */
  selfId: string
  checked: ReadonlyMap<string, ManagedUser>
  onCheck: (checked: ReadonlyMap<string, ManagedUser>) => void
  onAction: (action: UserAction, ...users: ManagedUser[]) => void
}

/** Users with their actions; several can be disabled or enabled at once, except on small screens. */
export function UserTable({ users, total, state, onStateChange, selfId, checked, onCheck, onAction }: Props) {
  const { t } = useTranslation()
  const isSmall = useSmallScreen()
  const columns = useUserColumns()
  const loadAll = useCallback(
    (onProgress: (share: number) => void) =>
      fetchAll(
        listUsers,
        { query: { search: state.search ?? '', order_by: state.sort ?? 'email' } },
        { getKey: getId, onProgress },
      ),
    [state.search, state.sort],
  )
  const renderCheckedButton = (action: 'disable' | 'enable') => {
    const affectedUsers = [...checked.values()].filter((user) =>
      getOfferedActions(user, user.id === selfId).includes(action),
    )
    return affectedUsers.length === 0 ? null : (
      <Button variant="default" size="compact-sm" onClick={() => onAction(action, ...affectedUsers)}>
        {t('users:actOn', { act: t(`users:act.${action}`), count: affectedUsers.length })}
      </Button>
    )
  }
  return (
    <Table
      label={t('shell:pages.users')}
      isWrapped={isSmall}
      rows={users}
      columns={columns}
      rowKey={getId}
      state={state}
      onStateChange={onStateChange}
      defaultSort="email"
      server={{ total, sortKeys: userOrders, loadAll }}
      fileName="users"
      checks={
        isSmall
          ? undefined
          : {
              checked,
              onCheck,
              rowLabel: ({ email }) => t('users:select', { email }),
              actions: (
                <>
                  {renderCheckedButton('disable')}
                  {renderCheckedButton('enable')}
                </>
              ),
            }
      }
      rowMenu={(user) => getUserMenu(t, user, user.id === selfId, onAction)}
    />
  )
}

/** Returns the columns of the table, with the names of regions and operators. */
function useUserColumns(): TableColumn<ManagedUser>[] {
  const { t } = useTranslation()
  const regions = useRegions()
  const operators = useOperators()
  const timezone = useCityZone()
  return useMemo(
    () => [
      column('email', t('users:field.email'), (user) => user.email, { width: 232 }),
      column('name', t('users:field.name'), (user) => user.name, { width: 144 }),
      column('state', t('users:field.state'), (user) => t(`users:state.${getUserState(user)}`), {
        width: 96,
        renderCell: (user) => <StateMark state={getUserState(user)} />,
      }),
      column(
        'roles',
        t('users:field.roles'),
        (user) => user.roles.map(({ name }) => getRoleName(t, name)).join(', ') || t('users:roles.none'),
        { width: 120 },
      ),
      column(
        'keys',
        t('users:field.keys'),
        (user) => user.keys.map((key) => t(`users:key.${key}.name`)).join(', ') || t('users:roles.none'),
        { width: 220, isHidden: true },
      ),
      column(
        'regions',
        t('users:field.regions'),
        (user) =>
          user.regionIds === null
            ? t('users:regions.every')
            : user.regionIds.map((id) => getRegionName(regions, id)).join(', ') || t('users:regions.no'),
        { width: 110 },
      ),
      column(
        'operators',
        t('users:field.operators'),
        (user) =>
          user.operators?.map((slug) => getOperatorName(operators, slug)).join(', ') ??
          t('users:operators.every'),
        { width: 110 },
      ),
      column('secondFactors', t('users:field.secondFactors'), (user) => user.secondFactors, {
        isNumber: true,
        width: 120,
      }),
      column('last_sign_in', t('users:field.lastSignIn'), (user) => user.lastSignInTime, {
        width: 196,
        renderCell: (user) =>
          user.lastSignInTime ? formatDateTime(user.lastSignInTime, timezone) : t('users:never'),
      }),
    ],
    [t, regions, operators, timezone],
  )
}
