import { useTranslation } from 'react-i18next'
import { getAging, listPayments, type Payment, voidPayment } from '#contract/invoice-payments.ts'
import { getInvoice, listInvoices } from '#contract/invoices.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { formatAmount } from '../amounts.ts'

/** Asks to confirm that a payment recorded by mistake is voided. */
export function VoidPaymentDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const cancel = useEndpointMutation(voidPayment, [listPayments, listInvoices, getInvoice, getAging])
  const names = { amount: formatAmount(payment.amount, payment.currency), number: payment.number }
  return (
    <ConfirmDialog
      title={t('billing:payments.voidTitle')}
      action={t('billing:payments.voidAction')}
      isPending={cancel.isPending}
      error={cancel.error}
      onConfirm={() =>
        cancel.mutate(
          { params: { region_id: regionId, payment_id: payment.payment_id } },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      {t('billing:payments.voidText', names)}
    </ConfirmDialog>
  )
}
