import { Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getStatement, type StatementEntry } from '#contract/invoice-payments.ts'
import type { LocalDay } from '#contract/period.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { DateRangePicker } from '#web/kit/dates/date-range-picker.tsx'
import { formatDay } from '#web/kit/dates/day-text.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { Table } from '#web/kit/table/table.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { formatAmount } from '../amounts.ts'
import styles from '../billing.module.css'
import { invoiceAddress } from '../invoice-columns.tsx'

interface Props {
  operator: string
  name: string
  today: LocalDay
  onClose: () => void
}

/** Statement of account of an operator: invoices, credit notes and payments with the balance. */
export function StatementDialog({ operator, name, today, onClose }: Props) {
  const { t, i18n } = useTranslation()
  const { regionId } = useRegion()
  const [range, setRange] = useState({ from: `${today.slice(0, 4)}-01-01`, to: today })
  const statement = useEndpointQuery(
    getStatement,
    { params: { region_id: regionId, operator }, query: { start_date: range.from, end_date: range.to } },
    { staleTime: 0 },
  )
  const createAmountColumn = (key: 'amount' | 'balance'): TableColumn<StatementEntry> =>
    column(
      key,
      t(`billing:${key === 'amount' ? 'field' : 'statement'}.${key}`),
      (entry) => Number(entry[key]),
      {
        width: 120,
        isNumber: true,
        canSort: false,
        renderCell: (entry) => formatAmount(entry[key], entry.currency),
      },
    )
  const columns: TableColumn<StatementEntry>[] = [
    column('date', t('billing:payments.date'), ({ date }) => date, {
      width: 105,
      canSort: false,
      renderCell: ({ date }) => formatDay(date, i18n.language),
    }),
    column('kind', t('billing:field.kind'), ({ kind }) => t(`billing:statement.kind.${kind}`), {
      width: 110,
      canSort: false,
    }),
    column('number', t('billing:field.number'), ({ number }) => number, {
      width: 190,
      canSort: false,
      renderCell: ({ number, reference, invoice_id: id }) => (
        <>
          <Link className={styles['link']} to={invoiceAddress(regionId, id) as never}>
            {number}
          </Link>
          {reference ? <span className={styles['sub']}>{reference}</span> : null}
        </>
      ),
    }),
    createAmountColumn('amount'),
    createAmountColumn('balance'),
  ]
  return (
    <Dialog title={t('billing:statement.of', { operator: name })} size={820} onClose={onClose}>
      <Stack gap="md">
        <DateRangePicker
          label={t('billing:field.period')}
          range={range}
          today={today}
          requireDates
          onChange={({ from, to }) => from !== null && to !== null && setRange({ from, to })}
        />
        <Loaded query={statement}>
          {({ entries, balances }) => (
            <Stack gap="sm">
              {balances.map(({ currency, opening, closing }) => (
                <Text key={currency}>
                  {t('billing:statement.balances', {
                    opening: formatAmount(opening, currency),
                    closing: formatAmount(closing, currency),
                  })}
                </Text>
              ))}
              {entries.length ? (
                <Table
                  label={t('billing:statement.of', { operator: name })}
                  rows={entries}
                  columns={columns}
                  rowKey={({ kind, number, date, balance }) => `${kind} ${number} ${date} ${balance}`}
                  maxHeight={360}
                  isWrapped
                  fileName={`statement-${operator}-${range.from}-${range.to}`}
                />
              ) : (
                <EmptyState title={t('billing:statement.none.title')}>
                  {t('billing:statement.none.text')}
                </EmptyState>
              )}
            </Stack>
          )}
        </Loaded>
      </Stack>
    </Dialog>
  )
}
