import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import {
  importQuantities,
  listReportedQuantities,
  type ReportedQuantity,
  reportQuantities,
} from '#contract/charges.ts'
import { getFees } from '#contract/fees.ts'
import { getInvoice } from '#contract/invoices.ts'
import type { LocalDay } from '#contract/period.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { formatMonth } from '#web/kit/dates/calendar-text.ts'
import { Badge } from '#web/kit/badge.tsx'
import { Dialog } from '#web/kit/dialog.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { FileDrop } from '#web/kit/file-drop.tsx'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { useMe } from '#web/shell/me.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { formatQuantity } from '../amounts.ts'
import { monthBefore } from '../months.ts'
import { usePayers } from '../use-payers.ts'
import { ChargeSection } from './charge-section.tsx'

type OpenDialog = { kind: 'enter'; row: ReportedQuantity } | { kind: 'import' }

const shownMonths = 12
const affectedQueries = [listReportedQuantities, getFees, getInvoice]

/** The quantities reported for past months, and those that are missing. */
export function ReportedQuantities({ today }: { today: LocalDay }) {
  const { t, i18n } = useTranslation()
  const { regionId } = useRegion()
  const { user, can } = useMe()
  const { getOperatorName } = usePayers()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const query = {
    start_month: monthBefore(today, shownMonths - 1).start_date,
    end_month: monthBefore(today, 0).start_date,
  }
  const rows = useEndpointQuery(
    listReportedQuantities,
    { params: { region_id: regionId }, query },
    { staleTime: 0 },
  )
  const canReport = user.operators !== null || can('draft_invoices')
  const formatRowName = ({ quantity, operator, month }: ReportedQuantity): string =>
    t('billing:quantities.of', {
      quantity,
      operator: getOperatorName(operator),
      month: formatMonth(month, i18n.language),
    })
  return (
    <ChargeSection
      title={t('billing:quantities.title')}
      text={t('billing:quantities.text')}
      action={
        canReport ? (
          <Button
            variant="default"
            leftSection={<IconFileImport size={18} />}
            onClick={() => setDialog({ kind: 'import' })}
          >
            {t('billing:import.open')}
          </Button>
        ) : null
      }
    >
      <Loaded
        query={rows}
        isEmpty={({ items }) => items.length === 0}
        empty={
          <EmptyState title={t('billing:quantities.none')}>{t('billing:quantities.noneText')}</EmptyState>
        }
      >
        {({ items }) => (
          <Table
            label={t('billing:quantities.title')}
            rows={items.toReversed()}
            rowKey={({ month, operator, quantity }) => `${month} ${operator} ${quantity}`}
            isWrapped
            fileName={`reported-quantities-${regionId}`}
            columns={getQuantityColumns({
              t,
              language: i18n.language,
              getOperatorName,
              formatRowName,
              onEnter: canReport ? (row) => setDialog({ kind: 'enter', row }) : null,
            })}
          />
        )}
      </Loaded>
      {dialog?.kind === 'enter' ? (
        <EnterDialog row={dialog.row} title={formatRowName(dialog.row)} onClose={() => setDialog(null)} />
      ) : null}
      {dialog?.kind === 'import' ? <ImportDialog onClose={() => setDialog(null)} /> : null}
    </ChargeSection>
  )
}

interface QuantityColumnsInput {
  t: TFunction
  language: string
  getOperatorName: (operator: string) => string
  formatRowName: (row: ReportedQuantity) => string
  /** Null if the user may not report. */
  onEnter: ((row: ReportedQuantity) => void) | null
}

const getQuantityColumns = ({
  t,
  language,
  getOperatorName,
  formatRowName,
  onEnter,
}: QuantityColumnsInput): TableColumn<ReportedQuantity>[] => [
  column('month', t('billing:quantities.month'), ({ month }) => month, {
    width: 150,
    renderCell: ({ month }) => formatMonth(month, language),
  }),
  column('operator', t('billing:field.operator'), ({ operator }) => getOperatorName(operator), {
    width: 150,
  }),
  column('quantity', t('billing:charges.field.quantity'), ({ quantity }) => quantity),
  column('value', t('billing:quantities.value'), ({ value }) => (value === null ? null : Number(value)), {
    width: 220,
    isNumber: true,
    renderCell: ({ value, is_estimate: isEstimate }) =>
      value === null ? (
        <Badge tone="amber" text={t('billing:quantities.missing')} />
      ) : (
        <>
          {formatQuantity(value)}{' '}
          {isEstimate ? <Badge tone="amber" text={t('billing:quantities.estimate')} /> : null}
        </>
      ),
  }),
  ...(onEnter
    ? [
        column('actions', t('kit:actions'), () => null, {
          width: 110,
          isActions: true,
          renderCell: (row: ReportedQuantity) => (
            <Button
              variant="subtle"
              size="compact-sm"
              aria-label={t('billing:quantities.enterOf', { what: formatRowName(row) })}
              onClick={() => onEnter(row)}
            >
              {t(row.value === null ? 'billing:quantities.enter' : 'billing:quantities.change')}
            </Button>
          ),
        }),
      ]
    : []),
]

/** Enters the quantity of a charge for a month. */
function EnterDialog({ row, title, onClose }: { row: ReportedQuantity; title: string; onClose: () => void }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const { user } = useMe()
  const [value, setValue] = useState(row.value ?? '')
  const [isEstimate, setIsEstimate] = useState(row.is_estimate)
  const report = useEndpointMutation(reportQuantities, affectedQueries)
  const { operator, quantity, month } = row
  const [issue] = report.error?.problem?.issues ?? []
  return (
    <FormDialog
      title={title}
      size={440}
      action={t('billing:quantities.save')}
      isPending={report.isPending}
      isDisabled={value.trim() === ''}
      error={report.error}
      errorTitle={t('billing:quantities.failed')}
      onSubmit={() =>
        report.mutate(
          {
            params: { region_id: regionId },
            body: { items: [{ operator, quantity, month, value: value.trim(), is_estimate: isEstimate }] },
          },
          {
            onSuccess: () => {
              showToast(t('billing:quantities.saved'))
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    >
      <TextInput
        label={t('billing:quantities.value')}
        required
        inputMode="decimal"
        maxLength={20}
        value={value}
        error={issue?.path.endsWith('.value') ? issue.message : undefined}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
      {user.operators === null ? (
        <Checkbox
          label={t('billing:quantities.isEstimate')}
          description={t('billing:quantities.estimateHint')}
          checked={isEstimate}
          onChange={(event) => setIsEstimate(event.currentTarget.checked)}
        />
      ) : null}
    </FormDialog>
  )
}

/** Imports quantities from a CSV file. */
function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const importFile = useEndpointMutation(importQuantities, affectedQueries)
  const readFile = async (file: File | undefined): Promise<void> => {
    if (file) importFile.mutate({ params: { region_id: regionId }, body: { csv: await file.text() } })
  }
  return (
    <Dialog title={t('billing:quantities.importTitle')} size={560} onClose={onClose}>
      <Stack gap="md">
        <FileDrop
          title={t('billing:import.drop')}
          button={t('billing:import.choose')}
          accept=".csv"
          isDisabled={importFile.isPending}
          onFiles={([file]) => void readFile(file)}
        >
          {t('billing:quantities.importText')}
        </FileDrop>
        {importFile.error ? (
          <FailedState error={importFile.error} title={t('billing:import.failed')} />
        ) : null}
        {importFile.data ? (
          <Text role="status">
            {t('billing:quantities.imported', { count: importFile.data.items.length })}
          </Text>
        ) : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('kit:close')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
