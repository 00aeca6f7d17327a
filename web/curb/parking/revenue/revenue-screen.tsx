import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { getTransactionDateRange } from '#contract/curb-payments.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { useToday } from '#web/filters/use-today.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { DashboardScreen } from '#web/reporting/dashboard.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { getPaymentPeriod } from '../payment-period.ts'
import { parkingRevenue } from './revenue.tsx'

/** Revenue of parking payments. */
export function ParkingRevenueScreen() {
  const { regionId } = useRegion()
  const now = useOpenedAt()
  const range = useEndpointQuery(getTransactionDateRange, { params: { region_id: regionId } })
  return (
    <Loaded query={range} dim={false}>
      {({ end_date: lastDay }) => <Revenue now={now} lastDay={lastDay} />}
    </Loaded>
  )
}

function Revenue({ now, lastDay }: { now: number; lastDay: string | null }) {
  const { i18n } = useTranslation()
  const region = useRegion()
  const today = useToday(region.timezone)
  const dashboard = useMemo(
    () =>
      parkingRevenue({
        region,
        today,
        getDefaultPeriod: getPaymentPeriod(lastDay),
        language: i18n.language,
        at: now,
      }),
    [region, today, lastDay, i18n.language, now],
  )
  return <DashboardScreen dashboard={dashboard} />
}
