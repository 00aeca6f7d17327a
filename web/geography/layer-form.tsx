import { Autocomplete, Button, Group, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeLayer, listLayers, type Layer } from '#contract/geography.ts'
import { useAct } from '#web/data/act.ts'
import { FailedState } from '#web/kit/failed-state.tsx'
import { buffersOf } from './buffers-of.ts'
import { knownLevels } from './levels.ts'

export function LayerForm({ layer }: { layer: Layer }) {
  const { t } = useTranslation()
  const [name, setName] = useState(layer.layer_name)
  const [level, setLevel] = useState(layer.level ?? '')
  const [buffers, setBuffers] = useState(layer.buffers.map(String))
  const change = useAct(changeLayer, [listLayers])

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate({
          params: { region_id: layer.region_id, shape_layer_uuid: layer.shape_layer_uuid },
          body: { layer_name: name, level: level.trim() || null, buffers: buffersOf(buffers) },
        })
      }}
    >
      <Stack gap="sm">
        <TextInput label={t('geography:layer.name')} required maxLength={120} value={name} onChange={(event) => setName(event.currentTarget.value)} />
        <Autocomplete label={t('geography:layer.level')} description={t('geography:layer.levelNote')} maxLength={40} data={[...knownLevels]} value={level} onChange={setLevel} comboboxProps={{ withinPortal: true }} />
        <TagsInput
          label={t('geography:layer.buffers')} description={t('geography:layer.buffersNote')} maxTags={12} value={buffers} splitChars={[',', ' ', ';']}
          onChange={(values) => setBuffers(buffersOf(values).map(String))}
        />
        {change.error ? <FailedState error={change.error} title={t('geography:layer.failed')} /> : null}
        <Group>
          <Button type="submit" loading={change.isPending}>{t('kit:save')}</Button>
          {change.isSuccess ? <Text role="status" size="sm" c="var(--green)">{t('geography:layer.saved')}</Text> : null}
        </Group>
      </Stack>
    </form>
  )
}
