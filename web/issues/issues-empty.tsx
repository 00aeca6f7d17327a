import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { useMe } from '#web/shell/me.tsx'
import { addressIn } from '#web/shell/pages.ts'

interface Props {
  regionId: string
  /** No issue at all, none that the filters let through, or no layer to lay them into. */
  lacks: 'issues' | 'matches' | 'layers'
  /** Days of which there are issues, and how to show them; null where the question reaches over all of them. */
  held: { period: string; show: () => void } | null
}

/** Why the 311 map shows nothing, and what to do next. */
export function IssuesEmpty({ regionId, lacks, held }: Props) {
  const { t } = useTranslation()
  const { can } = useMe()
  if (lacks === 'layers')
    return (
      <EmptyState
        title={t('evaluation:empty.layers.title')}
        action={
          <Button component={Link} to={addressIn(regionId, 'geographies')}>
            {t('evaluation:empty.layers.action')}
          </Button>
        }
      >
        {t('evaluation:empty.layers.text')}
      </EmptyState>
    )
  if (lacks === 'matches')
    return (
      <EmptyState
        title={t('issues:empty.matches.title')}
        action={held ? <Button onClick={held.show}>{t('issues:empty.matches.action')}</Button> : null}
      >
        {held ? t('issues:empty.matches.held', { period: held.period }) : t('issues:empty.matches.text')}
      </EmptyState>
    )
  const isAdmin = can('is_admin')
  const links = (
    <Group gap="sm" justify="center">
      <Button component={Link} to="/admin/operators">
        {t('issues:empty.issues.feeds')}
      </Button>
      <Button component={Link} to={addressIn(regionId, 'tripFiles')} variant="default">
        {t('issues:empty.issues.files')}
      </Button>
    </Group>
  )
  return (
    <EmptyState title={t('issues:empty.issues.title')} action={isAdmin ? links : null}>
      {t(isAdmin ? 'issues:empty.issues.admin' : 'issues:empty.issues.others')}
    </EmptyState>
  )
}
