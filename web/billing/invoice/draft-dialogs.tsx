import { Text, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  approveInvoice,
  changeInvoice,
  confirmEstimate,
  deleteInvoice,
  type Invoice,
  issueInvoice,
  listInvoices,
} from '#contract/invoices.ts'
import { getFieldIssues } from '#web/data/api-error.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { pagePath } from '#web/shell/pages.ts'
import { useRegion } from '#web/shell/region.tsx'
import { formatAmount } from '../amounts.ts'
import { affectedQueries, daysWithoutData } from './invoice-actions.ts'

interface Props {
  invoice: Invoice
  onClose: () => void
}

/** Returns the parameters of requests, and the texts by which the dialogs refer to a draft. */
function useDraft({ invoice_id, total, currency, kind }: Invoice) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  return {
    t,
    params: { region_id: regionId, invoice_id },
    texts: { total: formatAmount(total, currency), document: t(`billing:kind.${kind}`) },
  }
}

/** Confirms the approval of a draft. */
export function ApproveDialog({ invoice, onClose }: Props) {
  const { t, params, texts } = useDraft(invoice)
  const approve = useEndpointMutation(approveInvoice, affectedQueries)
  return (
    <ConfirmDialog
      title={t('billing:approve.title', texts)}
      action={t('billing:action.approve')}
      isDanger={false}
      isPending={approve.isPending}
      error={approve.error}
      onConfirm={() => approve.mutate({ params, body: { version: invoice.version } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t('billing:approve.text', texts)}
    </ConfirmDialog>
  )
}

/** Asks to confirm that a draft is issued: it gets its number and becomes final. */
export function IssueDialog({ invoice, onClose }: Props) {
  const { t, params, texts } = useDraft(invoice)
  const issue = useEndpointMutation(issueInvoice, affectedQueries)
  return (
    <ConfirmDialog
      title={t('billing:issue.title', texts)}
      action={t('billing:action.issue')}
      isDanger={false}
      isPending={issue.isPending}
      error={issue.error}
      onConfirm={() =>
        issue.mutate(
          { params },
          {
            onSuccess: ({ number }) => {
              showToast(t('billing:issue.done', { number }))
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    >
      {t('billing:issue.text', texts)}
    </ConfirmDialog>
  )
}

/** Confirms the deletion of a draft. */
export function DeleteDialog({ invoice, onClose }: Props) {
  const { t, params } = useDraft(invoice)
  const navigate = useNavigate()
  const remove = useEndpointMutation(deleteInvoice, [listInvoices])
  return (
    <ConfirmDialog
      title={t('billing:delete.title')}
      action={t('billing:action.delete')}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(
          { params },
          {
            onSuccess: () =>
              void navigate({
                to: pagePath(params.region_id, 'invoicing') as never,
                search: { tab: 'invoices' } as never,
              }),
          },
        )
      }
      onClose={onClose}
    >
      {t('billing:delete.text')}
    </ConfirmDialog>
  )
}

/** Confirms the estimated amounts of days without data. */
export function EstimateDialog({ invoice, onClose }: Props) {
  const { t, params } = useDraft(invoice)
  const [note, setNote] = useState('')
  const confirm = useEndpointMutation(confirmEstimate, affectedQueries)
  return (
    <FormDialog
      title={t('billing:confirmEstimate.title')}
      size={520}
      action={t('billing:action.confirmEstimate')}
      isPending={confirm.isPending}
      isDisabled={note.trim() === ''}
      error={confirm.error}
      errorTitle={t('billing:confirmEstimate.failed')}
      onSubmit={() => confirm.mutate({ params, body: { note } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text size="sm">{t('billing:confirmEstimate.text', { count: daysWithoutData(invoice).length })}</Text>
      <Textarea
        label={t('billing:confirmEstimate.note')}
        description={t('billing:confirmEstimate.hint')}
        required
        autosize
        minRows={2}
        maxLength={1000}
        value={note}
        error={getFieldIssues(confirm.error).get('note')}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

/** Edits notes, purchase order and due date of a draft. */
export function EditDialog({ invoice, onClose }: Props) {
  const { t, params } = useDraft(invoice)
  const [notes, setNotes] = useState(invoice.notes)
  const [purchaseOrder, setPurchaseOrder] = useState(invoice.purchase_order)
  const [dueDate, setDueDate] = useState(invoice.due_date ?? '')
  const change = useEndpointMutation(changeInvoice, affectedQueries)
  const issues = getFieldIssues(change.error)
  return (
    <FormDialog
      title={t('billing:edit.title')}
      size={520}
      action={t('kit:save')}
      isPending={change.isPending}
      error={change.error}
      errorTitle={t('billing:edit.failed')}
      onSubmit={() =>
        change.mutate(
          { params, body: { notes, purchase_order: purchaseOrder, due_date: dueDate || null } },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      {invoice.status === 'approved' ? <Text size="sm">{t('billing:edit.approved')}</Text> : null}
      <TextInput
        label={t('billing:field.purchase_order')}
        maxLength={80}
        value={purchaseOrder}
        error={issues.get('purchase_order')}
        onChange={(event) => setPurchaseOrder(event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label={t('billing:field.due_date')}
        description={t('billing:edit.dueHint', { count: invoice.payment_terms_days })}
        max="9999-12-31"
        value={dueDate}
        error={issues.get('due_date')}
        onChange={(event) => setDueDate(event.currentTarget.value)}
      />
      <Textarea
        label={t('billing:field.notes')}
        description={t('billing:edit.notesHint')}
        autosize
        minRows={3}
        maxLength={2000}
        value={notes}
        error={issues.get('notes')}
        onChange={(event) => setNotes(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
