import { Button, Group, Text } from '@mantine/core'
import {
  IconDownload,
  IconFileImport,
  IconHistory,
  IconPencil,
  IconPlus,
  IconSettings,
} from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Layer } from '#contract/geography.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { Loaded, type QueryState } from '#web/kit/loaded.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { useFileDrop } from '#web/kit/use-file-drop.ts'
import { BoundaryUploadDialog } from './boundary-upload-dialog.tsx'
import styles from './geography.module.css'
import { DeleteLayerDialog } from './delete-layer-dialog.tsx'
import { EmptyLayerForm } from './empty-layer-form.tsx'
import { LayerForm } from './layer-form.tsx'
import { LayerHistoryDialog } from './layer-history-dialog.tsx'
import { LayerList } from './layer-list.tsx'
import { layerExportFormats, exportLayer, type LayerExportFormat } from '#contract/geography-use.ts'
import { endpointUrl } from '#web/data/endpoint-url.ts'
import { ActionMenu } from '#web/kit/action-menu.tsx'

const fileExtensions: Record<LayerExportFormat, string> = {
  geojson: 'geojson',
  kml: 'kml',
  shapefile: 'zip',
  csv: 'csv',
}

/** Downloads the layer as a file in one of several formats. */
function ExportMenu({ layer }: { layer: Layer }) {
  const { t } = useTranslation()
  const params = { region_id: layer.region_id, shape_layer_uuid: layer.shape_layer_uuid }
  return (
    <ActionMenu
      position="bottom-start"
      width={220}
      target={
        <Button size="xs" variant="default" leftSection={<IconDownload size={16} />}>
          {t('geography:export.button')}
        </Button>
      }
      actions={layerExportFormats.map((format) => ({
        key: format,
        label: t(`geography:export.${format}`),
        href: endpointUrl(exportLayer, { params, query: { format } }),
        download: `${layer.layer_slug}.${fileExtensions[format]}`,
      }))}
    />
  )
}

type OpenDialog = 'import' | 'new' | 'settings' | 'history' | 'delete'

interface Props {
  response: QueryState<{ items: Layer[] }>
  layer: Layer | null
  canEdit: boolean
  isSmall: boolean
  onOpen: (shapeLayerUuid: string) => void
  onEdit: () => void
  /** Ref of the edit button, which takes the focus when editing ends. */
  editButtonRef: (shown: HTMLElement | null) => void
  onOpenShape: (shapeUuid: string) => void
  /** Called when the layer was deleted. */
  onDeleted: () => void
}

/** The list of layers, and the actions of the one on the map. */
export function LayerPanel({
  response,
  layer,
  canEdit,
  isSmall,
  onOpen,
  onEdit,
  editButtonRef,
  onOpenShape,
  onDeleted,
}: Props) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const [droppedFile, setDroppedFile] = useState<File | null>(null)
  const close = () => {
    setOpenDialog(null)
    setDroppedFile(null)
  }
  const handleFile = useCallback((file: File) => {
    setDroppedFile(file)
    setOpenDialog('import')
  }, [])
  const isFileOver = useFileDrop(canEdit && openDialog === null ? handleFile : null)
  return (
    <>
      {canEdit ? (
        <Group gap={6} grow>
          <Button
            variant="light"
            leftSection={<IconFileImport size={16} />}
            onClick={() => setOpenDialog('import')}
          >
            {t('geography:import')}
          </Button>
          <Button variant="light" leftSection={<IconPlus size={16} />} onClick={() => setOpenDialog('new')}>
            {t('geography:newLayer.open')}
          </Button>
        </Group>
      ) : null}
      {layer ? (
        <LayerActions
          layer={layer}
          canEdit={canEdit}
          isSmall={isSmall}
          editButtonRef={editButtonRef}
          onEdit={onEdit}
          onOpen={setOpenDialog}
        />
      ) : null}
      <Loaded query={response} isEmpty={({ items }) => items.length === 0} empty={null}>
        {({ items }) => (
          <LayerList
            regionId={regionId}
            layers={items}
            openLayerId={layer?.shape_layer_uuid}
            onOpen={onOpen}
          />
        )}
      </Loaded>
      {isFileOver ? (
        <div className={styles['dropHere']} role="status">
          <IconFileImport size={24} aria-hidden="true" />
          {t('geography:drop.here')}
        </div>
      ) : null}
      {openDialog ? (
        <LayerDialog
          open={openDialog}
          layer={layer}
          canEdit={canEdit}
          file={droppedFile}
          onClose={close}
          onOpen={onOpen}
          onOpenShape={onOpenShape}
          onDelete={() => setOpenDialog('delete')}
          onDeleted={onDeleted}
        />
      ) : null}
    </>
  )
}

interface LayerActionsProps extends Pick<Props, 'canEdit' | 'isSmall' | 'editButtonRef' | 'onEdit'> {
  layer: Layer
  onOpen: (dialog: OpenDialog) => void
}

function LayerActions({ layer, canEdit, isSmall, editButtonRef, onEdit, onOpen }: LayerActionsProps) {
  const { t } = useTranslation()
  return (
    <div>
      <Group gap={6}>
        {canEdit && layer.editable && !isSmall ? (
          <Button ref={editButtonRef} size="xs" leftSection={<IconPencil size={16} />} onClick={onEdit}>
            {t('geography:editing.start')}
          </Button>
        ) : null}
        {canEdit ? (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconSettings size={16} />}
            onClick={() => onOpen('settings')}
          >
            {t('geography:layer.settings')}
          </Button>
        ) : null}
        <Button
          size="xs"
          variant="default"
          leftSection={<IconHistory size={16} />}
          onClick={() => onOpen('history')}
        >
          {t('geography:layer.history')}
        </Button>
        <ExportMenu layer={layer} />
      </Group>
      {canEdit && isSmall && layer.editable ? (
        <Text size="xs" c="dimmed" mt={6}>
          {t('geography:editing.larger')}
        </Text>
      ) : null}
      {canEdit && !layer.editable ? (
        <Text size="xs" c="dimmed" mt={6}>
          {t('geography:layer.lockedNote')}
        </Text>
      ) : null}
    </div>
  )
}

interface LayerDialogProps extends Pick<Props, 'layer' | 'canEdit' | 'onOpen' | 'onOpenShape' | 'onDeleted'> {
  open: OpenDialog
  /** A dropped file to import. */
  file: File | null
  onClose: () => void
  onDelete: () => void
}

function LayerDialog({
  open,
  layer,
  canEdit,
  file,
  onClose,
  onOpen,
  onOpenShape,
  onDelete,
  onDeleted,
}: LayerDialogProps) {
  const { t } = useTranslation()
  return (
    <>
      {open === 'import' ? (
        <BoundaryUploadDialog
          file={file}
          onClose={onClose}
          onCreated={(uuid) => {
            onClose()
            onOpen(uuid)
          }}
        />
      ) : null}
      {open === 'new' ? (
        <Dialog title={t('geography:newLayer.open')} size={520} onClose={onClose}>
          <EmptyLayerForm
            onCancel={onClose}
            onCreated={(uuid) => {
              onClose()
              onOpen(uuid)
            }}
          />
        </Dialog>
      ) : null}
      {open === 'settings' && layer ? (
        <Dialog
          title={t('geography:layer.settingsOf', { name: layer.layer_name })}
          size={520}
          onClose={onClose}
        >
          <LayerForm key={layer.modified_time} layer={layer} onDone={onClose} />
          <Button mt="sm" variant="subtle" color="red" size="xs" onClick={onDelete}>
            {t('geography:layer.delete')}
          </Button>
        </Dialog>
      ) : null}
      {open === 'history' && layer ? (
        <LayerHistoryDialog
          layer={layer}
          canEdit={canEdit}
          onClose={onClose}
          onOpen={(uuid) => {
            onClose()
            onOpenShape(uuid)
          }}
        />
      ) : null}
      {open === 'delete' && layer ? (
        <DeleteLayerDialog
          layer={layer}
          onClose={onClose}
          onDeleted={() => {
            onClose()
            onDeleted()
          }}
        />
      ) : null}
    </>
  )
}
