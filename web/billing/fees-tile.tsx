import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { getFeeSummary } from '#contract/fees.ts'
import { type LocalDay, startOfMonth } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatMoney } from '#web/kit/format.ts'
import { MetricTile, MetricTilePlaceholder } from '#web/kit/metric-tile.tsx'
import { monthText } from './fee-summary.tsx'
import { feesOfMonth } from './fees-of-month.ts'

/** Fees accrued this month, compared with the same days of the previous month and of a year ago. */
export function FeesTile({ region, today, more }: { region: Region; today: LocalDay; more: ReactNode }) {
  const { t, i18n } = useTranslation()
  const [now, before, lastYear] = [
    useEndpointQuery(getFeeSummary, feesOfMonth(region.regionId, today, 0)),
    useEndpointQuery(getFeeSummary, feesOfMonth(region.regionId, today, 1)),
    useEndpointQuery(getFeeSummary, feesOfMonth(region.regionId, today, 12)),
  ]
  const toApiAmount = ({ data }: typeof now): number | undefined =>
    data?.months.length ? data.months.reduce((sum, { accrued }) => sum + Number(accrued), 0) : undefined
  if (!now.data) return now.isError ? null : <MetricTilePlaceholder />
  const value = toApiAmount(now)
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
          {
            key: 'previous',
            name: t('billing:tile.sameDays', { month: monthText(startOfMonth(today, 1), i18n.language) }),
            value: toApiAmount(before),
          },
          {
            key: 'lastYear',
            name: t('billing:tile.sameDays', { month: monthText(startOfMonth(today, 12), i18n.language) }),
            value: toApiAmount(lastYear),
          },
        ],
        more,
      }}
    />
  )
}
