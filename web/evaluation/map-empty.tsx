import { Button } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { askSpatial, type SpatialMode } from '#contract/spatial.ts'
import { endpointQuery } from '#web/data/query.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import type { MapQuestion } from '#web/map-page/by-shape/map-mode.ts'
import type { MapSearch } from '#web/map-page/by-shape/map-search.ts'

/** A filter that is set: its label, what it is without it, and how it is cleared. */
interface SetFilter {
  /** Null for all filters together. */
  label: string | null
  question: Partial<MapQuestion>
  clear: Partial<MapSearch>
}

/** The filters of a map that can leave no results, in the order of its panel. */
const setFilters = (search: MapSearch, question: MapQuestion): SetFilter[] => {
  const each = (isSet: unknown, filter: SetFilter): SetFilter[] => (isSet ? [filter] : [])
  return [
    ...each(question.shape_filter, {
      label: 'filters:shape.label',
      question: { shape_filter: null },
      clear: { filter_by_shape: undefined },
    }),
    ...each(search.days, { label: 'filters:weekdays', question: { days: [] }, clear: { days: undefined } }),
    ...each(search.hours, {
      label: 'filters:hours.label',
      question: { hour_filters: [0, 23] },
      clear: { hours: undefined },
    }),
    ...each(search.parked_duration, {
      label: 'evaluation:parked.label',
      question: { parked_duration: 0 },
      clear: { parked_duration: undefined },
    }),
    ...each(search.operators, {
      label: 'filters:operators.label',
      question: { operators: [] },
      clear: { operators: undefined },
    }),
    ...each(search.vehicle_types, {
      label: 'filters:vehicleType.label',
      question: { vehicle_types: [] },
      clear: { vehicle_types: undefined },
    }),
  ]
}

/** The first filter without which there would be results, else all of them. Asked only where there are none. */
function useEmptyingFilter(
  isEmpty: boolean,
  regionId: string,
  search: MapSearch,
  question: MapQuestion,
): SetFilter | null {
  const single = isEmpty ? setFilters(search, question) : []
  const together: SetFilter = {
    label: null,
    question: Object.assign({}, ...single.map((filter) => filter.question)) as Partial<MapQuestion>,
    clear: Object.assign({}, ...single.map((filter) => filter.clear)) as Partial<MapSearch>,
  }
  const filters = single.length > 1 ? [...single, together] : single
  const answers = useQueries({
    queries: filters.map((filter) =>
      endpointQuery(askSpatial, {
        params: { region_id: regionId },
        body: { ...question, ...filter.question },
      }),
    ),
  })
  return filters.find((_, at) => answers[at]?.data?.total) ?? null
}

interface Props {
  regionId: string
  map: SpatialMode
  /** What is missing, or that nothing matches the filters. */
  lacks: 'layers' | 'facts' | 'matches'
  /** The period of all facts, and how to show it; null if it is shown. */
  held: { period: string; show: () => void } | null
  search: MapSearch
  change: (part: Partial<MapSearch>) => void
  question: MapQuestion
}

/** Why the map shows nothing, and what to do next. */
export function MapEmpty({ regionId, map, lacks, held, search, change, question }: Props) {
  const { t } = useTranslation()
  const filter = useEmptyingFilter(lacks === 'matches', regionId, search, question)
  const texts = lacks === 'facts' ? `facts.${map}` : lacks
  const page = lacks === 'layers' ? 'geographies' : map === 'trips' ? 'trip-files' : 'data-health'
  if (filter)
    return (
      <EmptyState
        title={t('evaluation:empty.matches.title')}
        action={
          <Button onClick={() => change(filter.clear)}>
            {filter.label === null
              ? t('evaluation:empty.matches.clearAll')
              : t('evaluation:empty.matches.clear', { filter: t(filter.label) })}
          </Button>
        }
      >
        {filter.label === null
          ? t('evaluation:empty.matches.together')
          : t('evaluation:empty.matches.filter', { filter: t(filter.label) })}
      </EmptyState>
    )
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
