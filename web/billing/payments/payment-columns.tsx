import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import type { Payment } from '#contract/invoice-payments.ts'
import { Badge } from '#web/kit/badge.tsx'
import { formatDay } from '#web/kit/dates/day-text.ts'
import { RowMenu } from '#web/kit/action-menu.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { formatAmount } from '../amounts.ts'
import styles from '../billing.module.css'
import { invoiceAddress } from '../invoice-columns.tsx'

interface ColumnContext {
  t: TFunction
  language: string
  regionId: string
  getOperatorName: (slug: string) => string
  /** Operators' users do not see who recorded a payment. */
  isCity: boolean
  /** Absent if payments cannot be voided. */
  onVoid?: ((payment: Payment) => void) | undefined
}

export const getPaymentColumns = ({
  t,
  language,
  regionId,
  getOperatorName,
  isCity,
  onVoid,
}: ColumnContext): TableColumn<Payment>[] => [
  column('date', t('billing:payments.date'), ({ date }) => date, {
    width: 110,
    renderCell: ({ date }) => formatDay(date, language),
  }),
  column('number', t('billing:kind.invoice'), ({ number }) => number, {
    width: 190,
    renderCell: ({ number, invoice_id: id }) => (
      <Link className={styles['link']} to={invoiceAddress(regionId, id) as never}>
        {number}
      </Link>
    ),
  }),
  column('operator', t('billing:field.operator'), ({ operator }) => getOperatorName(operator), {
    width: 130,
  }),
  column('amount', t('billing:field.amount'), ({ amount }) => Number(amount), {
    width: 130,
    isNumber: true,
    renderCell: ({ amount, currency, is_void: isVoid }) =>
      isVoid ? <s>{formatAmount(amount, currency)}</s> : formatAmount(amount, currency),
  }),
  column('reference', t('billing:payments.reference'), ({ reference }) => reference, {
    renderCell: ({ reference, is_void: isVoid }) => (
      <span className={styles['marks']}>
        {reference}
        {isVoid ? <Badge tone="neutral" text={t('billing:payments.void')} /> : null}
      </span>
    ),
  }),
  ...(isCity
    ? [
        column(
          'recorded',
          t('billing:payments.recorded'),
          ({ recorded_by: by, is_imported: isImported }: Payment) =>
            isImported ? t('billing:payments.fromFile', { by }) : by,
          { width: 280 },
        ),
      ]
    : []),
  ...(onVoid
    ? [
        column('actions', t('kit:actions'), () => null, {
          width: 56,
          isActions: true,
          renderCell: (payment: Payment) =>
            payment.is_void ? null : (
              <RowMenu
                label={t('billing:payments.moreOf', {
                  amount: formatAmount(payment.amount, payment.currency),
                  number: payment.number,
                })}
                actions={[
                  {
                    key: 'void',
                    label: t('billing:payments.voidAction'),
                    isDanger: true,
                    onSelect: () => onVoid(payment),
                  },
                ]}
              />
            ),
        }),
      ]
    : []),
]
