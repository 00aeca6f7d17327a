import { useComputedColorScheme } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useToday } from '#web/filters/use-today.ts'
import { DashboardScreen } from '#web/reporting/dashboard.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { curbAllocation } from './curb-allocation.tsx'

/** How the curb is allocated, by hour of the week. */
export function CurbAllocationScreen() {
  const { i18n } = useTranslation()
  const region = useRegion()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const today = useToday(region.timezone)
  const dashboard = useMemo(
    () => curbAllocation({ region, today, language: i18n.language, scheme }),
    [region, today, i18n.language, scheme],
  )
  return <DashboardScreen dashboard={dashboard} />
}
