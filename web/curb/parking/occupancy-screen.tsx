import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useOpenedAt } from '#web/data/clock.ts'
import { useToday } from '#web/filters/use-today.ts'
import { DashboardScreen } from '#web/reporting/dashboard.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { occupancyDashboard } from './occupancy-dashboard.tsx'
import { occupancyQuery, readOccupancySearch } from './occupancy-search.ts'

/** Occupancy of the curb over a period. */
export function OccupancyScreen() {
  const { i18n } = useTranslation()
  const region = useRegion()
  const at = useOpenedAt()
  const today = useToday(region.timezone)
  const { search, replace } = useSearchState(readOccupancySearch)
  // The hour of the map and the state of the table are not part of the question.
  const queryString = JSON.stringify(occupancyQuery(search, today))
  const query = useMemo(() => JSON.parse(queryString) as ReturnType<typeof occupancyQuery>, [queryString])
  const dashboard = useMemo(
    () => occupancyDashboard({ region, today, language: i18n.language, at, search, query, change: replace }),
    [region, today, i18n.language, at, search, query, replace],
  )
  return <DashboardScreen dashboard={dashboard} />
}
