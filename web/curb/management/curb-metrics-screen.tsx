import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { localDay } from '#contract/period.ts'
import { DashboardScreen } from '#web/reporting/dashboard.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { curbMetrics } from './curb-metrics.tsx'

/** Metrics of smart zones. */
export function CurbMetricsScreen() {
  const { i18n } = useTranslation()
  const region = useRegion()
  const [now] = useState(() => Date.now())
  const today = localDay(new Date(now), region.timezone)
  const dashboard = useMemo(
    () => curbMetrics({ region, today, language: i18n.language }),
    [region, today, i18n.language],
  )
  return <DashboardScreen dashboard={dashboard} />
}
