import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { SpatialMode } from '#contract/spatial.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'

interface Props {
  regionId: string
  map: SpatialMode
  /** What is not there yet, or not in what was asked for. */
  lacks: 'layers' | 'facts' | 'matches'
  /** The period of all facts that there are, and how to ask for it; null where it was asked for. */
  held: { period: string; show: () => void } | null
}

/** Why the map shows nothing, and what to do next. */
export function MapEmpty({ regionId, map, lacks, held }: Props) {
  const { t } = useTranslation()
  const texts = lacks === 'facts' ? `facts.${map}` : lacks
  const page = lacks === 'layers' ? 'geographies' : map === 'trips' ? 'trip-files' : 'data-health'
  const action =
    lacks !== 'matches' ? (
      <Button component={Link} to={`/${encodeURIComponent(regionId)}/mobility/${page}`}>
        {t(`evaluation:empty.${texts}.action`)}
      </Button>
    ) : held ? (
      <Button onClick={held.show}>{t('evaluation:empty.matches.action')}</Button>
    ) : null
  const text =
    lacks === 'matches' && held
      ? t('evaluation:empty.matches.held', { period: held.period })
      : t(`evaluation:empty.${texts}.text`)
  return (
    <EmptyState title={t(`evaluation:empty.${texts}.title`)} action={action}>
      {text}
    </EmptyState>
  )
}
