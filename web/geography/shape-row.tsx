import { ActionIcon, Group, Text } from '@mantine/core'
import { IconHistory, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deleteShape, listLayers, listShapes, type Shape } from '#contract/geography.ts'
import { useAct } from '#web/data/act.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { RenameShape } from './rename-shape.tsx'
import { ShapeHistory } from './shape-history.tsx'

interface Props {
  shape: Shape
  regionId: string
  mayEdit: boolean
}

type Open = 'rename' | 'delete' | 'history' | null

export function ShapeRow({ shape, regionId, mayEdit }: Props) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<Open>(null)
  const remove = useAct(deleteShape, [listShapes, listLayers])
  const name = shape.shape_name
  const close = () => setOpen(null)

  return (
    <li>
      <Text truncate flex={1} title={name}>{name}</Text>
      <Group gap={4} wrap="nowrap">
        <ActionIcon variant="subtle" aria-label={t('geography:shape.historyOf', { name })} aria-expanded={open === 'history'} onClick={() => setOpen(open === 'history' ? null : 'history')}><IconHistory size={18} /></ActionIcon>
        {mayEdit ? (
          <>
            <ActionIcon variant="subtle" aria-label={t('geography:shape.renameOf', { name })} onClick={() => setOpen('rename')}><IconPencil size={18} /></ActionIcon>
            <ActionIcon variant="subtle" color="red" aria-label={t('geography:shape.deleteOf', { name })} onClick={() => setOpen('delete')}><IconTrash size={18} /></ActionIcon>
          </>
        ) : null}
      </Group>
      {open === 'history' ? <ShapeHistory shape={shape} regionId={regionId} /> : null}
      {open === 'rename' ? <RenameShape shape={shape} regionId={regionId} onClose={close} /> : null}
      {open === 'delete' ? (
        <ConfirmDialog
          title={t('geography:shape.deleteOf', { name })} action={t('kit:delete')} isPending={remove.isPending} error={remove.error} onClose={close}
          onConfirm={() => remove.mutate({ params: { region_id: regionId, shape_uuid: shape.shape_uuid } }, { onSuccess: close })}
        >
          {t('geography:shape.deleteText')}
        </ConfirmDialog>
      ) : null}
    </li>
  )
}
