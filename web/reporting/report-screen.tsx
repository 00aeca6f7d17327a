import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { listOperators } from '#contract/operators.ts'
import { scheduledReports } from '#contract/report-schedules.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { useToday } from '#web/filters/use-today.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { readStationSearch } from './bikeshare/station-search.ts'
import { type Dashboard, DashboardScreen } from './dashboard.tsx'
import { MetricRecords } from './metric-records.tsx'
import type { ReportContext, ReportSearch } from './report-search.ts'
import { pageOfReport } from './schedules/schedule-text.ts'
import { SchedulesButton } from './schedules/schedules-button.tsx'
import { toReportFilters } from './schedules/use-filters-text.ts'

interface Props<D> {
  dashboard: (context: ReportContext) => Dashboard<ReportSearch, D>
}

/** A report page of the region. */
export function ReportScreen<D>({ dashboard }: Props<D>) {
  const { i18n } = useTranslation()
  const region = useRegion()
  const operators = useEndpointQuery(listOperators, { query: { region_id: region.regionId } }).data?.items
  const now = useOpenedAt()
  const today = useToday(region.timezone)
  const declared = useMemo(
    () => dashboard({ region, operators, today, at: now, language: i18n.language }),
    [dashboard, region, operators, today, now, i18n.language],
  )
  const scheduled = scheduledReports.find((report) => pageOfReport[report] === declared.page)
  const { search, push } = useSearchState(readStationSearch)
  return (
    <>
      <DashboardScreen
        dashboard={declared}
        actions={
          scheduled ? (
            <SchedulesButton
              report={scheduled}
              pageFilters={toReportFilters(search)}
              regionId={region.regionId}
              timezone={region.timezone}
            />
          ) : undefined
        }
      />
      {search.records ? (
        <MetricRecords
          context={{ region, operators, today, at: now, language: i18n.language }}
          search={search}
          measure={search.records}
          onClose={() => push({ records: undefined })}
        />
      ) : null}
    </>
  )
}
