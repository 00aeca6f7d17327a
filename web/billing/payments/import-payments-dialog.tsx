import { Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import {
  getAging,
  importPayments,
  listPayments,
  maxPaymentFileBytes,
  type InvoicePaymentImport,
} from '#contract/invoice-payments.ts'
import { getInvoice, listInvoices } from '#contract/invoices.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { FileDrop } from '#web/kit/file-drop.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { Warning } from '#web/kit/warning.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { formatFileLimit } from '../amounts.ts'

/** Records the payments of a CSV file, and reports rejected rows. */
export function ImportPaymentsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const importFile = useEndpointMutation(importPayments, [listPayments, listInvoices, getInvoice, getAging])
  return (
    <Dialog title={t('billing:import.title')} size={640} onClose={onClose}>
      <Stack gap="md">
        <FileDrop
          title={t('billing:import.drop')}
          button={t('billing:import.choose')}
          accept=".csv"
          isDisabled={importFile.isPending}
          onFiles={([file]) => file && importFile.mutate({ params: { region_id: regionId }, body: file })}
        >
          {t('billing:import.text', { size: formatFileLimit(maxPaymentFileBytes) })}
        </FileDrop>
        {importFile.isPending ? <Text role="status">{t('billing:import.pending')}</Text> : null}
        {importFile.error ? (
          <FailedState error={importFile.error} title={t('billing:import.failed')} />
        ) : null}
        {importFile.data && !importFile.isPending ? <ImportReport report={importFile.data} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('kit:close')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function ImportReport({ report: { rows, added, duplicates, refused } }: { report: InvoicePaymentImport }) {
  const { t } = useTranslation()
  return (
    <Stack gap="sm">
      <Text role="status">
        {t('billing:import.added', { count: added.length })}{' '}
        {duplicates.length ? t('billing:import.duplicates', { count: duplicates.length }) : ''}{' '}
        {rows === 0 ? t('billing:import.noRows') : ''}
      </Text>
      {refused.length ? (
        <>
          <Warning title={t('billing:import.refused', { count: refused.length })}>
            {t('billing:import.refusedText')}
          </Warning>
          <Table
            label={t('billing:import.refusedRows')}
            rows={refused}
            rowKey={({ row, field }) => `${row} ${field}`}
            maxHeight={280}
            isWrapped
            fileName="refused-payments"
            columns={[
              { key: 'row', title: t('billing:import.row'), width: 80, value: ({ row }) => row },
              { key: 'field', title: t('billing:import.field'), width: 120, value: ({ field }) => field },
              { key: 'reason', title: t('billing:import.reason'), value: ({ reason }) => reason },
            ]}
          />
        </>
      ) : null}
    </Stack>
  )
}
