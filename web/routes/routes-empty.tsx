import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { pagePath } from '#web/shell/pages.ts'

interface Props {
  regionId: string
  /** No layer of streets, no way of any trip, or none that the filters let through. */
  lacks: 'streets' | 'ways' | 'matches'
  /** Days that have ways, and how to show them; null where the question reaches over all of them. */
  held: { period: string; show: () => void } | null
}

/** Why the routes map shows nothing, and what to do next. */
export function RoutesEmpty({ regionId, lacks, held }: Props) {
  const { t } = useTranslation()
  const action =
    lacks === 'streets' ? (
      <Button component={Link} to={pagePath(regionId, 'geographies')}>
        {t('routes:empty.streets.action')}
      </Button>
    ) : lacks === 'matches' && held ? (
      <Button onClick={held.show}>{t('routes:empty.matches.action', { period: held.period })}</Button>
    ) : null
  return (
    <EmptyState title={t(`routes:empty.${lacks}.title`)} action={action}>
      {t(`routes:empty.${lacks}.text`)}
    </EmptyState>
  )
}
