import { SimpleGrid, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getAging, listPayments, recordPayment } from '#contract/invoice-payments.ts'
import { getInvoice, type Invoice, listInvoices } from '#contract/invoices.ts'
import type { LocalDay } from '#contract/period.ts'
import { getFieldIssues } from '#web/data/api-error.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { MoneyInput } from '#web/kit/money-input.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { toApiAmount, formatAmount } from '../amounts.ts'

interface Props {
  /** The paid invoice; absent if the user types its number. */
  invoice?: Pick<Invoice, 'number' | 'open' | 'currency'>
  today: LocalDay
  onClose: () => void
}

/** Records a payment of an invoice; the amount starts with the open amount. */
export function PaymentDialog({ invoice, today, onClose }: Props) {
  const { t } = useTranslation()
  const { regionId, currencyCode } = useRegion()
  const currency = invoice?.currency ?? currencyCode
  const openAmount = Number(invoice?.open ?? 0)
  const [number, setNumber] = useState(invoice?.number ?? '')
  const [date, setDate] = useState<string>(today)
  const [amount, setAmount] = useState<number | null>(openAmount > 0 ? openAmount : null)
  const [reference, setReference] = useState('')
  const record = useEndpointMutation(recordPayment, [listPayments, listInvoices, getInvoice, getAging])
  const issues = getFieldIssues(record.error)
  return (
    <FormDialog
      title={t('billing:payments.record')}
      size={480}
      action={t('billing:payments.action')}
      isPending={record.isPending}
      isDisabled={number.trim() === '' || date === '' || amount === null}
      error={record.error}
      errorTitle={t('billing:payments.failed')}
      onSubmit={() =>
        amount !== null &&
        record.mutate(
          {
            params: { region_id: regionId },
            body: { number: number.trim(), date, amount: toApiAmount(amount, currency), reference },
          },
          {
            onSuccess: (payment) => {
              showToast(
                t('billing:payments.done', {
                  amount: formatAmount(payment.amount, payment.currency),
                  number: payment.number,
                }),
              )
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    >
      {invoice ? (
        <Text size="sm" c="dimmed">
          {t('billing:payments.openNow', { amount: formatAmount(invoice.open, currency) })}
        </Text>
      ) : (
        <TextInput
          label={t('billing:payments.number')}
          required
          maxLength={80}
          value={number}
          error={issues.get('number')}
          onChange={(event) => setNumber(event.currentTarget.value)}
        />
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          type="date"
          label={t('billing:payments.date')}
          required
          max="9999-12-31"
          value={date}
          error={issues.get('date')}
          onChange={(event) => setDate(event.currentTarget.value)}
        />
        <MoneyInput
          label={t('billing:field.amount')}
          required
          currency={currency}
          value={amount}
          error={issues.get('amount') ?? null}
          onChange={setAmount}
        />
      </SimpleGrid>
      <TextInput
        label={t('billing:payments.reference')}
        description={t('billing:payments.referenceHint')}
        maxLength={120}
        value={reference}
        error={issues.get('reference')}
        onChange={(event) => setReference(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
