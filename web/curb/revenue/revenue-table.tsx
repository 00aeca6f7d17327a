import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { getFullCurbRevenue, type RevenueKind, type RevenueRow } from '#contract/curb-revenue.ts'
import type { LocalDay } from '#contract/period.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatMonth } from '#web/kit/dates/calendar-text.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { formatInteger, formatMoney } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { column } from '#web/kit/table/table-column.ts'
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
            column('month', t('curb:revenue.month'), ({ month }) => month, {
              width: 110,
              renderCell: ({ month }) => formatMonth(month, i18n.language, 'short'),
            }),
            column('kind', t('curb:revenue.kind'), ({ kind }) => t(`curb:revenue.kinds.${kind}`), {
              width: 140,
            }),
            column('zone', t('curb:revenue.zone'), (row) => row.zone_name || null),
            column('policy', t('curb:revenue.policy'), (row) => row.policy_name || null),
            column('payer', t('curb:revenue.payer'), (row) => row.payer_name || null),
            column('quantity', t('curb:revenue.quantity'), ({ quantity }) => quantity, {
              width: 110,
              isNumber: true,
              renderCell: ({ quantity }) => formatInteger(quantity),
            }),
            column(
              'amount',
              t('curb:revenue.amount'),
              ({ amount }) => (amount === null ? null : Number(amount)),
              {
                width: 130,
                isNumber: true,
                renderCell: ({ amount }) =>
                  amount === null ? t('kit:notAvailable') : formatMoney(Number(amount), currency),
              },
            ),
          ]}
          // Amounts have up to three decimals; sums of integers have no rounding errors.
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
