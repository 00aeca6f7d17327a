import { SegmentedControl, Text, Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createCreditNote, type Invoice } from '#contract/invoices.ts'
import { getFieldIssues } from '#web/data/api-error.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { MoneyInput } from '#web/kit/money-input.tsx'
import { MultiDropdown } from '#web/kit/multi-dropdown.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { toApiAmount, formatAmount } from '../amounts.ts'
import { invoiceAddress } from '../invoice-columns.tsx'
import { affectedQueries } from './invoice-actions.ts'
import { formatLine } from './line-text.ts'

/** Drafts a credit note of the remaining amount of an invoice, or of some lines. */
export function CreditDialog({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const navigate = useNavigate()
  const [isFullCredit, setIsFullCredit] = useState(true)
  const [selectedLines, setSelectedLines] = useState<string[]>([])
  const [amounts, setAmounts] = useState<Readonly<Record<string, number | null>>>({})
  const [notes, setNotes] = useState('')
  const credit = useEndpointMutation(createCreditNote, affectedQueries)
  const issues = getFieldIssues(credit.error)
  const { currency } = invoice
  const creditableLines = invoice.lines.filter(({ amount }) => Number(amount) !== 0)
  const formatLineOption = (line: number): string => {
    const creditedLine = invoice.lines.find((candidate) => candidate.line === line)
    return creditedLine ? `${line}. ${formatLine(t, creditedLine)}` : String(line)
  }
  const submit = (): void =>
    credit.mutate(
      {
        params: { region_id: regionId, invoice_id: invoice.invoice_id },
        body: {
          notes,
          lines: isFullCredit
            ? []
            : selectedLines.map((line) => {
                const amount = amounts[line] ?? null
                return { line: Number(line), amount: amount === null ? null : toApiAmount(amount, currency) }
              }),
        },
      },
      {
        onSuccess: ({ invoice_id: id }) => {
          onClose()
          void navigate({ to: invoiceAddress(regionId, id) as never })
        },
      },
    )
  return (
    <FormDialog
      title={t('billing:credit.title', { number: invoice.number })}
      size={560}
      action={t('billing:credit.action')}
      isPending={credit.isPending}
      isDisabled={notes.trim() === '' || (!isFullCredit && selectedLines.length === 0)}
      error={credit.error}
      errorTitle={t('billing:credit.failed')}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t('billing:credit.text')}
      </Text>
      <SegmentedControl
        aria-label={t('billing:credit.what')}
        data={[
          { value: 'whole', label: t('billing:credit.whole') },
          { value: 'lines', label: t('billing:credit.lines') },
        ]}
        value={isFullCredit ? 'whole' : 'lines'}
        onChange={(value) => setIsFullCredit(value === 'whole')}
      />
      {isFullCredit ? null : (
        <>
          <MultiDropdown
            label={t('billing:credit.chosen')}
            required
            options={creditableLines.map(({ line, amount }) => ({
              value: String(line),
              text: `${formatLineOption(line)} (${formatAmount(amount, currency)})`,
            }))}
            value={selectedLines}
            error={issues.get('lines') ?? null}
            onChange={setSelectedLines}
          />
          {selectedLines.map((line) => (
            <MoneyInput
              key={line}
              label={formatLineOption(Number(line))}
              description={t('billing:credit.amountHint')}
              currency={currency}
              value={amounts[line] ?? null}
              onChange={(amount) => setAmounts({ ...amounts, [line]: amount })}
            />
          ))}
        </>
      )}
      <Textarea
        label={t('billing:credit.notes')}
        description={t('billing:credit.notesHint')}
        required
        autosize
        minRows={2}
        maxLength={2000}
        value={notes}
        error={issues.get('notes')}
        onChange={(event) => setNotes(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
