import { Button, Group, Text, TextInput } from '@mantine/core'
import {
  IconArrowBackUp,
  IconDownload,
  IconPlayerPlay,
  IconSend,
  IconTable,
  IconTrash,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type CurbImport,
  deleteCurbImport,
  downloadCurbImportRows,
  getCurbImport,
  listCurbImports,
  listCurbInventories,
  publishCurbImport,
  startCurbImport,
  undoCurbImport,
} from '#contract/curb-imports.ts'
import { endpointUrl } from '#web/data/endpoint-url.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { formatInteger } from '#web/kit/format.ts'
import { useMe } from '#web/shell/me.tsx'
import { CurbMappingDialog } from './mapping-dialog.tsx'

interface Props {
  regionId: string
  curbImport: CurbImport
  /** Whether the source is a table. */
  isTable: boolean
}

type OpenDialog = 'publish' | 'undo' | 'delete' | 'mapping' | null

const affectedQueries = [getCurbImport, listCurbImports, listCurbInventories]

/** The actions that the status of an import permits. */
export function CurbImportActions({ regionId, curbImport, isTable }: Props) {
  const { t } = useTranslation()
  const { can } = useMe()
  const [open, setOpen] = useState<OpenDialog>(null)
  const params = { region_id: regionId, import_id: curbImport.import_id }
  const start = useEndpointMutation(startCurbImport, affectedQueries)
  const { status } = curbImport
  const canStage = status === 'waiting' || status === 'staged' || status === 'failed'
  const close = () => setOpen(null)
  return (
    <>
      <Button
        component="a"
        variant="default"
        href={endpointUrl(downloadCurbImportRows, { params, query: {} })}
        download={`${curbImport.file_name}-report.csv`}
        leftSection={<IconDownload size={18} />}
      >
        {t('curb:imports.download')}
      </Button>
      {can('edit_curb_regulations') ? (
        <Group gap="sm">
          {canStage && isTable ? (
            <Button
              variant="default"
              leftSection={<IconTable size={18} />}
              onClick={() => setOpen('mapping')}
            >
              {t('curb:imports.mapping.open')}
            </Button>
          ) : null}
          {canStage && !isTable && status !== 'staged' ? (
            <Button
              leftSection={<IconPlayerPlay size={18} />}
              loading={start.isPending}
              onClick={() => start.mutate({ params, body: {} })}
            >
              {t('curb:imports.start')}
            </Button>
          ) : null}
          {status === 'staged' ? (
            <Button leftSection={<IconSend size={18} />} onClick={() => setOpen('publish')}>
              {t('curb:imports.publish.open')}
            </Button>
          ) : null}
          {status === 'published' ? (
            <Button
              variant="default"
              leftSection={<IconArrowBackUp size={18} />}
              onClick={() => setOpen('undo')}
            >
              {t('curb:imports.undo.open')}
            </Button>
          ) : null}
          {status === 'published' ? null : (
            <Button variant="default" leftSection={<IconTrash size={18} />} onClick={() => setOpen('delete')}>
              {t('curb:imports.delete.open')}
            </Button>
          )}
        </Group>
      ) : null}
      {open === 'mapping' ? <CurbMappingDialog importId={curbImport.import_id} onClose={close} /> : null}
      {open === 'publish' ? <PublishDialog params={params} curbImport={curbImport} onClose={close} /> : null}
      {open === 'undo' ? <UndoDialog params={params} onClose={close} /> : null}
      {open === 'delete' ? <DeleteDialog params={params} curbImport={curbImport} onClose={close} /> : null}
    </>
  )
}

interface DialogProps {
  params: { region_id: string; import_id: string }
  onClose: () => void
}

/** Confirms the publication of an import, now or at a later time. */
function PublishDialog({ params, curbImport, onClose }: DialogProps & { curbImport: CurbImport }) {
  const { t } = useTranslation()
  const [effectiveTime, setEffectiveTime] = useState('')
  const publish = useEndpointMutation(publishCurbImport, affectedQueries)
  const submit = () =>
    publish.mutate(
      { params, body: effectiveTime === '' ? {} : { effective_time: new Date(effectiveTime).toISOString() } },
      { onSuccess: onClose },
    )
  return (
    <FormDialog
      title={t('curb:imports.publish.title')}
      action={t('curb:imports.publish.action')}
      isPending={publish.isPending}
      error={publish.error}
      errorTitle={t('curb:imports.publish.failed')}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text>
        {t('curb:imports.publish.text', {
          source: curbImport.inventory_name,
          good: formatInteger(curbImport.outcomes.accepted + curbImport.outcomes.repaired),
          refused: formatInteger(curbImport.outcomes.refused),
        })}
      </Text>
      <TextInput
        type="datetime-local"
        label={t('curb:imports.publish.effective')}
        description={t('curb:imports.publish.effectiveText')}
        value={effectiveTime}
        onChange={(event) => setEffectiveTime(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

function UndoDialog({ params, onClose }: DialogProps) {
  const { t } = useTranslation()
  const undo = useEndpointMutation(undoCurbImport, affectedQueries)
  return (
    <ConfirmDialog
      title={t('curb:imports.undo.title')}
      action={t('curb:imports.undo.action')}
      isPending={undo.isPending}
      error={undo.error}
      onConfirm={() => undo.mutate({ params }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t('curb:imports.undo.text')}
    </ConfirmDialog>
  )
}

function DeleteDialog({ params, curbImport, onClose }: DialogProps & { curbImport: CurbImport }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const remove = useEndpointMutation(deleteCurbImport, [listCurbImports])
  return (
    <ConfirmDialog
      title={t('curb:imports.delete.title', { name: curbImport.file_name })}
      action={t('curb:imports.delete.action')}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(
          { params },
          { onSuccess: () => void navigate({ to: `/${params.region_id}/curb/regulations/imports` }) },
        )
      }
      onClose={onClose}
    >
      {t('curb:imports.delete.text')}
    </ConfirmDialog>
  )
}
