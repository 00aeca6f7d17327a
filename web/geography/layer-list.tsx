import { Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isBasemapLevel, type Layer } from '#contract/geography.ts'
import { listLayerCubes, type LayerCubes } from '#contract/geography-use.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { LayerEntry } from './layer-entry.tsx'
import styles from './layer-entry.module.css'

/** Polling interval while sums are being computed, in ms. */
const pollingIntervalMs = 5000

/** Progress of the hourly sums by layer, polled while any are computed. Layers without it are absent. */
function useLayerCubes(regionId: string): ReadonlyMap<string, LayerCubes> {
  const { data } = useEndpointQuery(
    listLayerCubes,
    { params: { region_id: regionId } },
    {
      refetchInterval: ({ state }) =>
        state.data?.items.some(({ status }) => status === 'running' || status === 'waiting')
          ? pollingIntervalMs
          : false,
    },
  )
  return new Map((data?.items ?? []).map((cubes) => [cubes.shape_layer_uuid, cubes]))
}

interface Props {
  regionId: string
  layers: readonly Layer[]
  openLayerId: string | undefined
  onOpen: (shapeLayerUuid: string) => void
}

/** The layers of a region; those used by maps come before those that are only drawn below maps. */
export function LayerList({ regionId, layers, openLayerId: open, onOpen }: Props) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const cubes = useLayerCubes(regionId)
  const searchText = text.trim().toLowerCase()
  const matchingLayers = layers.filter(
    (layer) =>
      layer.layer_name.toLowerCase().includes(searchText) ||
      (layer.level ?? '').toLowerCase().includes(searchText),
  )
  const sortedLayers = matchingLayers.toSorted(
    (a, b) => getRank(a) - getRank(b) || a.layer_name.localeCompare(b.layer_name),
  )
  return (
    <>
      <TextInput
        aria-label={t('geography:layer.search')}
        placeholder={t('geography:layer.search')}
        leftSection={<IconSearch size={16} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <ul className={styles['list']} aria-label={t('geography:layers')}>
        {sortedLayers.map((layer) => (
          <LayerEntry
            key={layer.shape_layer_uuid}
            layer={layer}
            cubes={cubes.get(layer.shape_layer_uuid)}
            isOpen={layer.shape_layer_uuid === open}
            onOpen={() => onOpen(layer.shape_layer_uuid)}
          />
        ))}
      </ul>
      {sortedLayers.length === 0 ? (
        <Text c="dimmed" size="sm">
          {t('geography:layer.noneFound')}
        </Text>
      ) : null}
    </>
  )
}

/** Ranks the primary layer first, and layers that are only drawn below maps last. */
function getRank({ level }: Layer): number {
  if (level === 'l1') return 0
  return isBasemapLevel(level) ? 2 : 1
}
