import { Button, Divider, Group, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deleteLayer, listLayers, type Layer } from '#contract/geography.ts'
import { useAct } from '#web/data/act.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { formatWhole } from '#web/kit/format.ts'
import { SideDrawer } from '#web/kit/side-drawer.tsx'
import { LayerForm } from './layer-form.tsx'
import { ShapeList } from './shape-list.tsx'

interface Props {
  layer: Layer
  mayEdit: boolean
  onClose: () => void
}

/** One layer: its settings and its shapes. */
export function LayerDrawer({ layer, mayEdit, onClose }: Props) {
  const { t } = useTranslation()
  const [asks, setAsks] = useState(false)
  const remove = useAct(deleteLayer, [listLayers])
  const params = { region_id: layer.region_id, shape_layer_uuid: layer.shape_layer_uuid }
  const shapes = t('geography:shapeCount', { count: layer.shape_count, shown: formatWhole(layer.shape_count) })

  return (
    <SideDrawer isOpen onClose={onClose} position="right" size={520} title={layer.layer_name}>
      <Text size="sm" c="dimmed" mb="md">
        {shapes} · {t(`geography:type.${layer.geometry_type}`)}{layer.overlaps ? ` · ${t('geography:layer.overlapNote')}` : ''}
      </Text>
      {mayEdit ? (
        <>
          <LayerForm layer={layer} />
          <Group mt="sm">
            <Button variant="subtle" color="red" size="xs" leftSection={<IconTrash size={16} />} onClick={() => setAsks(true)}>{t('geography:layer.delete')}</Button>
          </Group>
        </>
      ) : null}
      <Divider my="md" />
      <ShapeList layer={layer} mayEdit={mayEdit} />
      {asks ? (
        <ConfirmDialog
          title={t('geography:layer.delete')} action={t('kit:delete')} isPending={remove.isPending} error={remove.error}
          onClose={() => setAsks(false)} onConfirm={() => remove.mutate({ params }, { onSuccess: onClose })}
        >
          {t('geography:layer.deleteText', { name: layer.layer_name, shapes })}
        </ConfirmDialog>
      ) : null}
    </SideDrawer>
  )
}
