import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createLayer } from '#contract/boundary-files.ts'
import { listLayers } from '#contract/geography.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { DialogFoot } from '#web/kit/dialog-foot.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { LayerNameFields } from './layer-form.tsx'

interface Props {
  onCancel: () => void
  onCreated: (shapeLayerUuid: string) => void
}

/** Creates a layer without shapes, to draw them afterward. */
export function EmptyLayerForm({ onCancel, onCreated }: Props) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const [name, setName] = useState('')
  const [level, setLevel] = useState('')
  const create = useEndpointMutation(createLayer, [listLayers])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate(
          { params: { region_id: regionId }, body: { layer_name: name, level: level.trim() || null } },
          { onSuccess: ({ layer }) => onCreated(layer.shape_layer_uuid) },
        )
      }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {t('geography:newLayer.text')}
        </Text>
        <LayerNameFields name={name} level={level} onName={setName} onLevel={setLevel} />
        {create.error ? <FailedState error={create.error} title={t('geography:preview.failed')} /> : null}
      </Stack>
      <DialogFoot action={t('geography:preview.create')} isPending={create.isPending} onCancel={onCancel} />
    </form>
  )
}
