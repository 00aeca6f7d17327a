import { FileInput, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  addDisputeFile,
  decideDispute,
  type Dispute,
  maxEvidenceBytes,
  openDispute,
  withdrawDispute,
  maxDisputeText,
} from '#contract/invoice-disputes.ts'
import type { Invoice, InvoiceLine } from '#contract/invoices.ts'
import { getFieldIssues } from '#web/data/api-error.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { MoneyInput } from '#web/kit/money-input.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { toApiAmount, formatAmount, formatFileLimit } from '../amounts.ts'
import { affectedQueries } from './invoice-actions.ts'
import { formatLine } from './line-text.ts'

interface DisputeDialogProps {
  invoice: Invoice
  line: InvoiceLine
  onClose: () => void
}

/** Disputes a line: reason, amount and a file. */
export function DisputeDialog({ invoice, line, onClose }: DisputeDialogProps) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const [reason, setReason] = useState('')
  const [amount, setAmount] = useState<number | null>(null)
  const [file, setFile] = useState<File | null>(null)
  const createDispute = useEndpointMutation(openDispute, affectedQueries)
  const attach = useEndpointMutation(addDisputeFile, affectedQueries)
  const issues = getFieldIssues(createDispute.error)
  const params = { region_id: regionId, invoice_id: invoice.invoice_id }
  const submit = async (): Promise<void> => {
    // If only the upload of the file failed, only that is repeated.
    const dispute =
      createDispute.data ??
      (await createDispute.mutateAsync({
        params,
        body: {
          line: line.line,
          reason,
          amount: amount === null ? null : toApiAmount(amount, invoice.currency),
        },
      }))
    if (file)
      await attach.mutateAsync({
        params: { ...params, dispute_id: dispute.dispute_id },
        query: { file_name: file.name },
        body: file,
      })
    onClose()
  }
  return (
    <FormDialog
      title={t('billing:disputes.title', { line: line.line })}
      size={560}
      action={t('billing:disputes.action')}
      isPending={createDispute.isPending || attach.isPending}
      isDisabled={reason.trim() === ''}
      error={createDispute.error ?? attach.error}
      errorTitle={t(createDispute.data ? 'billing:disputes.fileFailed' : 'billing:disputes.failed')}
      // The mutation holds the error for display.
      onSubmit={() => void submit().catch(() => undefined)}
      onClose={onClose}
    >
      <Text size="sm">
        {formatLine(t, line)}, {formatAmount(line.amount, invoice.currency)}
      </Text>
      <Textarea
        label={t('billing:disputes.reason')}
        description={t('billing:disputes.reasonHint')}
        required
        autosize
        minRows={3}
        maxLength={maxDisputeText}
        disabled={createDispute.data !== undefined}
        value={reason}
        error={issues.get('reason')}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <MoneyInput
        label={t('billing:disputes.amount')}
        description={t('billing:disputes.amountHint')}
        currency={invoice.currency}
        disabled={createDispute.data !== undefined}
        value={amount}
        error={issues.get('amount') ?? null}
        onChange={setAmount}
      />
      <FileInput
        label={t('billing:disputes.file')}
        description={t('billing:disputes.fileHint', { size: formatFileLimit(maxEvidenceBytes) })}
        clearable
        placeholder={t('billing:import.choose')}
        value={file}
        onChange={setFile}
      />
    </FormDialog>
  )
}

interface EndDisputeDialogProps {
  dispute: Dispute
  step: 'accepted' | 'declined' | 'withdrawn'
  onClose: () => void
}

/** Ends a dispute: the city accepts or declines it, or the user who opened it withdraws it. */
export function EndDisputeDialog({ dispute, step, onClose }: EndDisputeDialogProps) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const [text, setText] = useState('')
  const [amount, setAmount] = useState<number | null>(Number(dispute.amount))
  const decide = useEndpointMutation(decideDispute, affectedQueries)
  const withdraw = useEndpointMutation(withdrawDispute, affectedQueries)
  const { dispute_id, invoice_id, currency } = dispute
  const params = { region_id: regionId, invoice_id, dispute_id }
  const error = decide.error ?? withdraw.error
  const issues = getFieldIssues(error)
  const submit = (): void => {
    if (step === 'withdrawn') return withdraw.mutate({ params, body: { text } }, { onSuccess: onClose })
    decide.mutate(
      {
        params,
        body: {
          decision: step,
          text,
          amount: step === 'accepted' && amount !== null ? toApiAmount(amount, currency) : null,
        },
      },
      { onSuccess: onClose },
    )
  }
  return (
    <FormDialog
      title={t(`billing:disputes.end.${step}.title`, { line: dispute.line })}
      size={520}
      action={t(`billing:disputes.end.${step}.action`)}
      isPending={decide.isPending || withdraw.isPending}
      isDisabled={step !== 'withdrawn' && text.trim() === ''}
      error={error}
      errorTitle={t('billing:disputes.end.failed')}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm">{t(`billing:disputes.end.${step}.text`)}</Text>
      {step === 'accepted' ? (
        <MoneyInput
          label={t('billing:disputes.credited')}
          currency={currency}
          value={amount}
          error={issues.get('amount') ?? null}
          onChange={setAmount}
        />
      ) : null}
      <Textarea
        label={t('billing:disputes.answer')}
        required={step !== 'withdrawn'}
        autosize
        minRows={2}
        maxLength={maxDisputeText}
        value={text}
        error={issues.get('text')}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
