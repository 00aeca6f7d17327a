import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { PermissionKey } from '#contract/permission.ts'
import { type Colleagues, listPermissionHolders } from '#contract/users.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useMe } from './me.tsx'

interface Props {
  regionId: string
  permission: PermissionKey
}

/** Names the users whom a user without a permission can ask; nothing for users who have it. */
export function PermissionHolders({ regionId, permission }: Props) {
  const { t } = useTranslation()
  const { can } = useMe()
  const { data } = useEndpointQuery(
    listPermissionHolders,
    { params: { region_id: regionId }, query: { key: permission } },
    { enabled: !can(permission) },
  )
  return data?.items.length ? <ColleagueList label={t('shell:whoMay.label')} {...data} /> : null
}

/** A label and the names of colleagues, with links to their addresses. */
export function ColleagueList({ label, items, total }: Colleagues & { label: string }) {
  const { t } = useTranslation()
  const remaining = total - items.length
  return (
    <Text component="span" size="sm" display="block">
      {label}{' '}
      {items.map(({ name, email }, index) => (
        <span key={email}>
          {index > 0 ? ', ' : ''}
          <Anchor inherit underline="always" href={`mailto:${email}`}>
            {name}
          </Anchor>
        </span>
      ))}
      {remaining > 0 ? ` ${t('shell:whoMay.others', { count: remaining })}` : ''}
    </Text>
  )
}
