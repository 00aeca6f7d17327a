import { Button } from '@mantine/core'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { listUsers, type ManagedUser, userOrders } from '#contract/users.ts'
import { fetchAll } from '#web/data/fetch-all.ts'
import { Table } from '#web/kit/table/table.tsx'
import { formatDateTime } from '#web/kit/format.ts'
import { useSmallScreen } from '#web/kit/use-small-screen.ts'
import type { TableColumn } from '#web/kit/table/table-column.ts'
import type { TableStateHandler } from '#web/kit/table/table-state.ts'
import { useCityZone } from '#web/shell/use-city-zone.ts'
import { roleName } from './role-choice.tsx'
import { StateMark } from './state-mark.tsx'
import { actsOn, type UserAct, userMenu } from './user-menu.ts'
import type { UsersSearch } from './users-search.ts'
import { regionName, useRegions } from './region-choice.tsx'
import { operatorName, useOperators } from './operator-choice.tsx'

type UserState = 'active' | 'invited' | 'disabled'

/** Disabled has precedence over invited. */
export const stateOf = ({ disabled, invited }: Pick<ManagedUser, 'disabled' | 'invited'>): UserState =>
  disabled ? 'disabled' : invited ? 'invited' : 'active'

const idOf = ({ id }: ManagedUser): string => id

interface Props {
  users: readonly ManagedUser[]
  total: number
  state: UsersSearch
  onState: TableStateHandler
  /** ID of the signed-in user. */
  selfId: string
  checked: ReadonlyMap<string, ManagedUser>
  onCheck: (checked: ReadonlyMap<string, ManagedUser>) => void
  onAct: (act: UserAct, ...users: ManagedUser[]) => void
}

/** One page of users. */
export function UserTable({ users, total, state, onState, selfId, checked, onCheck, onAct }: Props) {
  const { t } = useTranslation()
  const regions = useRegions()
  const operators = useOperators()
  const zone = useCityZone()
  const isSmall = useSmallScreen()
  const columns = useMemo<TableColumn<ManagedUser>[]>(
    () => [
      {
        key: 'email',
        title: t('users:field.email'),
        width: 232,
        value: (user) => user.email,
      },
      { key: 'name', title: t('users:field.name'), width: 144, value: (user) => user.name },
      {
        key: 'state',
        title: t('users:field.state'),
        width: 96,
        value: (user) => t(`users:state.${stateOf(user)}`),
        renderCell: (user) => <StateMark state={stateOf(user)} />,
      },
      {
        key: 'roles',
        title: t('users:field.roles'),
        width: 120,
        value: (user) => user.roles.map(({ name }) => roleName(t, name)).join(', ') || t('users:roles.none'),
      },
      {
        key: 'keys',
        title: t('users:field.keys'),
        width: 220,
        isHidden: true,
        value: (user) =>
          user.keys.map((key) => t(`users:key.${key}.name`)).join(', ') || t('users:roles.none'),
      },
      {
        key: 'regions',
        title: t('users:field.regions'),
        width: 110,
        value: (user) =>
          user.regionIds === null
            ? t('users:regions.every')
            : user.regionIds.map((id) => regionName(regions, id)).join(', ') || t('users:regions.no'),
      },
      {
        key: 'operators',
        title: t('users:field.operators'),
        width: 110,
        value: (user) =>
          user.operators?.map((slug) => operatorName(operators, slug)).join(', ') ??
          t('users:operators.every'),
      },
      {
        key: 'secondFactors',
        title: t('users:field.secondFactors'),
        isNumber: true,
        width: 120,
        value: (user) => user.secondFactors,
      },
      {
        key: 'last_sign_in',
        title: t('users:field.lastSignIn'),
        width: 196,
        value: (user) => user.lastSignInTime,
        renderCell: (user) =>
          user.lastSignInTime ? formatDateTime(user.lastSignInTime, zone) : t('users:never'),
      },
    ],
    [t, regions, operators, zone],
  )
  const loadAll = useCallback(
    (onProgress: (share: number) => void) =>
      fetchAll(
        listUsers,
        { query: { search: state.search ?? '', order_by: state.sort ?? 'email' } },
        idOf,
        onProgress,
      ),
    [state.search, state.sort],
  )
  const actOnChecked = (act: 'disable' | 'enable') => {
    const chosen = [...checked.values()].filter((user) => actsOn(user, user.id === selfId).includes(act))
    return chosen.length === 0 ? null : (
      <Button variant="default" size="compact-sm" onClick={() => onAct(act, ...chosen)}>
        {t('users:actOn', { act: t(`users:act.${act}`), count: chosen.length })}
      </Button>
    )
  }
  return (
    <Table
      label={t('shell:pages.users')}
      isWrapped={isSmall}
      rows={users}
      columns={columns}
      rowKey={idOf}
      state={state}
      onState={onState}
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
                  {actOnChecked('disable')}
                  {actOnChecked('enable')}
                </>
              ),
            }
      }
      rowMenu={(user) => userMenu(t, user, user.id === selfId, onAct)}
    />
  )
}
