import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeShape, listShapes, type Shape } from '#contract/geography.ts'
import { useAct } from '#web/data/act.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { DialogFoot } from '#web/kit/dialog-foot.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'

interface Props {
  shape: Shape
  regionId: string
  onClose: () => void
}

export function RenameShape({ shape, regionId, onClose }: Props) {
  const { t } = useTranslation()
  const [name, setName] = useState(shape.shape_name)
  const change = useAct(changeShape, [listShapes])
  return (
    <Dialog title={t('geography:shape.renameOf', { name: shape.shape_name })} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate({ params: { region_id: regionId, shape_uuid: shape.shape_uuid }, body: { shape_name: name } }, { onSuccess: onClose })
        }}
      >
        <TextInput data-autofocus label={t('geography:shape.name')} required maxLength={120} value={name} onChange={(event) => setName(event.currentTarget.value)} />
        {change.error ? <FailedState error={change.error} title={t('geography:layer.failed')} /> : null}
        <DialogFoot action={t('kit:save')} isPending={change.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
