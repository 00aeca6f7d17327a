import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Invoice } from '#contract/invoices.ts'
import { languages } from '#web/i18n/start-i18n.ts'
import { formatDay } from '#web/kit/dates/day-text.ts'
import { formatDateTime } from '#web/kit/format.ts'
import { useRegion } from '#web/shell/region.tsx'
import { formatAmount } from '../amounts.ts'
import styles from '../billing.module.css'
import { invoiceAddress } from '../invoice-columns.tsx'
import { isUnissued } from './invoice-actions.ts'

interface Figure {
  key: string
  text: string
  tone?: 'red' | 'amber' | undefined
}

/** The amounts of an invoice and its due date. */
export function InvoiceFigures({ invoice }: { invoice: Invoice }) {
  const { t, i18n } = useTranslation()
  const { currency, status, due_date: dueDate, kind } = invoice
  const toFigure = (key: 'net' | 'tax' | 'total' | 'paid' | 'credited' | 'open' | 'disputed'): Figure => ({
    key,
    text: formatAmount(invoice[key], currency),
  })
  const isOverdue = status === 'overdue'
  const dueFigure: Figure = {
    key: 'due_date',
    text:
      dueDate === null
        ? t('billing:head.byTerms', { count: invoice.payment_terms_days })
        : formatDay(dueDate, i18n.language),
    tone: isOverdue ? 'red' : undefined,
  }
  const figures: Figure[] =
    isUnissued(invoice) || kind === 'credit_note'
      ? [
          ...(invoice.taxes.length ? [toFigure('net'), toFigure('tax')] : []),
          toFigure('total'),
          ...(kind === 'invoice' ? [dueFigure] : []),
        ]
      : [
          toFigure('total'),
          toFigure('paid'),
          ...(Number(invoice.credited) === 0 ? [] : [toFigure('credited')]),
          { ...toFigure('open'), tone: isOverdue ? 'red' : undefined },
          ...(Number(invoice.disputed) === 0 ? [] : [{ ...toFigure('disputed'), tone: 'amber' as const }]),
          dueFigure,
        ]
  return (
    <dl className={styles['figures']}>
      {figures.map(({ key, text, tone }) => (
        <div key={key}>
          <dt>{t(`billing:field.${key}`)}</dt>
          <dd data-tone={tone}>{text}</dd>
        </div>
      ))}
    </dl>
  )
}

type InvoiceParty = Invoice['seller']

function Party({ title, party, hint }: { title: string; party: InvoiceParty; hint: string | null }) {
  const { t } = useTranslation()
  const { name, address, tax_id: taxId, contact } = party
  return (
    <div className={styles['party']}>
      <h2>{title}</h2>
      <p>
        {[name, address, taxId && t('billing:head.taxId', { id: taxId }), contact].filter(Boolean).join('\n')}
      </p>
      {address === '' && hint !== null ? (
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      ) : null}
    </div>
  )
}

/** Seller and payer, and the dates and references that are printed. */
export function InvoiceParties({ invoice, isCity }: { invoice: Invoice; isCity: boolean }) {
  const { t, i18n } = useTranslation()
  const { regionId } = useRegion()
  const hint = isCity && isUnissued(invoice) ? t('billing:head.noAddress') : null
  const details: [key: string, value: React.ReactNode][] = [
    ...(invoice.issue_date
      ? [['issue_date', formatDay(invoice.issue_date, i18n.language)] as [string, React.ReactNode]]
      : []),
    ['terms', t('billing:head.days', { count: invoice.payment_terms_days })],
    ['language', languages[invoice.language]],
    ...(invoice.purchase_order
      ? [['purchase_order', invoice.purchase_order] as [string, React.ReactNode]]
      : []),
    ...(invoice.original
      ? [
          [
            'original',
            <Link
              key="original"
              className={styles['link']}
              to={invoiceAddress(regionId, invoice.original.invoice_id) as never}
            >
              {invoice.original.number}
            </Link>,
          ] as [string, React.ReactNode],
        ]
      : []),
    ...(invoice.notes ? [['notes', invoice.notes] as [string, React.ReactNode]] : []),
    ...(invoice.kind === 'invoice' && invoice.remittance_text
      ? [['remittance_text', invoice.remittance_text] as [string, React.ReactNode]]
      : []),
  ]
  return (
    <div className={styles['parties']}>
      <Party title={t('billing:head.seller')} party={invoice.seller} hint={hint} />
      <Party title={t('billing:head.buyer')} party={invoice.buyer} hint={hint} />
      <dl className={styles['details']}>
        {details.map(([key, value]) => (
          <div key={key}>
            <dt>{t(`billing:field.${key}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** Who prepared, approved and issued an invoice, and the hashes that verify its files. */
export function InvoiceRecord({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation()
  const { timezone } = useRegion()
  const steps = (['prepared', 'approved', 'issued', 'estimate'] as const).flatMap((key) => {
    const step = invoice[key]
    return step ? [{ key, text: `${step.by}, ${formatDateTime(step.at, timezone)}` }] : []
  })
  const hashes = [
    ['snapshot', invoice.snapshot_sha256],
    ['pdf', invoice.pdf_sha256],
    ['facts', invoice.facts?.sha256 ?? null],
  ] as const
  return (
    <dl className={styles['details']}>
      {steps.map(({ key, text }) => (
        <div key={key}>
          <dt>{t(`billing:record.${key}`)}</dt>
          <dd>{text}</dd>
        </div>
      ))}
      {invoice.estimate ? (
        <div>
          <dt>{t('billing:record.note')}</dt>
          <dd>{invoice.estimate.note}</dd>
        </div>
      ) : null}
      {hashes.map(([key, hash]) =>
        hash === null ? null : (
          <div key={key}>
            <dt>{t(`billing:record.${key}`)}</dt>
            <dd className={styles['code']}>{hash}</dd>
          </div>
        ),
      )}
    </dl>
  )
}
