import { Autocomplete, Checkbox, Stack, TagsInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeLayer, hourlyProcesses, listLayers, type Layer } from '#contract/geography.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { DialogFoot } from '#web/kit/dialog-foot.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { SettingSwitch } from '#web/kit/setting-switch.tsx'

/** Levels with a meaning of their own; any other text is allowed. */
export const knownLevels = [
  'l1',
  'basemap:water',
  'basemap:park',
  'basemap:land',
  'basemap:street',
  'basemap:rail',
  'basemap:place',
] as const

/** `City wards.geojson` -> `City wards` */
export const nameOfFile = (fileName: string): string =>
  fileName
    .replace(/\.(zip|geojson|json|kml|shp)$/i, '')
    .replaceAll('_', ' ')
    .trim()

/** Whole minutes from typed texts: 1 to a year's, each once, ascending; what is no number is left out. */
const minutesOf = (texts: readonly string[]): number[] =>
  [...new Set(texts.filter((text) => text.trim() !== '').map(Number))]
    .filter((minutes) => Number.isInteger(minutes) && minutes >= 1 && minutes <= 525_600)
    .sort((a, b) => a - b)

/** Metres from typed texts: 0 to 5,000, each once, ascending; what is no number is left out. */
export const buffersOf = (texts: readonly string[]): number[] =>
  [...new Set(texts.filter((text) => text.trim() !== '').map(Number))]
    .filter((metres) => metres >= 0 && metres <= 5000)
    .sort((a, b) => a - b)

interface Props {
  layer: Layer
  onDone: () => void
}

/** What a layer is, and what the server computes for it. */
export function LayerForm({ layer, onDone }: Props) {
  const { t } = useTranslation()
  const [name, setName] = useState(layer.layer_name)
  const [level, setLevel] = useState(layer.level ?? '')
  const [buffers, setBuffers] = useState(layer.buffers.map(String))
  const [filters, setFilters] = useState(layer.parking_duration_filters.map(String))
  const [hourly, setHourly] = useState<string[]>(layer.hourly_processing)
  const [flags, setFlags] = useState({
    editable: layer.editable,
    intersect_route: layer.intersect_route,
    vehicle_counts: layer.vehicle_counts,
  })
  const change = useEndpointMutation(changeLayer, [listLayers])

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate(
          {
            params: { region_id: layer.region_id, shape_layer_uuid: layer.shape_layer_uuid },
            body: {
              layer_name: name,
              level: level.trim() || null,
              buffers: buffersOf(buffers),
              parking_duration_filters: minutesOf(filters),
              hourly_processing: hourlyProcesses.filter((each) => hourly.includes(each)),
              ...flags,
              if_modified_time: layer.modified_time,
            },
          },
          { onSuccess: onDone },
        )
      }}
    >
      <Stack gap="sm">
        <TextInput
          data-autofocus
          label={t('geography:layer.name')}
          required
          maxLength={120}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Autocomplete
          label={t('geography:layer.level')}
          description={t('geography:layer.levelNote')}
          maxLength={40}
          data={[...knownLevels]}
          value={level}
          onChange={setLevel}
          comboboxProps={{ withinPortal: true }}
        />
        <SettingSwitch
          label={t('geography:layer.editable')}
          description={t('geography:layer.editableNote')}
          checked={flags.editable}
          onChange={({ currentTarget: { checked } }) => setFlags({ ...flags, editable: checked })}
        />
        <TagsInput
          label={t('geography:layer.buffers')}
          description={t('geography:layer.buffersNote')}
          maxTags={12}
          value={buffers}
          splitChars={[',', ' ', ';']}
          onChange={(values) => setBuffers(buffersOf(values).map(String))}
        />
        <TagsInput
          label={t('geography:layer.parkingFilters')}
          description={t('geography:layer.parkingFiltersNote')}
          maxTags={12}
          value={filters}
          splitChars={[',', ' ', ';']}
          onChange={(values) => setFilters(minutesOf(values).map(String))}
        />
        <Checkbox.Group
          label={t('geography:layer.hourly')}
          description={t('geography:layer.hourlyNote')}
          value={hourly}
          onChange={setHourly}
        >
          <Stack gap={6} mt={6}>
            {hourlyProcesses.map((each) => (
              <Checkbox key={each} value={each} label={t(`geography:hourly.${each}`)} />
            ))}
          </Stack>
        </Checkbox.Group>
        <SettingSwitch
          label={t('geography:layer.intersect')}
          description={t('geography:layer.intersectNote')}
          checked={flags.intersect_route}
          onChange={({ currentTarget: { checked } }) => setFlags({ ...flags, intersect_route: checked })}
        />
        <SettingSwitch
          label={t('geography:layer.vehicleCounts')}
          description={t('geography:layer.vehicleCountsNote')}
          checked={flags.vehicle_counts}
          onChange={({ currentTarget: { checked } }) => setFlags({ ...flags, vehicle_counts: checked })}
        />
        {change.error ? (
          <FailedState
            error={change.error}
            title={t(
              change.error.status === 409 ? 'geography:layer.changedMeanwhile' : 'geography:layer.failed',
            )}
          />
        ) : null}
        <DialogFoot action={t('kit:save')} isPending={change.isPending} onCancel={onDone} />
      </Stack>
    </form>
  )
}
