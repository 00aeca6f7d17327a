import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useMe } from '#web/shell/me.tsx'
import { pagePath } from '#web/shell/pages.ts'
import { PermissionHolders } from '#web/shell/permission-holders.tsx'
import type { AxisExtra } from '../by-shape/map-search.ts'

/** How to add weather or 311 issues: links for administrators, a contact for others. */
export function AddDataHint({ regionId, extra }: { regionId: string; extra: AxisExtra }) {
  const { t } = useTranslation()
  const { can } = useMe()
  if (!can('is_admin'))
    return (
      <span>
        {t(`evaluation:add.others.${extra}`)} <PermissionHolders regionId={regionId} permission="is_admin" />
      </span>
    )
  return (
    <span>
      {t(`evaluation:add.admin.${extra}`)}{' '}
      <Anchor inherit component={Link} to="/admin/operators">
        {t('shell:pages.operators')}
      </Anchor>
      {' · '}
      <Anchor inherit component={Link} to={pagePath(regionId, 'tripFiles')}>
        {t('evaluation:add.files')}
      </Anchor>
    </span>
  )
}
