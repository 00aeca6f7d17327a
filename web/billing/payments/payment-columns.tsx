import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import type { Payment } from '#contract/invoice-payments.ts'
import { Badge } from '#web/kit/badge.tsx'
import { formatDay } from '#web/kit/dates/day-text.ts'
import { RowMenu } from '#web/kit/action-menu.tsx'
import type { TableColumn } from '#web/kit/table/table-column.ts'
import { amountText } from '../amounts.ts'
import styles from '../billing.module.css'
import { invoiceAddress } from '../invoice-columns.tsx'

interface Given {
  t: TFunction
  language: string
  regionId: string
  nameOf: (slug: string) => string
  /** Users of operators do not see who recorded a payment. */
  isCity: boolean
  /** Without it, payments cannot be voided. */
  onVoid?: ((payment: Payment) => void) | undefined
}

export const paymentColumns = ({
  t,
  language,
  regionId,
  nameOf,
  isCity,
  onVoid,
}: Given): TableColumn<Payment>[] => [
  {
    key: 'date',
    title: t('billing:payments.date'),
    width: 110,
    value: ({ date }) => date,
    renderCell: ({ date }) => formatDay(date, language),
  },
  {
    key: 'number',
    title: t('billing:kind.invoice'),
    width: 190,
    value: ({ number }) => number,
    renderCell: ({ number, invoice_id: id }) => (
      <Link className={styles['link']} to={invoiceAddress(regionId, id) as never}>
        {number}
      </Link>
    ),
  },
  {
    key: 'operator',
    title: t('billing:field.operator'),
    width: 130,
    value: ({ operator }) => nameOf(operator),
  },
  {
    key: 'amount',
    title: t('billing:field.amount'),
    width: 130,
    isNumber: true,
    value: ({ amount }) => Number(amount),
    renderCell: ({ amount, currency, is_void: isVoid }) =>
      isVoid ? <s>{amountText(amount, currency)}</s> : amountText(amount, currency),
  },
  {
    key: 'reference',
    title: t('billing:payments.reference'),
    value: ({ reference }) => reference,
    renderCell: ({ reference, is_void: isVoid }) => (
      <span className={styles['marks']}>
        {reference}
        {isVoid ? <Badge tone="neutral" text={t('billing:payments.void')} /> : null}
      </span>
    ),
  },
  ...(isCity
    ? [
        {
          key: 'recorded',
          title: t('billing:payments.recorded'),
          width: 280,
          value: ({ recorded_by: by, is_imported: isImported }: Payment) =>
            isImported ? t('billing:payments.fromFile', { by }) : by,
        },
      ]
    : []),
  ...(onVoid
    ? [
        {
          key: 'actions',
          title: t('kit:actions'),
          width: 56,
          isActions: true,
          value: () => null,
          renderCell: (payment: Payment) =>
            payment.is_void ? null : (
              <RowMenu
                label={t('billing:payments.moreOf', {
                  amount: amountText(payment.amount, payment.currency),
                  number: payment.number,
                })}
                acts={[
                  {
                    key: 'void',
                    label: t('billing:payments.voidAction'),
                    isDanger: true,
                    onSelect: () => onVoid(payment),
                  },
                ]}
              />
            ),
        },
      ]
    : []),
]
