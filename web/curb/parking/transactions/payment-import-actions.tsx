import { Button, Group } from '@mantine/core'
import { IconArrowBackUp, IconDownload, IconSend, IconTable, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  deletePaymentImport,
  downloadPaymentImportRows,
  getPaymentImport,
  listPaymentImports,
  type PaymentImport,
  publishPaymentImport,
  undoPaymentImport,
} from '#contract/curb-payment-imports.ts'
import {
  getAggregatedCounts,
  getTransactionDateRange,
  getTransactionStatistics,
  listPaymentLocationLayers,
  listPaymentOperators,
  listTransactions,
  lookUpTransactionShapes,
} from '#contract/curb-payments.ts'
import { endpointUrl } from '#web/data/endpoint-url.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { getCurrencyDecimals, formatInteger, formatMoney } from '#web/kit/format.ts'
import { useMe } from '#web/shell/me.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { getImportsPath } from './payment-imports-screen.tsx'
import { PaymentMappingDialog } from './payment-mapping-dialog.tsx'

type OpenDialog = 'publish' | 'undo' | 'delete' | 'mapping' | null

/** Queries that change when an import is published or undone. */
const affectedQueries = [
  getPaymentImport,
  listPaymentImports,
  listTransactions,
  getTransactionStatistics,
  lookUpTransactionShapes,
  getAggregatedCounts,
  getTransactionDateRange,
  listPaymentOperators,
  listPaymentLocationLayers,
]

interface PaymentImportActionsProps {
  regionId: string
  paymentImport: PaymentImport
}

/** The actions that the status of a payment import permits. */
export function PaymentImportActions({ regionId, paymentImport }: PaymentImportActionsProps) {
  const { t } = useTranslation()
  const { can } = useMe()
  const { currencyCode } = useRegion()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<OpenDialog>(null)
  const params = { region_id: regionId, import_id: paymentImport.import_id }
  const publish = useEndpointMutation(publishPaymentImport, affectedQueries)
  const undo = useEndpointMutation(undoPaymentImport, affectedQueries)
  const remove = useEndpointMutation(deletePaymentImport, [listPaymentImports])
  const {
    status,
    reconciliation: { kinds },
  } = paymentImport
  const close = () => setDialog(null)
  const paymentCount = (kinds.counted?.rows ?? 0) + (kinds.refund?.rows ?? 0)
  const amount = (kinds.counted?.amount ?? 0) + (kinds.refund?.amount ?? 0)
  const canDelete = ['waiting', 'staged', 'failed', 'undone'].includes(status)
  return (
    <>
      <Button
        component="a"
        variant="default"
        href={endpointUrl(downloadPaymentImportRows, { params, query: {} })}
        download={`${paymentImport.file_name}-report.csv`}
        leftSection={<IconDownload size={18} />}
      >
        {t('curb:imports.download')}
      </Button>
      {can('edit_curb_regulations') ? (
        <Group gap="sm">
          {status === 'waiting' || status === 'staged' || status === 'failed' ? (
            <Button
              variant={status === 'waiting' ? 'filled' : 'default'}
              leftSection={<IconTable size={18} />}
              onClick={() => setDialog('mapping')}
            >
              {t('curb:imports.mapping.open')}
            </Button>
          ) : null}
          {status === 'staged' ? (
            <Button leftSection={<IconSend size={18} />} onClick={() => setDialog('publish')}>
              {t('curb:imports.publish.open')}
            </Button>
          ) : null}
          {status === 'published' ? (
            <Button
              variant="default"
              leftSection={<IconArrowBackUp size={18} />}
              onClick={() => setDialog('undo')}
            >
              {t('curb:imports.undo.open')}
            </Button>
          ) : null}
          {canDelete ? (
            <Button
              variant="default"
              leftSection={<IconTrash size={18} />}
              onClick={() => setDialog('delete')}
            >
              {t('curb:imports.delete.open')}
            </Button>
          ) : null}
        </Group>
      ) : null}
      {dialog === 'mapping' ? (
        <PaymentMappingDialog importId={paymentImport.import_id} onClose={close} />
      ) : null}
      {dialog === 'publish' ? (
        <ConfirmDialog
          title={t('curb:payments.imports.publish.title')}
          action={t('curb:imports.publish.action')}
          isPending={publish.isPending}
          error={publish.error}
          onConfirm={() => publish.mutate({ params }, { onSuccess: close })}
          onClose={close}
        >
          {t('curb:payments.imports.publish.text', {
            payments: formatInteger(paymentCount),
            amount: formatMoney(amount / 10 ** getCurrencyDecimals(currencyCode), currencyCode),
            vendor: paymentImport.vendor,
          })}
        </ConfirmDialog>
      ) : null}
      {dialog === 'undo' ? (
        <ConfirmDialog
          title={t('curb:imports.undo.title')}
          action={t('curb:imports.undo.action')}
          isPending={undo.isPending}
          error={undo.error}
          onConfirm={() => undo.mutate({ params }, { onSuccess: close })}
          onClose={close}
        >
          {t('curb:payments.imports.undoText')}
        </ConfirmDialog>
      ) : null}
      {dialog === 'delete' ? (
        <ConfirmDialog
          title={t('curb:imports.delete.title', { name: paymentImport.file_name })}
          action={t('curb:imports.delete.action')}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() =>
            remove.mutate({ params }, { onSuccess: () => void navigate({ to: getImportsPath(regionId) }) })
          }
          onClose={close}
        >
          {t('curb:payments.imports.deleteText')}
        </ConfirmDialog>
      ) : null}
    </>
  )
}
