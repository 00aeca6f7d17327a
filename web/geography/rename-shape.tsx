import { Stack, Textarea, TextInput } from '@mantine/core'
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
import { Dialog } from '#web/kit/dialog.tsx'
import { DialogFoot } from '#web/kit/dialog-foot.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'

interface Props {
  shape: Shape
  regionId: string
  onClose: () => void
}

/** Name and description of a shape. */
export function RenameShape({ shape, regionId, onClose }: Props) {
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
    <Dialog title={t('geography:shape.renameOf', { name: shape.shape_name })} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
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
        <Stack gap="sm">
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
          {change.error ? (
            <FailedState
              error={change.error}
              title={t(
                change.error.status === 409 ? 'geography:shape.changedMeanwhile' : 'geography:layer.failed',
              )}
            />
          ) : null}
        </Stack>
        <DialogFoot action={t('kit:save')} isPending={change.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
