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
import { MetricRecordsDialog } from './metric-records-dialog.tsx'
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
  const operatorsQuery = useEndpointQuery(listOperators, { query: { region_id: region.regionId } })
  const operators = operatorsQuery.data?.items
  const operatorsError = operatorsQuery.error?.message
  const now = useOpenedAt()
  const today = useToday(region.timezone)
  const context = useMemo(
    () => ({ region, operators, operatorsError, today, at: now, language: i18n.language }),
    [region, operators, operatorsError, today, now, i18n.language],
  )
  const declaredDashboard = useMemo(() => dashboard(context), [dashboard, context])
  const scheduledReport = scheduledReports.find((report) => pageOfReport[report] === declaredDashboard.page)
  const { search, push } = useSearchState(readStationSearch)
  return (
    <>
      <DashboardScreen
        dashboard={declaredDashboard}
        actions={
          scheduledReport ? (
            <SchedulesButton
              report={scheduledReport}
              pageFilters={toReportFilters(search)}
              regionId={region.regionId}
              timezone={region.timezone}
            />
          ) : undefined
        }
      />
      {search.records ? (
        <MetricRecordsDialog
          context={context}
          search={search}
          measure={search.records}
          onClose={() => push({ records: undefined })}
        />
      ) : null}
    </>
  )
}
