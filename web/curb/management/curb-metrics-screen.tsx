import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listCurbViolations } from '#contract/curb-sessions.ts'
import { useToday } from '#web/filters/use-today.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { selectedPeriod } from '#web/filters/period.ts'
import { DashboardScreen } from '#web/reporting/dashboard.tsx'
import { useMe } from '#web/shell/me.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { CdsTokensDialog } from './cds-tokens-dialog.tsx'
import { curbMetrics } from './curb-metrics.tsx'
import { readCurbSearch } from './curb-report.ts'

/** Metrics of smart zones. */
export function CurbMetricsScreen() {
  const { t, i18n } = useTranslation()
  const { can } = useMe()
  const region = useRegion()
  const [isTokensDialogOpen, setIsTokensDialogOpen] = useState(false)
  const today = useToday(region.timezone)
  const { search } = useSearchState(readCurbSearch)
  const violations =
    useEndpointQuery(
      listCurbViolations,
      { params: { region_id: region.regionId }, query: selectedPeriod(search, today) },
      { placeholderData: keepPreviousData },
    ).data ?? null
  const dashboard = useMemo(
    () => curbMetrics({ region, today, language: i18n.language }, violations),
    [region, today, i18n.language, violations],
  )
  return (
    <>
      <DashboardScreen
        dashboard={dashboard}
        actions={
          can('is_admin') ? (
            <Button
              variant="default"
              leftSection={<IconKey size={18} />}
              onClick={() => setIsTokensDialogOpen(true)}
            >
              {t('curb:tokens.title')}
            </Button>
          ) : null
        }
      />
      {isTokensDialogOpen ? <CdsTokensDialog onClose={() => setIsTokensDialogOpen(false)} /> : null}
    </>
  )
}
