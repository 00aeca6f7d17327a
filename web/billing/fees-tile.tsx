import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { getFeeSummary } from '#contract/fees.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { type ComparedMetric, toComparison } from '#web/filters/comparison.ts'
import { formatMonth } from '#web/kit/dates/calendar-text.ts'
import { formatMoney } from '#web/kit/format.ts'
import { MetricTile, MetricTilePlaceholder } from '#web/kit/metric-tile.tsx'
import { feesOfMonth, getSameDays } from './fees-of-month.ts'

type Props = { region: Region; today: LocalDay; more: ReactNode } & Pick<ComparedMetric, 'firstDay'>

/** Fees accrued this month, compared with the same days of the previous month and of a year ago. */
export function FeesTile({ region, today, firstDay, more }: Props) {
  const { t, i18n } = useTranslation()
  const now = useEndpointQuery(getFeeSummary, feesOfMonth(region.regionId, today, 0))
  const lastMonth = useEndpointQuery(getFeeSummary, feesOfMonth(region.regionId, today, 1))
  const lastYear = useEndpointQuery(getFeeSummary, feesOfMonth(region.regionId, today, 12))
  const sumAccrued = ({ data }: typeof now): number | undefined =>
    data?.months.length ? data.months.reduce((sum, { accrued }) => sum + Number(accrued), 0) : undefined
  if (!now.data) return now.isError ? null : <MetricTilePlaceholder />
  const value = sumAccrued(now)
  // Cities without fee policies have no tile.
  if (value === undefined) return null
  return (
    <MetricTile
      metric={{
        label: t('billing:tile.title'),
        value,
        format: (amount) => formatMoney(amount, region.currencyCode),
        unit: '',
        definition: t('billing:tile.text'),
        comparisons: [
          { key: 'previous', compared: getSameDays(today, 1), value: sumAccrued(lastMonth) },
          { key: 'lastYear', compared: getSameDays(today, 12), value: sumAccrued(lastYear) },
        ].map((compared) =>
          toComparison({
            ...compared,
            period: getSameDays(today, 0),
            firstDay,
            getName: ({ start_date: month }) =>
              t('billing:tile.sameDays', { month: formatMonth(month, i18n.language, 'short') }),
          }),
        ),
        more,
      }}
    />
  )
}
