import { Select, Text, Title } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CountComparison, listOperatorCounts, type OperatorCount } from '#contract/invoice-counts.ts'
import type { Invoice } from '#contract/invoices.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatDateTime } from '#web/kit/format.ts'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { Table } from '#web/kit/table/table.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { formatAmount, formatQuantity } from '../amounts.ts'
import styles from '../billing.module.css'
import { formatLine, formatUnit } from './line-text.ts'

/** The operator's own figures beside the lines of the invoice; empty until a user enters them. */
export function OperatorCounts({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation()
  const { regionId, timezone } = useRegion()
  const [selectedId, setSelectedId] = useState<string | null>(null)
  const counts = useEndpointQuery(
    listOperatorCounts,
    { params: { region_id: regionId, invoice_id: invoice.invoice_id } },
    { enabled: invoice.kind === 'invoice' },
  )
  const items = counts.data?.items ?? []
  const shownCount = items.find((item) => item.count_id === selectedId) ?? items[0]
  if (counts.error) return <FailedState error={counts.error} onRetry={() => void counts.refetch()} />
  if (!shownCount) return null
  const getCountLabel = (count: OperatorCount): string =>
    t(count.file_name === null ? 'billing:count.entered' : 'billing:count.enteredFile', {
      by: count.by || t(count.is_operator ? 'billing:count.byOperator' : 'billing:count.byCity'),
      time: formatDateTime(count.at, timezone),
      file: count.file_name,
      interpolation: { escapeValue: false },
    })
  return (
    <section>
      <Title order={2} mb="sm">
        {t('billing:count.title')}
      </Title>
      {items.length > 1 ? (
        <Select
          label={t('billing:count.which')}
          mb="sm"
          maw={560}
          allowDeselect={false}
          data={items.map((count) => ({ value: count.count_id, label: getCountLabel(count) }))}
          value={shownCount.count_id}
          onChange={setSelectedId}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {getCountLabel(shownCount)}
        </Text>
      )}
      <Text size="sm" mb="sm">
        {formatOutcome(t, shownCount, invoice.currency)}
      </Text>
      <Table
        label={t('billing:count.table')}
        rows={shownCount.comparison}
        rowKey={({ lines }) => lines.join()}
        columns={getColumns(t, invoice)}
        isWrapped
        hasTools={false}
        maxHeight="none"
        fileName={`${invoice.number ?? 'invoice'}-operators-count`}
      />
    </section>
  )
}

/** Formats whether the operator's figures match the invoice, and the sums if they do not. */
function formatOutcome(t: TFunction, count: OperatorCount, currency: string): string {
  if (count.is_equal) return t('billing:count.equal')
  const missing = count.comparison.filter(({ row }) => row === null).length
  const differenceCount = count.comparison.filter(
    ({ row, is_equal: isEqual }) => row !== null && !isEqual,
  ).length
  const differences = [
    t('billing:count.differ', { count: differenceCount }),
    ...(missing ? [t('billing:count.missing', { count: missing })] : []),
  ]
  const sum = t('billing:count.sum', {
    counted: formatAmount(count.counted, currency),
    invoiced: formatAmount(count.invoiced, currency),
    difference: formatAmount(count.difference, currency),
  })
  return `${differences.join(', ')}. ${sum}`
}

type FigureKey = 'invoiced' | 'counted' | 'difference'

/** Returns the columns: the line, then quantity and amount as invoiced, as counted, and their difference. */
function getColumns(t: TFunction, invoice: Invoice): TableColumn<CountComparison>[] {
  const { currency } = invoice
  const formatLines = ({ lines }: CountComparison): string => lines.join(', ')
  const describe = ({ lines, fee }: CountComparison): string => {
    const line = invoice.lines.find(({ line: number }) => number === lines[0])
    return line && lines.length === 1 ? formatLine(t, line) : fee
  }
  const quantityColumn = (key: FigureKey, title: string, width: number) =>
    column(`${key}_quantity`, title, (row: CountComparison) => toNumber(row[key].quantity), {
      isNumber: true,
      width,
      renderCell: (row: CountComparison) => {
        const text = row[key].quantity
        return text === null ? '–' : markDifference(row, key, formatQuantity(text))
      },
    })
  const amountColumn = (key: FigureKey, title: string) =>
    column(`${key}_amount`, title, (row: CountComparison) => toNumber(row[key].amount), {
      isNumber: true,
      width: 130,
      renderCell: (row: CountComparison) => {
        const text = row[key].amount
        return text === null ? '–' : markDifference(row, key, formatAmount(text, currency))
      },
    })
  return [
    column('fee', t('billing:field.description'), (row) => `${formatLines(row)}. ${describe(row)}`, {
      renderCell: (row) => (
        <>
          {formatLines(row)}. {describe(row)}
          {row.row === null ? (
            <span className={styles['sub']}>{t('billing:count.notCounted')}</span>
          ) : row.unit ? (
            <span className={styles['sub']}>{formatUnit(t, row.unit)}</span>
          ) : null}
        </>
      ),
    }),
    quantityColumn('invoiced', t('billing:count.invoicedQuantity'), 175),
    quantityColumn('counted', t('billing:count.countedQuantity'), 140),
    quantityColumn('difference', t('billing:count.quantityDifference'), 125),
    amountColumn('invoiced', t('billing:count.invoicedAmount')),
    amountColumn('counted', t('billing:count.countedAmount')),
    amountColumn('difference', t('billing:count.amountDifference')),
  ]
}

const toNumber = (text: string | null): number | null => (text === null ? null : Number(text))

/** Highlights a difference unless it is 0; other figures are returned as they are. */
const markDifference = (row: CountComparison, key: FigureKey, text: string) => {
  if (key !== 'difference') return text
  // Rounded to 0: the text has no digit but 0.
  const isZero = row.is_equal || !/[1-9]/.test(text)
  return <span className={isZero ? undefined : styles['differs']}>{text}</span>
}
