import { Autocomplete, Stack, TagsInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeLayer, listLayers, type Layer } from '#contract/geography.ts'
import { maxBufferMeters } from '#contract/map-names.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { DialogFoot } from '#web/kit/dialog-foot.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { toMarginMeters, toMarginUnit } from '#web/kit/format.ts'
import { useRegion } from '#web/shell/region.tsx'
import { SettingSwitch } from '#web/kit/setting-switch.tsx'

/** Predefined levels; any other text is allowed. */
const knownLevels = [
  'l1',
  'basemap:water',
  'basemap:park',
  'basemap:land',
  'basemap:street',
  'basemap:rail',
  'basemap:place',
] as const

interface NameProps {
  name: string
  level: string
  onName: (name: string) => void
  onLevel: (level: string) => void
}

export function LayerNameFields({ name, level, onName, onLevel }: NameProps) {
  const { t } = useTranslation()
  return (
    <>
      <TextInput
        data-autofocus
        label={t('geography:layer.name')}
        required
        maxLength={120}
        value={name}
        onChange={(event) => onName(event.currentTarget.value)}
      />
      <Autocomplete
        label={t('geography:layer.level')}
        description={t('geography:layer.levelNote')}
        maxLength={40}
        data={[...knownLevels]}
        value={level}
        onChange={onLevel}
      />
    </>
  )
}

/** Returns the suggested name of a layer: `City_wards.geojson` becomes `City wards`. */
export const layerNameOfFile = (fileName: string): string =>
  fileName
    .replace(/\.(zip|geojson|json|kml|shp)$/i, '')
    .replaceAll('_', ' ')
    .trim()

/** Returns the typed numbers within two limits, without duplicates, ascending; anything else is dropped. */
const parseNumbers = (texts: readonly string[], min: number, max: number): number[] =>
  [...new Set(texts.filter((text) => text.trim() !== '').map(Number))]
    .filter((value) => value >= min && value <= max)
    .sort((a, b) => a - b)

/** Parses hours, from one minute to a year. */
const parseHours = (texts: readonly string[]): number[] => parseNumbers(texts, 1 / 60, 8760)

/** Parses buffers in meters or feet, as typed, up to 5,000 m. */
export const parseBuffers = (texts: readonly string[], isMetric: boolean): number[] =>
  parseNumbers(texts, 0, toMarginUnit(maxBufferMeters, isMetric))

/** Converts typed values. Unchanged ones remain exactly as stored, although they are displayed rounded. */
const toStoredValues = (
  texts: readonly string[],
  stored: readonly number[],
  toDisplayed: (value: number) => number,
  toStored: (displayed: number) => number,
): number[] =>
  [
    ...new Set(
      texts.map(
        (text) => stored.find((value) => String(toDisplayed(value)) === text) ?? toStored(Number(text)),
      ),
    ),
  ].sort((a, b) => a - b)

/** Minutes in hours with two decimals, as displayed. */
const toHours = (minutes: number): number => Math.round((minutes / 60) * 100) / 100

interface Props {
  layer: Layer
  onDone: () => void
}

/** The settings of a layer: its properties, and what the server computes for it. */
export function LayerForm({ layer, onDone }: Props) {
  const { t } = useTranslation()
  const { isMetric } = useRegion()
  const toDisplayedBuffer = (meters: number): number => toMarginUnit(meters, isMetric)
  const [name, setName] = useState(layer.layer_name)
  const [level, setLevel] = useState(layer.level ?? '')
  const [buffers, setBuffers] = useState(layer.buffers.map((meters) => String(toDisplayedBuffer(meters))))
  const [filters, setFilters] = useState(
    layer.parking_duration_filters.map((minutes) => String(toHours(minutes))),
  )
  const [flags, setFlags] = useState({ editable: layer.editable, intersect_route: layer.intersect_route })
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
              buffers: toStoredValues(buffers, layer.buffers, toDisplayedBuffer, (displayed) =>
                Math.min(maxBufferMeters, toMarginMeters(displayed, isMetric)),
              ),
              parking_duration_filters: toStoredValues(
                filters,
                layer.parking_duration_filters,
                toHours,
                (hours) => Math.max(1, Math.round(hours * 60)),
              ),
              ...flags,
              if_modified_time: layer.modified_time,
            },
          },
          { onSuccess: onDone },
        )
      }}
    >
      <Stack gap="sm">
        <LayerNameFields name={name} level={level} onName={setName} onLevel={setLevel} />
        <SettingSwitch
          label={t('geography:layer.editable')}
          description={t('geography:layer.editableNote')}
          checked={flags.editable}
          onChange={({ currentTarget: { checked } }) => setFlags({ ...flags, editable: checked })}
        />
        <TagsInput
          label={t(isMetric ? 'geography:layer.buffers' : 'geography:layer.buffersFeet')}
          description={t('geography:layer.buffersNote')}
          maxTags={12}
          value={buffers}
          splitChars={[',', ' ', ';']}
          onChange={(values) => setBuffers(parseBuffers(values, isMetric).map(String))}
        />
        <TagsInput
          label={t('geography:layer.parkingFilters')}
          description={t('geography:layer.parkingFiltersNote')}
          maxTags={12}
          value={filters}
          splitChars={[',', ' ', ';']}
          onChange={(values) => setFilters(parseHours(values).map(String))}
        />
        <SettingSwitch
          label={t('geography:layer.intersect')}
          description={t('geography:layer.intersectNote')}
          checked={flags.intersect_route}
          onChange={({ currentTarget: { checked } }) => setFlags({ ...flags, intersect_route: checked })}
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
