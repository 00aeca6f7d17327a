import { Select, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createInvoice, listInvoices } from '#contract/invoices.ts'
import type { LocalDay } from '#contract/period.ts'
import { getFieldIssues } from '#web/data/api-error.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { formatMonth } from '#web/kit/dates/calendar-text.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { invoiceAddress } from './invoice-columns.tsx'
import { monthBefore } from './months.ts'
import { usePayers } from './use-payers.ts'

/** Number of months to choose from, including the current one. */
const monthCount = 25

/** Drafts the invoice of an operator for a month, and opens it. */
export function NewDraftDialog({ today, onClose }: { today: LocalDay; onClose: () => void }) {
  const { t, i18n } = useTranslation()
  const { regionId } = useRegion()
  const { payers } = usePayers()
  const navigate = useNavigate()
  const [operator, setOperator] = useState<string | null>(null)
  const [distance, setDistance] = useState(1)
  const create = useEndpointMutation(createInvoice, [listInvoices])
  const issues = getFieldIssues(create.error)
  const month = monthBefore(today, distance)
  return (
    <FormDialog
      title={t('billing:draft.title')}
      action={t('billing:draft.action')}
      isPending={create.isPending}
      isDisabled={operator === null}
      error={create.error}
      errorTitle={t('billing:draft.failed')}
      onSubmit={() =>
        operator !== null &&
        create.mutate(
          { params: { region_id: regionId }, body: { operator, ...month } },
          { onSuccess: ({ invoice_id: id }) => void navigate({ to: invoiceAddress(regionId, id) as never }) },
        )
      }
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t('billing:draft.text')}
      </Text>
      <Select
        label={t('billing:field.operator')}
        required
        allowDeselect={false}
        placeholder={t('billing:draft.choose')}
        data={(payers ?? []).map(({ slug: value, name: label }) => ({ value, label }))}
        value={operator}
        error={issues.get('operator')}
        onChange={setOperator}
      />
      <Select
        label={t('billing:draft.month')}
        description={distance === 0 ? t('billing:draft.unfinished') : undefined}
        allowDeselect={false}
        data={Array.from({ length: monthCount }, (_, index) => ({
          value: String(index),
          label: formatMonth(monthBefore(today, index).start_date, i18n.language),
        }))}
        value={String(distance)}
        error={issues.get('start_date') ?? issues.get('end_date')}
        onChange={(value) => value !== null && setDistance(Number(value))}
      />
    </FormDialog>
  )
}
