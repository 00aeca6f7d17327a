import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { LocalDay } from '#contract/period.ts'
import { chosenPeriod } from '#web/evaluation/period-presets.ts'
import { periodText } from '#web/evaluation/period-text.ts'
import { IssuesEmpty } from './issues-empty.tsx'
import type { IssuesSearch } from './issues-search.ts'
import type { useIssues } from './use-issues.ts'

interface Given {
  regionId: string
  search: IssuesSearch
  change: (part: Partial<IssuesSearch>) => void
  issues: Pick<
    ReturnType<typeof useIssues>,
    'types' | 'points' | 'byShape' | 'before' | 'isMissing' | 'layers' | 'options'
  >
  today: LocalDay
}

/** What is said where the map has nothing to show; null while it has, or is not known yet. */
export function useNothingShown({
  regionId,
  search,
  change,
  issues: { types, points, byShape, before, isMissing, layers, options },
  today,
}: Given): ReactNode {
  const { i18n } = useTranslation()
  const total =
    search.show === 'shapes' ? byShape && byShape.total.count + (before?.total.count ?? 0) : points?.total
  const lacks =
    types?.items.length === 0
      ? 'issues'
      : search.show === 'shapes' && layers && options.length === 0
        ? 'layers'
        : total === 0 || isMissing
          ? 'matches'
          : null
  if (lacks === null) return null
  const [first, last] = [types?.first_day, types?.last_day]
  const { start_date, end_date } = chosenPeriod(search, today)
  const isWhole = !first || !last || (start_date <= first && end_date >= last)
  const held = isWhole
    ? null
    : {
        period: periodText({ start_date: first, end_date: last }, i18n.language),
        show: () => change({ period: undefined, startDate: first, endDate: last, page: undefined }),
      }
  return <IssuesEmpty regionId={regionId} lacks={lacks} held={held} />
}
