import { useTranslation } from 'react-i18next'
import {
  deleteShape,
  getShape,
  getShapeHistory,
  listLayers,
  listShapes,
  type Shape,
} from '#contract/geography.ts'
import { listShapeDependents, listShapeRows } from '#contract/geography-use.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { DependentList } from './dependent-list.tsx'

interface Props {
  shape: Shape
  regionId: string
  onClose: () => void
  onDeleted: () => void
}

/** Confirms the deletion of a shape, with the objects that depend on it. */
export function DeleteShapeDialog({ shape, regionId, onClose, onDeleted }: Props) {
  const { t } = useTranslation()
  const params = { region_id: regionId, shape_uuid: shape.shape_uuid }
  const dependents = useEndpointQuery(listShapeDependents, { params }, { staleTime: 0 })
  const remove = useEndpointMutation(deleteShape, [
    listShapes,
    listShapeRows,
    listLayers,
    getShape,
    getShapeHistory,
  ])
  const depends = dependents.data?.dependents ?? []
  const query = { if_modified_time: shape.modified_time, ...(depends.length > 0 ? { confirm: 'true' } : {}) }
  return (
    <ConfirmDialog
      title={t('geography:shape.deleteOf', { name: shape.shape_name })}
      action={t(depends.length > 0 ? 'geography:depends.deleteAnyway' : 'kit:delete')}
      isPending={remove.isPending || dependents.isPending}
      error={remove.error ?? dependents.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate({ params, query } as never, {
          onSuccess: () => {
            showToast(t('kit:did.deleted', { name: shape.shape_name }))
            onDeleted()
          },
        })
      }
    >
      <p>{t('geography:shape.deleteText')}</p>
      <DependentList dependents={depends} />
    </ConfirmDialog>
  )
}
