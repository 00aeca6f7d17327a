import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useOpenedAt } from '#web/data/clock.ts'
import { useToday } from '#web/filters/use-today.ts'
import { DashboardScreen } from '#web/reporting/dashboard.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { occupancyDashboard } from './occupancy-dashboard.tsx'
import { toOccupancyQuery, readOccupancySearch } from './occupancy-search.ts'

/** Occupancy of the curb over a period. */
export function OccupancyScreen() {
  const { i18n } = useTranslation()
  const region = useRegion()
  const at = useOpenedAt()
  const today = useToday(region.timezone)
  const { search, replace } = useSearchState(readOccupancySearch)
  // The query remains the same object while only the hour of the map or the state of the table changes.
  const queryString = JSON.stringify(toOccupancyQuery(search, today))
  const query = useMemo(() => JSON.parse(queryString) as ReturnType<typeof toOccupancyQuery>, [queryString])
  const dashboard = useMemo(
    () => occupancyDashboard({ region, today, language: i18n.language, at, search, query, change: replace }),
    [region, today, i18n.language, at, search, query, replace],
  )
  return <DashboardScreen dashboard={dashboard} />
}
