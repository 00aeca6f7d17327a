import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import type { InvoiceSummary } from '#contract/invoices.ts'
import { periodText } from '#web/filters/period.ts'
import { Badge } from '#web/kit/badge.tsx'
import { formatDay } from '#web/kit/dates/day-text.ts'
import type { TableColumn } from '#web/kit/table/table-column.ts'
import { pagePath } from '#web/shell/pages.ts'
import { amountText } from './amounts.ts'
import styles from './billing.module.css'
import { StatusBadge } from './status-badge.tsx'

/** Address of the page of an invoice. */
export const invoiceAddress = (regionId: string, invoiceId: string): string =>
  `${pagePath(regionId, 'invoicing')}/${invoiceId}`

/** Display name of an invoice: its number, or that it is a draft. */
export const invoiceName = (
  t: TFunction,
  { number, kind }: Pick<InvoiceSummary, 'number' | 'kind'>,
): string => number ?? t(`billing:draftOf.${kind}`)

interface Given {
  t: TFunction
  language: string
  regionId: string
  nameOf: (slug: string) => string
}

export function invoiceColumns({ t, language, regionId, nameOf }: Given): TableColumn<InvoiceSummary>[] {
  const dayColumn = (key: 'issue_date' | 'due_date', width: number): TableColumn<InvoiceSummary> => ({
    key,
    title: t(`billing:field.${key}`),
    width,
    value: (row) => row[key],
    renderCell: (row) => {
      const day = row[key]
      return day === null ? '–' : formatDay(day, language)
    },
  })
  const amountColumn = (key: 'total' | 'open', width: number): TableColumn<InvoiceSummary> => ({
    key,
    title: t(`billing:field.${key}`),
    width,
    isNumber: true,
    value: (row) => Number(row[key]),
    renderCell: (row) =>
      key === 'open' && (row.number === null || row.kind === 'credit_note')
        ? '–'
        : amountText(row[key], row.currency),
  })
  return [
    {
      key: 'number',
      title: t('billing:field.number'),
      width: 190,
      value: (row) => invoiceName(t, row),
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
    },
    {
      key: 'operator',
      title: t('billing:field.operator'),
      width: 120,
      value: (row) => nameOf(row.operator),
    },
    {
      key: 'start_date',
      title: t('billing:field.period'),
      width: 175,
      value: (row) => periodText(row, language),
    },
    dayColumn('issue_date', 105),
    dayColumn('due_date', 105),
    amountColumn('total', 120),
    amountColumn('open', 120),
    {
      key: 'status',
      title: t('billing:field.status'),
      width: 165,
      canSort: false,
      value: (row) => t(`billing:status.${row.status}`),
      renderCell: (row) => (
        <span className={styles['marks']}>
          <StatusBadge status={row.status} />
          {row.has_estimate ? <Badge tone="amber" text={t('billing:estimate')} /> : null}
        </span>
      ),
    },
  ]
}
