import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  changeShape,
  getShape,
  getShapeHistory,
  listLayers,
  listShapes,
  type Shape,
} from '#contract/geography.ts'
import { listShapeRows } from '#contract/geography-use.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'

interface Props {
  shape: Shape
  regionId: string
  onClose: () => void
}

/** Edits the name and description of a shape. */
export function RenameShapeDialog({ shape, regionId, onClose }: Props) {
  const { t } = useTranslation()
  const [name, setName] = useState(shape.shape_name)
  const [description, setDescription] = useState(shape.shape_description ?? '')
  const change = useEndpointMutation(changeShape, [
    listShapes,
    listShapeRows,
    listLayers,
    getShape,
    getShapeHistory,
  ])
  return (
    <FormDialog
      title={t('geography:shape.renameOf', { name: shape.shape_name })}
      onClose={onClose}
      gap="sm"
      action={t('kit:save')}
      isPending={change.isPending}
      error={change.error}
      errorTitle={t(
        change.error?.status === 409 ? 'geography:shape.changedMeanwhile' : 'geography:layer.failed',
      )}
      onSubmit={() => {
        const body = {
          shape_name: name,
          shape_description: description.trim() || null,
          if_modified_time: shape.modified_time,
        }
        change.mutate(
          { params: { region_id: regionId, shape_uuid: shape.shape_uuid }, body },
          { onSuccess: onClose },
        )
      }}
    >
      <TextInput
        data-autofocus
        label={t('geography:shape.name')}
        required
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label={t('geography:shape.description')}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={2000}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
