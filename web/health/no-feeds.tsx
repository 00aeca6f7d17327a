import { Button } from '@mantine/core'
import { IconHeartRateMonitor } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { useMe } from '#web/shell/me.tsx'

/** A region without feeds: what to do next, for who may do it. */
export function NoFeeds() {
  const { t } = useTranslation()
  const { can } = useMe()
  const isAdmin = can('is_admin')
  return (
    <EmptyState
      title={t('health:empty.title')}
      icon={<IconHeartRateMonitor />}
      action={
        isAdmin ? (
          <Button component={Link} to="/admin/operators">
            {t('health:empty.admin')}
          </Button>
        ) : null
      }
    >
      {t('health:empty.text')} {isAdmin ? null : t('health:empty.others')}
    </EmptyState>
  )
}
