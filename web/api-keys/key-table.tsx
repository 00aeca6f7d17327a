import type { TFunction } from 'i18next'
import { IconBan, IconRefresh, IconUserCheck } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiKey } from '#contract/api-keys.ts'
import type { Region } from '#contract/regions.ts'
import type { MenuAction } from '#web/kit/action-menu.tsx'
import { formatDateTime } from '#web/kit/format.ts'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { useMe } from '#web/shell/me.tsx'
import { getRegionName, useRegions } from '#web/users/region-choice.tsx'
import styles from './api-keys.module.css'

export type KeyAction = 'rotate' | 'takeOver' | 'revoke'

const icons = { rotate: IconRefresh, takeOver: IconUserCheck, revoke: IconBan } as const

/** Returns the actions offered for a key: those that the server does not refuse. */
export function getOfferedActions({ state, owner_email: owner }: ApiKey, ownEmail: string): KeyAction[] {
  if (state === 'revoked') return []
  return ['rotate', ...(owner === ownEmail ? [] : (['takeOver'] as const)), 'revoke']
}

function getKeyColumns(
  t: TFunction,
  { timezone, regions }: { timezone: string; regions: readonly Region[] | null },
): TableColumn<ApiKey>[] {
  const formatTime = (iso: string | null, none: string): string =>
    iso ? formatDateTime(iso, timezone) : none
  return [
    column('name', t('keys:field.name'), ({ name }) => name, {
      width: 230,
      renderCell: ({ name, prefix, hint }) => (
        <span className={styles['name']}>
          {name}
          <code>
            {prefix}…{hint}
          </code>
        </span>
      ),
    }),
    column('state', t('keys:field.state'), ({ state }) => t(`keys:state.${state}`), {
      width: 100,
      renderCell: ({ state }) => (
        <span className={styles['state']} data-state={state} title={t(`keys:stateText.${state}`)}>
          {t(`keys:state.${state}`)}
        </span>
      ),
    }),
    column(
      'scopes',
      t('keys:field.scopes'),
      ({ scopes, feed_name: feed, operator }) =>
        [scopes.join(', '), feed, operator].filter(Boolean).join(' · '),
      { width: 190 },
    ),
    column(
      'regions',
      t('keys:field.regions'),
      ({ region_ids: ids }) =>
        ids ? ids.map((id) => getRegionName(regions, id)).join(', ') : t('keys:allRegions'),
      { width: 130 },
    ),
    column('last_used', t('keys:field.lastUsed'), (row) => formatTime(row.last_used_time, t('keys:never')), {
      width: 120,
    }),
    column('calls', t('keys:field.calls'), ({ calls }) => calls, { width: 90, isNumber: true }),
    column('refused', t('keys:field.refused'), ({ refused }) => refused, {
      width: 110,
      isNumber: true,
      isHidden: true,
    }),
    column('expires', t('keys:field.expires'), (row) => formatTime(row.expires_time, t('keys:noEnd')), {
      width: 120,
    }),
    column('owner', t('keys:field.owner'), ({ owner_email: owner }) => owner ?? t('keys:noOwner'), {
      width: 190,
    }),
    column('cidrs', t('keys:field.cidrs'), ({ cidrs }) => cidrs.join(', '), { width: 170, isHidden: true }),
    column('rate', t('keys:field.rate'), ({ rate_class: rate }) => t(`keys:rate.${rate}`), {
      width: 120,
      isHidden: true,
    }),
    column('created', t('keys:field.created'), (row) => formatTime(row.created_time, ''), {
      width: 160,
      isHidden: true,
    }),
  ]
}

interface Props {
  keys: readonly ApiKey[]
  timezone: string
  onAction: (action: KeyAction, key: ApiKey) => void
}

/** API keys with their limits, use and actions. */
export function KeyTable({ keys, timezone, onAction }: Props) {
  const { t } = useTranslation()
  const { user } = useMe()
  const regions = useRegions()
  const columns = useMemo(() => getKeyColumns(t, { timezone, regions }), [t, timezone, regions])
  const getMenu = (key: ApiKey): { label: string; actions: MenuAction[] } => ({
    label: t('keys:actionsOf', { name: key.name }),
    actions: getOfferedActions(key, user.email).map((action) => ({
      key: action,
      label: t(`keys:act.${action}`),
      icon: icons[action],
      isDanger: action === 'revoke',
      onSelect: () => onAction(action, key),
    })),
  })
  return (
    <Table
      label={t('shell:pages.apiKeys')}
      rows={keys}
      columns={columns}
      rowKey={(row) => row.key_id}
      fileName="api-keys"
      rowMenu={getMenu}
      isWrapped
    />
  )
}
