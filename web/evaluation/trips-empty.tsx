import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/kit/empty-state.tsx'

interface Props {
  regionId: string
  /** What is not there yet, or not in what was asked for. */
  lacks: 'layers' | 'trips' | 'matches'
  /** The period of all trips that there are, and how to ask for it; null where it was asked for. */
  held: { period: string; show: () => void } | null
}

const pages = { layers: 'geographies', trips: 'trip-files' } as const

/** Why the map shows nothing, and what to do next. */
export function TripsEmpty({ regionId, lacks, held }: Props) {
  const { t } = useTranslation()
  const action =
    lacks !== 'matches' ? (
      <Button component={Link} to={`/${encodeURIComponent(regionId)}/mobility/${pages[lacks]}`}>{t(`evaluation:empty.${lacks}.action`)}</Button>
    ) : held ? (
      <Button onClick={held.show}>{t('evaluation:empty.matches.action')}</Button>
    ) : null
  const text = lacks === 'matches' && held ? t('evaluation:empty.matches.held', { period: held.period }) : t(`evaluation:empty.${lacks}.text`)
  return (
    <EmptyState title={t(`evaluation:empty.${lacks}.title`)} action={action}>
      {text}
    </EmptyState>
  )
}
