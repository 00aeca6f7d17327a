import { TagsInput, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getPayerSettings, type PayerSettings, maxMailAddresses } from '#contract/billing-settings.ts'
import {
  type Invoice,
  type InvoiceMail,
  markInvoiceSent,
  markMailBounced,
  sendInvoiceEmail,
} from '#contract/invoices.ts'
import { getFieldIssues } from '#web/data/api-error.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { affectedQueries } from './invoice-actions.ts'

interface Props {
  invoice: Invoice
  onClose: () => void
}

const separators = [',', ' ', ';']

/** Sends an issued invoice by mail, by default to the recipients in the operator's settings. */
export function SendDialog({ invoice, onClose }: Props) {
  const { regionId } = useRegion()
  const payer = useEndpointQuery(getPayerSettings, {
    params: { region_id: regionId, operator: invoice.operator },
  })
  if (payer.isPending) return null
  return <SendForm invoice={invoice} payer={payer.data} onClose={onClose} />
}

/** The recipients and the message of a mail with an invoice. */
function SendForm({ invoice, payer, onClose }: Props & { payer: PayerSettings | undefined }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const [recipients, setRecipients] = useState<string[]>(payer?.recipients ?? [])
  // The text in the field of recipients becomes one of them when the focus leaves it.
  const [typed, setTyped] = useState('')
  const [cc, setCc] = useState<string[]>(payer?.cc ?? [])
  const [note, setNote] = useState('')
  const sendInvoice = useEndpointMutation(sendInvoiceEmail, affectedQueries)
  const issues = getFieldIssues(sendInvoice.error)
  const addresses = { splitChars: separators, maxTags: maxMailAddresses, acceptValueOnBlur: true }
  return (
    <FormDialog
      title={t('billing:send.title', { number: invoice.number })}
      size={560}
      action={t('billing:send.action')}
      isPending={sendInvoice.isPending}
      isDisabled={recipients.length === 0 && typed.trim() === ''}
      error={sendInvoice.error}
      errorTitle={t('billing:send.failed')}
      onSubmit={() =>
        sendInvoice.mutate(
          { body: { region_id: regionId, invoice_id: invoice.invoice_id, recipients, cc, note } },
          {
            onSuccess: () => {
              showToast(t('billing:send.done', { count: recipients.length }))
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t('billing:send.text')}
      </Text>
      <TagsInput
        {...addresses}
        label={t('billing:field.recipients')}
        description={t('billing:send.hint')}
        required
        value={recipients}
        error={issues.get('recipients')}
        onChange={setRecipients}
        onSearchChange={setTyped}
      />
      <TagsInput
        {...addresses}
        label={t('billing:field.cc')}
        value={cc}
        error={issues.get('cc')}
        onChange={setCc}
      />
      <Textarea
        label={t('billing:send.note')}
        autosize
        minRows={2}
        maxLength={2000}
        value={note}
        error={issues.get('note')}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

/** Records that an invoice was sent by other means. */
export function MarkSentDialog({ invoice, onClose }: Props) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const [note, setNote] = useState('')
  const mark = useEndpointMutation(markInvoiceSent, affectedQueries)
  return (
    <FormDialog
      title={t('billing:markSent.title')}
      action={t('billing:action.markSent')}
      isPending={mark.isPending}
      error={mark.error}
      errorTitle={t('billing:markSent.failed')}
      onSubmit={() =>
        mark.mutate(
          { params: { region_id: regionId, invoice_id: invoice.invoice_id }, body: { note } },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <Textarea
        label={t('billing:markSent.note')}
        description={t('billing:markSent.hint')}
        autosize
        minRows={2}
        maxLength={1000}
        value={note}
        error={getFieldIssues(mark.error).get('note')}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

/** Records that a mail was returned. */
export function BounceDialog({ invoice, mail, onClose }: Props & { mail: InvoiceMail }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const [reason, setReason] = useState('')
  const mark = useEndpointMutation(markMailBounced, affectedQueries)
  return (
    <FormDialog
      title={t('billing:bounce.title')}
      action={t('billing:bounce.action')}
      isPending={mark.isPending}
      error={mark.error}
      errorTitle={t('billing:bounce.failed')}
      onSubmit={() =>
        mark.mutate(
          {
            params: { region_id: regionId, invoice_id: invoice.invoice_id, mail_id: mail.mail_id },
            body: { reason },
          },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <Text size="sm">{t('billing:bounce.text', { recipients: mail.recipients.join(', ') })}</Text>
      <Textarea
        label={t('billing:bounce.reason')}
        autosize
        minRows={2}
        maxLength={500}
        value={reason}
        error={getFieldIssues(mark.error).get('reason')}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
