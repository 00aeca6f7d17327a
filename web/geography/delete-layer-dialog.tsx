import { useTranslation } from 'react-i18next'
import { deleteLayer, listLayers, type Layer } from '#contract/geography.ts'
import { listLayerDependents } from '#contract/geography-use.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { formatInteger } from '#web/kit/format.ts'
import { DependentList } from './dependent-list.tsx'

interface Props {
  layer: Layer
  onClose: () => void
  onDeleted: () => void
}

/** Confirms the deletion of a layer, with the objects that depend on it. */
export function DeleteLayerDialog({ layer, onClose, onDeleted }: Props) {
  const { t } = useTranslation()
  const params = { region_id: layer.region_id, shape_layer_uuid: layer.shape_layer_uuid }
  const dependents = useEndpointQuery(listLayerDependents, { params }, { staleTime: 0 })
  const remove = useEndpointMutation(deleteLayer, [listLayers])
  const shapes = t('geography:shapeCount', {
    count: layer.shape_count,
    shown: formatInteger(layer.shape_count),
  })
  const depends = dependents.data?.dependents ?? []
  const query = { if_modified_time: layer.modified_time, ...(depends.length > 0 ? { confirm: 'true' } : {}) }
  return (
    <ConfirmDialog
      title={t('geography:shape.deleteOf', { name: layer.layer_name })}
      action={t(depends.length > 0 ? 'geography:depends.deleteAnyway' : 'kit:delete')}
      isPending={remove.isPending || dependents.isPending}
      error={remove.error ?? dependents.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate({ params, query } as never, {
          onSuccess: () => {
            showToast(t('kit:did.deleted', { name: layer.layer_name }))
            onDeleted()
          },
        })
      }
    >
      <p>{t('geography:layer.deleteText', { name: layer.layer_name, shapes })}</p>
      <DependentList dependents={depends} />
    </ConfirmDialog>
  )
}
