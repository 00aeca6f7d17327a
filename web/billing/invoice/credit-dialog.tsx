import { SegmentedControl, Text, Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createCreditNote, type Invoice } from '#contract/invoices.ts'
import { fieldIssues } from '#web/data/api-error.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { MoneyInput } from '#web/kit/money-input.tsx'
import { MultiDropdown } from '#web/kit/multi-dropdown.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { toApiAmount, formatAmount } from '../amounts.ts'
import { invoiceAddress } from '../invoice-columns.tsx'
import { queriesToInvalidate } from './invoice-actions.ts'
import { formatLine } from './line-text.ts'

interface Props {
  invoice: Invoice
  onClose: () => void
}

/** Drafts a credit note of the remaining amount of an invoice, or of some lines. */
export function CreditDialog({ invoice, onClose }: Props) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const navigate = useNavigate()
  const [isWhole, setWhole] = useState(true)
  const [selected, setSelected] = useState<string[]>([])
  const [amounts, setAmounts] = useState<Readonly<Record<string, number | null>>>({})
  const [notes, setNotes] = useState('')
  const credit = useEndpointMutation(createCreditNote, queriesToInvalidate)
  const issues = fieldIssues(credit.error)
  const { currency } = invoice
  const lines = invoice.lines.filter(({ amount }) => Number(amount) !== 0)
  const getText = (line: number): string => {
    const creditedLine = invoice.lines.find((candidate) => candidate.line === line)
    return creditedLine ? `${line}. ${formatLine(t, creditedLine)}` : String(line)
  }
  const submit = (): void =>
    credit.mutate(
      {
        params: { region_id: regionId, invoice_id: invoice.invoice_id },
        body: {
          notes,
          lines: isWhole
            ? []
            : selected.map((line) => {
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
      isIdle={notes.trim() === '' || (!isWhole && selected.length === 0)}
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
        value={isWhole ? 'whole' : 'lines'}
        onChange={(value) => setWhole(value === 'whole')}
      />
      {isWhole ? null : (
        <>
          <MultiDropdown
            label={t('billing:credit.chosen')}
            required
            options={lines.map(({ line, amount }) => ({
              value: String(line),
              text: `${getText(line)} (${formatAmount(amount, currency)})`,
            }))}
            value={selected}
            error={issues.get('lines') ?? null}
            onChange={setSelected}
          />
          {selected.map((line) => (
            <MoneyInput
              key={line}
              label={getText(Number(line))}
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
