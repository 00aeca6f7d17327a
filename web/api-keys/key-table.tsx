import type { TFunction } from 'i18next'
import { IconBan, IconRefresh, IconUserCheck } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiKey } from '#contract/api-keys.ts'
import type { Region } from '#contract/regions.ts'
import type { MenuAction } from '#web/kit/action-menu.tsx'
import { formatDateTime, formatInteger } from '#web/kit/format.ts'
import { Table } from '#web/kit/table/table.tsx'
import type { TableColumn } from '#web/kit/table/table-column.ts'
import { useMe } from '#web/shell/me.tsx'
import { regionName, useRegions } from '#web/users/region-choice.tsx'
import styles from './api-keys.module.css'

export type KeyAct = 'rotate' | 'takeOver' | 'revoke'

const icons = { rotate: IconRefresh, takeOver: IconUserCheck, revoke: IconBan } as const

/** What can be done with a key: only what the server would not refuse. */
export function actsOn({ state, owner_email: owner }: ApiKey, ownEmail: string): KeyAct[] {
  if (state === 'revoked') return []
  return ['rotate', ...(owner === ownEmail ? [] : (['takeOver'] as const)), 'revoke']
}

function keyColumns(
  t: TFunction,
  { zone, regions }: { zone: string; regions: readonly Region[] | null },
): TableColumn<ApiKey>[] {
  const time = (iso: string | null, none: string): string => (iso ? formatDateTime(iso, zone) : none)
  return [
    {
      key: 'name',
      title: t('keys:field.name'),
      width: 230,
      value: ({ name }) => name,
      renderCell: ({ name, prefix, hint }) => (
        <span className={styles['name']}>
          {name}
          <code>
            {prefix}…{hint}
          </code>
        </span>
      ),
    },
    {
      key: 'state',
      title: t('keys:field.state'),
      width: 100,
      value: ({ state }) => t(`keys:state.${state}`),
      renderCell: ({ state }) => (
        <span className={styles['state']} data-state={state} title={t(`keys:stateText.${state}`)}>
          {t(`keys:state.${state}`)}
        </span>
      ),
    },
    {
      key: 'scopes',
      title: t('keys:field.scopes'),
      width: 190,
      value: ({ scopes, feed_name: feed, operator }) =>
        [scopes.join(', '), feed, operator].filter(Boolean).join(' · '),
    },
    {
      key: 'regions',
      title: t('keys:field.regions'),
      width: 130,
      value: ({ region_ids: ids }) =>
        ids ? ids.map((id) => regionName(regions, id)).join(', ') : t('keys:allRegions'),
    },
    {
      key: 'last_used',
      title: t('keys:field.lastUsed'),
      width: 120,
      value: ({ last_used_time: used }) => time(used, t('keys:never')),
    },
    {
      key: 'calls',
      title: t('keys:field.calls'),
      width: 90,
      isNumber: true,
      value: ({ calls }) => calls,
      renderCell: ({ calls }) => formatInteger(calls),
    },
    {
      key: 'refused',
      title: t('keys:field.refused'),
      width: 110,
      isNumber: true,
      isHidden: true,
      value: ({ refused }) => refused,
      renderCell: ({ refused }) => formatInteger(refused),
    },
    {
      key: 'expires',
      title: t('keys:field.expires'),
      width: 120,
      value: ({ expires_time: end }) => time(end, t('keys:noEnd')),
    },
    {
      key: 'owner',
      title: t('keys:field.owner'),
      width: 190,
      value: ({ owner_email: owner }) => owner ?? t('keys:noOwner'),
    },
    {
      key: 'cidrs',
      title: t('keys:field.cidrs'),
      width: 170,
      isHidden: true,
      value: ({ cidrs }) => cidrs.join(', '),
    },
    {
      key: 'rate',
      title: t('keys:field.rate'),
      width: 120,
      isHidden: true,
      value: ({ rate_class: rate }) => t(`keys:rate.${rate}`),
    },
    {
      key: 'created',
      title: t('keys:field.created'),
      width: 160,
      isHidden: true,
      value: ({ created_time: made }) => time(made, ''),
    },
  ]
}

interface Props {
  keys: readonly ApiKey[]
  zone: string
  onAct: (act: KeyAct, key: ApiKey) => void
}

export function KeyTable({ keys, zone, onAct }: Props) {
  const { t } = useTranslation()
  const { user } = useMe()
  const regions = useRegions()
  const columns = useMemo(() => keyColumns(t, { zone, regions }), [t, zone, regions])
  const menuOf = (key: ApiKey): { label: string; acts: MenuAction[] } => ({
    label: t('keys:actionsOf', { name: key.name }),
    acts: actsOn(key, user.email).map((act) => ({
      key: act,
      label: t(`keys:act.${act}`),
      icon: icons[act],
      isDanger: act === 'revoke',
      onSelect: () => onAct(act, key),
    })),
  })
  return (
    <Table
      label={t('shell:pages.apiKeys')}
      rows={keys}
      columns={columns}
      rowKey={({ key_id: id }) => id}
      fileName="api-keys"
      rowMenu={menuOf}
      isWrapped
    />
  )
}
