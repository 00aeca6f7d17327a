import { Button, Text } from '@mantine/core'
import {
  IconArrowBackUp,
  IconDownload,
  IconPlayerStop,
  IconRefresh,
  IconTableOptions,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getTripsExtent } from '#contract/evaluation.ts'
import { deleteImport, downloadSetAside, listImports, retryImport, type Import } from '#contract/imports.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { endpointUrl } from '#web/data/endpoint-url.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { formatInteger } from '#web/kit/format.ts'
import { isBusy, getRequirementKey } from './use-imports.ts'
import styles from './imports.module.css'

/** The actions that the status of an import permits. */
export function ImportActions({ imported, onMap }: { imported: Import; onMap: () => void }) {
  const { t } = useTranslation()
  const [isConfirming, setIsConfirming] = useState(false)
  const retry = useEndpointMutation(retryImport, [listImports])
  const remove = useEndpointMutation(deleteImport, [listImports, getTripsExtent])
  const isUnderWay = isBusy(imported)
  const action = t(isUnderWay ? 'imports:cancel' : 'imports:undo')
  const title = t(isUnderWay ? 'imports:cancelOf' : 'imports:undoOf', { name: imported.file_name })
  const params = { region_id: imported.region_id, import_uuid: imported.import_uuid }
  return (
    <div className={styles['actions']}>
      {imported.status === 'needs_mapping' ? (
        <Button size="xs" leftSection={<IconTableOptions size={16} />} onClick={onMap}>
          {t(getRequirementKey(imported.asks))}
        </Button>
      ) : null}
      {imported.status === 'failed' ? (
        <Button
          size="xs"
          leftSection={<IconRefresh size={16} />}
          loading={retry.isPending}
          onClick={() => retry.mutate({ params })}
        >
          {t('kit:retry')}
        </Button>
      ) : null}
      {imported.rows_rejected > 0 ? (
        <Button
          size="xs"
          variant="default"
          component="a"
          href={endpointUrl(downloadSetAside, { params })}
          download={`set-aside-${imported.file_name}`}
          leftSection={<IconDownload size={16} />}
        >
          {t('imports:downloadRejected')}
        </Button>
      ) : null}
      {imported.status === 'canceling' ? null : (
        <Button
          size="xs"
          variant="default"
          leftSection={isUnderWay ? <IconPlayerStop size={16} /> : <IconArrowBackUp size={16} />}
          aria-label={title}
          onClick={() => setIsConfirming(true)}
        >
          {action}
        </Button>
      )}
      {retry.error ? (
        <Text role="alert" size="sm" c="var(--red)">
          {retry.error.message}
        </Text>
      ) : null}
      {isConfirming ? (
        <ConfirmDialog
          title={title}
          action={action}
          isPending={remove.isPending}
          error={remove.error}
          onClose={() => setIsConfirming(false)}
          onConfirm={() =>
            remove.mutate(
              { params },
              {
                onSuccess: () => {
                  showToast(
                    t(isUnderWay ? 'kit:did.canceled' : 'kit:did.undone', { name: imported.file_name }),
                  )
                  setIsConfirming(false)
                },
              },
            )
          }
        >
          {t(isUnderWay ? 'imports:cancelText' : `imports:undoText.${imported.kind}`, {
            rows: formatInteger(imported.rows_accepted),
          })}
        </ConfirmDialog>
      ) : null}
    </div>
  )
}
