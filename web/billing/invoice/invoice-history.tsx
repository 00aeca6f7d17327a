import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Payment } from '#contract/invoice-payments.ts'
import type { Invoice, InvoiceMail } from '#contract/invoices.ts'
import { RowMenu } from '#web/kit/action-menu.tsx'
import { formatDateTime } from '#web/kit/format.ts'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { Table } from '#web/kit/table/table.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { formatAmount } from '../amounts.ts'
import styles from '../billing.module.css'
import { invoiceAddress, invoiceName } from '../invoice-columns.tsx'
import { getPaymentColumns } from '../payments/payment-columns.tsx'
import { VoidPaymentDialog } from '../payments/void-payment-dialog.tsx'
import { MailBadge } from '../status-badge.tsx'
import type { InvoiceUser } from './invoice-actions.ts'
import { BounceDialog } from './mail-dialogs.tsx'
import { translateServerText } from '#web/i18n/server-text.ts'

interface Props {
  invoice: Invoice
  user: InvoiceUser
}

export function InvoicePayments({ invoice, user }: Props) {
  const { t, i18n } = useTranslation()
  const { regionId } = useRegion()
  const [voidedPayment, setVoidedPayment] = useState<Payment | null>(null)
  const columns = getPaymentColumns({
    t,
    language: i18n.language,
    regionId,
    getOperatorName: (slug) => slug,
    isCity: !user.isOperator,
    onVoid: user.can('record_payments') ? setVoidedPayment : undefined,
  }).filter(({ key }) => key !== 'number' && key !== 'operator')
  return (
    <>
      <Table
        label={t('billing:tabs.payments')}
        rows={invoice.payments}
        columns={columns}
        rowKey={(row) => row.payment_id}
        isWrapped
        hasTools={false}
      />
      {voidedPayment ? (
        <VoidPaymentDialog payment={voidedPayment} onClose={() => setVoidedPayment(null)} />
      ) : null}
    </>
  )
}

export function CreditNotes({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  return (
    <Table
      label={t('billing:head.creditNotes')}
      rows={invoice.credit_notes}
      rowKey={(row) => row.invoice_id}
      isWrapped
      hasTools={false}
      columns={[
        {
          key: 'number',
          title: t('billing:field.number'),
          value: ({ number }) => invoiceName(t, { number, kind: 'credit_note' }),
          renderCell: ({ number, invoice_id: id }) => (
            <Link className={styles['link']} to={invoiceAddress(regionId, id) as never}>
              {invoiceName(t, { number, kind: 'credit_note' })}
            </Link>
          ),
        },
        {
          key: 'total',
          title: t('billing:field.total'),
          width: 140,
          isNumber: true,
          value: ({ total }) => Number(total),
          renderCell: ({ total }) => formatAmount(total, invoice.currency),
        },
      ]}
    />
  )
}

/** Mails of the invoice, and records of other ways in which it was sent. */
export function InvoiceMails({ invoice, user }: Props) {
  const { t } = useTranslation()
  const { timezone } = useRegion()
  const [bounced, setBounced] = useState<InvoiceMail | null>(null)
  const columns: TableColumn<InvoiceMail>[] = [
    column('time', t('billing:mails.time'), (mail) => mail.sent_time ?? mail.requested_time, {
      width: 170,
      renderCell: (mail) => formatDateTime(mail.sent_time ?? mail.requested_time, timezone),
    }),
    column('recipients', t('billing:field.recipients'), (mail) =>
      mail.is_manual
        ? [t('billing:mails.manual'), mail.note].filter(Boolean).join(': ')
        : [...mail.recipients, ...mail.cc].join(', '),
    ),
    column('state', t('billing:field.status'), (mail) => t(`billing:mails.state.${mail.state}`), {
      width: 200,
      renderCell: (mail) => (
        <>
          <MailBadge state={mail.state} />
          {mail.problem ? <span className={styles['sub']}>{translateServerText(mail.problem)}</span> : null}
        </>
      ),
    }),
    column('by', t('billing:mails.by'), (mail) => mail.requested_by, { width: 250 }),
    ...(user.can('issue_invoices')
      ? [
          column('actions', t('kit:actions'), () => null, {
            width: 56,
            isActions: true,
            renderCell: (mail: InvoiceMail) =>
              mail.state === 'sent' && !mail.is_manual ? (
                <RowMenu
                  label={t('billing:mails.moreOf', { recipients: mail.recipients.join(', ') })}
                  actions={[
                    { key: 'bounced', label: t('billing:bounce.action'), onSelect: () => setBounced(mail) },
                  ]}
                />
              ) : null,
          }),
        ]
      : []),
  ]
  return (
    <>
      <Table
        label={t('billing:mails.title')}
        rows={invoice.mails}
        columns={columns}
        rowKey={(row) => row.mail_id}
        isWrapped
        hasTools={false}
      />
      {bounced ? <BounceDialog invoice={invoice} mail={bounced} onClose={() => setBounced(null)} /> : null}
    </>
  )
}
