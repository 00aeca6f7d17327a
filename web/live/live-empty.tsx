import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { useMe } from '#web/shell/me.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { PermissionHolders } from '#web/shell/permission-holders.tsx'

interface Props {
  /** What is missing: any vehicles, those that match the filters or, without filters, those in the right of way. */
  lacks: 'vehicles' | 'matches' | 'away'
  /** Clears the filters; for `away`, shows vehicles in all states. */
  onClear: () => void
}

/** Why the live map is empty, and what to do next. */
export function LiveEmpty({ lacks, onClear }: Props) {
  const { t } = useTranslation()
  const { can } = useMe()
  const { regionId } = useRegion()
  if (lacks !== 'vehicles') {
    const textKey = `live:${lacks === 'matches' ? 'nothing' : 'away'}` as const
    return (
      <EmptyState
        title={t(`${textKey}.title`)}
        action={<Button onClick={onClear}>{t(`${textKey}.action`)}</Button>}
      >
        {t(`${textKey}.text`)}
      </EmptyState>
    )
  }
  const isAdmin = can('is_admin')
  return (
    <EmptyState
      title={t('live:empty.title')}
      action={
        isAdmin ? (
          <Button component={Link} to="/admin/operators">
            {t('live:empty.action')}
          </Button>
        ) : null
      }
    >
      {t(isAdmin ? 'live:empty.admin' : 'live:empty.others')}
      <PermissionHolders regionId={regionId} permission="is_admin" />
    </EmptyState>
  )
}
