import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import type { InvoiceSummary } from '#contract/invoices.ts'
import { formatPeriod } from '#web/filters/period.ts'
import { Badge } from '#web/kit/badge.tsx'
import { formatDay } from '#web/kit/dates/day-text.ts'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { pagePath } from '#web/shell/pages.ts'
import { formatAmount } from './amounts.ts'
import styles from './billing.module.css'
import { StatusBadge } from './status-badge.tsx'

/** Returns the path of the page of an invoice. */
export const invoiceAddress = (regionId: string, invoiceId: string): string =>
  `${pagePath(regionId, 'invoicing')}/${invoiceId}`

/** Formats the name of an invoice: its number, or that it is a draft. */
export const invoiceName = (
  t: TFunction,
  { number, kind }: Pick<InvoiceSummary, 'number' | 'kind'>,
): string => number ?? t(`billing:draftOf.${kind}`)

interface ColumnContext {
  t: TFunction
  language: string
  regionId: string
  getOperatorName: (slug: string) => string
}

export function getInvoiceColumns({
  t,
  language,
  regionId,
  getOperatorName,
}: ColumnContext): TableColumn<InvoiceSummary>[] {
  const dayColumn = (key: 'issue_date' | 'due_date', width: number): TableColumn<InvoiceSummary> =>
    column(key, t(`billing:field.${key}`), (row) => row[key], {
      width,
      renderCell: (row) => {
        const day = row[key]
        return day === null ? '–' : formatDay(day, language)
      },
    })
  const amountColumn = (key: 'total' | 'open', width: number): TableColumn<InvoiceSummary> =>
    column(key, t(`billing:field.${key}`), (row) => Number(row[key]), {
      width,
      isNumber: true,
      // Drafts and credit notes have no open amount.
      renderCell: (row) =>
        key === 'open' && (row.number === null || row.kind === 'credit_note')
          ? '–'
          : formatAmount(row[key], row.currency),
    })
  return [
    column('number', t('billing:field.number'), (row) => invoiceName(t, row), {
      width: 190,
      renderCell: (row) => (
        <span className={styles['marks']}>
          <Link className={styles['link']} to={invoiceAddress(regionId, row.invoice_id) as never}>
            {invoiceName(t, row)}
          </Link>
          {row.kind === 'credit_note' && row.number !== null ? (
            <Badge tone="neutral" text={t('billing:kind.credit_note')} />
          ) : null}
        </span>
      ),
    }),
    column('operator', t('billing:field.operator'), (row) => getOperatorName(row.operator), { width: 120 }),
    column('start_date', t('billing:field.period'), (row) => formatPeriod(row, language), { width: 175 }),
    dayColumn('issue_date', 105),
    dayColumn('due_date', 105),
    amountColumn('total', 120),
    amountColumn('open', 120),
    column('status', t('billing:field.status'), (row) => t(`billing:status.${row.status}`), {
      width: 165,
      canSort: false,
      renderCell: (row) => (
        <span className={styles['marks']}>
          <StatusBadge status={row.status} />
          {row.has_estimate ? <Badge tone="amber" text={t('billing:estimate')} /> : null}
        </span>
      ),
    }),
  ]
}
