import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { getFullCurbRevenue, type RevenueKind, type RevenueRow } from '#contract/curb-revenue.ts'
import type { LocalDay } from '#contract/period.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { formatInteger, formatMoney } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { useRegion } from '#web/shell/region.tsx'

interface Props {
  filter: { start_date: LocalDay; end_date: LocalDay; kinds?: RevenueKind[]; payers?: string[] }
}

/** Revenue by month, zone, policy and payer. */
export function RevenueTable({ filter }: Props) {
  const { t, i18n } = useTranslation()
  const { regionId } = useRegion()
  const rows = useEndpointQuery(getFullCurbRevenue, { params: { region_id: regionId }, query: filter })
  const monthText = (month: LocalDay): string =>
    new Intl.DateTimeFormat(i18n.language, { month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
      new Date(month),
    )
  return (
    <Loaded
      query={rows}
      skeleton={<Skeleton height={320} />}
      isEmpty={({ items }) => items.length === 0}
      empty={<EmptyState title={t('curb:revenue.none')}>{t('curb:revenue.noneText')}</EmptyState>}
    >
      {({ items, currency }) => (
        <Table<RevenueRow>
          label={t('curb:revenue.rows')}
          rows={items}
          rowKey={(row) =>
            [row.kind, row.month, row.curb_zone_id, row.curb_policy_id, row.policy_name, row.payer].join(' ')
          }
          defaultSort="-month"
          pageSize={50}
          fileName="fees-and-revenue"
          columns={[
            {
              key: 'month',
              title: t('curb:revenue.month'),
              width: 110,
              value: ({ month }) => month,
              renderCell: ({ month }) => monthText(month),
            },
            {
              key: 'kind',
              title: t('curb:revenue.kind'),
              width: 140,
              value: ({ kind }) => t(`curb:revenue.kinds.${kind}`),
            },
            { key: 'zone', title: t('curb:revenue.zone'), value: ({ zone_name: name }) => name || null },
            {
              key: 'policy',
              title: t('curb:revenue.policy'),
              value: ({ policy_name: name }) => name || null,
            },
            { key: 'payer', title: t('curb:revenue.payer'), value: ({ payer_name: name }) => name || null },
            {
              key: 'quantity',
              title: t('curb:revenue.quantity'),
              width: 110,
              isNumber: true,
              value: ({ quantity }) => quantity,
              renderCell: ({ quantity }) => formatInteger(quantity),
            },
            {
              key: 'amount',
              title: t('curb:revenue.amount'),
              width: 130,
              isNumber: true,
              value: ({ amount }) => (amount === null ? null : Number(amount)),
              renderCell: ({ amount }) =>
                amount === null ? t('kit:notAvailable') : formatMoney(Number(amount), currency),
            },
          ]}
          totals={{
            month: t('curb:revenue.total'),
            amount: formatMoney(
              items.reduce((sum, { amount }) => sum + Math.round(Number(amount ?? 0) * 1000), 0) / 1000,
              currency,
            ),
          }}
        />
      )}
    </Loaded>
  )
}
