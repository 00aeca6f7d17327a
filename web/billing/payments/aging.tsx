import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type AgingRow, getAging } from '#contract/invoice-payments.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatDay } from '#web/kit/dates/day-text.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { Table } from '#web/kit/table/table.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { formatAmount } from '../amounts.ts'
import { readInvoicingSearch } from '../invoicing-search.ts'
import { usePayers } from '../use-payers.ts'
import { StatementDialog } from './statement-dialog.tsx'

const amountKeys = [
  'not_due',
  'days_1_30',
  'days_31_60',
  'days_61_90',
  'days_over_90',
  'overpaid',
  'total',
  'disputed',
] as const

/** Open amounts by operator and days overdue, with a statement of account for each operator. */
export function Aging() {
  const { t, i18n } = useTranslation()
  const { regionId } = useRegion()
  const { search, push } = useSearchState(readInvoicingSearch)
  const { getOperatorName } = usePayers()
  const aging = useEndpointQuery(getAging, { params: { region_id: regionId } }, { staleTime: 0 })
  const columns: TableColumn<AgingRow>[] = [
    column('operator', t('billing:field.operator'), ({ operator }) => getOperatorName(operator), {
      width: 130,
    }),
    ...amountKeys.map((key): TableColumn<AgingRow> =>
      column(key, t(`billing:aging.${key}`), (row) => Number(row[key]), {
        width: 108,
        isNumber: true,
        renderCell: (row) => (Number(row[key]) === 0 ? '–' : formatAmount(row[key], row.currency)),
      }),
    ),
    column('statement', t('billing:statement.title'), () => null, {
      width: 110,
      isActions: true,
      renderCell: ({ operator }) => (
        <Anchor
          component="button"
          type="button"
          size="sm"
          aria-label={t('billing:statement.of', { operator: getOperatorName(operator) })}
          onClick={() => push({ payer: operator })}
        >
          {t('billing:statement.open')}
        </Anchor>
      ),
    }),
  ]
  return (
    <>
      <Loaded
        query={aging}
        isEmpty={({ items }) => items.length === 0}
        empty={<EmptyState title={t('billing:aging.none.title')}>{t('billing:aging.none.text')}</EmptyState>}
      >
        {({ items, date }) => (
          <>
            <Text size="sm" c="dimmed" mb="sm">
              {t('billing:aging.text', { date: formatDay(date, i18n.language) })}
            </Text>
            <Table
              label={t('billing:tabs.aging')}
              rows={items}
              columns={columns}
              rowKey={({ operator, currency }) => `${operator} ${currency}`}
              defaultSort="-total"
              isWrapped
              fileName={`aging-${regionId}-${date}`}
            />
          </>
        )}
      </Loaded>
      {search.payer !== undefined && aging.data ? (
        <StatementDialog
          operator={search.payer}
          name={getOperatorName(search.payer)}
          today={aging.data.date}
          onClose={() => push({ payer: undefined })}
        />
      ) : null}
    </>
  )
}
