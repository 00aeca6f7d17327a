import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { listLayers } from '#contract/geography.ts'
import type { Box } from '#contract/place.ts'
import type { Region } from '#contract/regions.ts'
import { boxAround } from '#web/map/rendering/box-around.ts'
import { BinLegend } from '#web/charts/bin-legend.tsx'
import { useEndpointQuery } from '#web/data/query.ts'
import { useBasemap } from '#web/map-page/use-basemap.ts'
import { formatInteger } from '#web/kit/format.ts'
import { dataColors } from '#web/kit/theme.ts'
import { shapeStates } from '#web/map/layers/shape-states.ts'
import type { ShapeBin } from '#web/map/layers/shape-values.ts'
import { streetSideLayer } from '#web/map/layers/street-side-layer.ts'
import { EmbeddedMap } from '#web/map-page/embedded-map.tsx'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import type { MapCell } from './cell-choice.tsx'
import styles from './pricing.module.css'
import { formatPricingCell } from './pricing-text.ts'

/** A row of the map; `value` determines its bin. */
export interface MapRow {
  curb_zone_id: string
  shape_name: string
  value: number | null
  /** Text of the card under the pointer. */
  text: string
  bbox: Box
}

/** A bin of the map: its name and its range of values. `color` is an index of the diverging scheme. */
export interface MapBin {
  key: string
  label: string
  color: number
  has: (value: number) => boolean
}

interface Props {
  region: Region
  rows: readonly MapRow[]
  bins: readonly MapBin[]
  /** Path of the vector tiles below the region's address. */
  path: 'occupancy_target' | 'rate_target'
  parameters: object
  /** The time band and day type that the map shows. */
  cell: MapCell
  /** What the map shows, without its time band and day type. */
  heading: string
  selected: string | null
  onSelect: (id: string | null) => void
  at: number
  isDimmed: boolean
}

/** Curb zones colored by the proposed change. */
export function PricingMap({
  region,
  rows,
  bins,
  path,
  parameters,
  cell,
  heading,
  selected,
  onSelect,
  at,
  isDimmed,
}: Props) {
  const { t } = useTranslation()
  const scheme = useMapScheme()
  const layers = useEndpointQuery(listLayers, { params: { region_id: region.regionId } }).data?.items ?? null
  const basemap = useBasemap(layers, at)
  const colors = dataColors[scheme].diverging
  const title = `${heading} · ${formatPricingCell(t, cell)}`
  const queryString = new URLSearchParams({ parameters: JSON.stringify(parameters), ...cell }).toString()
  const tiles = `${location.origin}/v2/regions/${encodeURIComponent(region.regionId)}/pricing_engine/${path}/vector/{z}/{x}/{y}?${queryString}`
  const layer = useMemo(
    () =>
      streetSideLayer({
        key: `pricing:${queryString}`,
        source: { type: 'vector', tiles: [tiles], minzoom: 12, maxzoom: 18, promoteId: 'curb_zone_id' },
        sourceLayer: 'shapes',
        idProperty: 'curb_zone_id',
        sideProperty: 'side',
        binById: new Map(),
        colors: bins.map(({ color }) => colors[color] ?? dataColors[scheme].noData),
        scheme,
      }),
    [queryString, tiles, bins, colors, scheme],
  )
  const binById = useMemo(
    () =>
      new Map(
        rows.map(({ curb_zone_id: id, value }): [string, ShapeBin] => {
          const bin = value === null ? -1 : bins.findIndex(({ has }) => has(value))
          return [id, bin < 0 ? 'none' : bin]
        }),
      ),
    [rows, bins],
  )
  const scene = useMemo(
    () => ({ scheme, basemap, layers: [{ ...layer, states: shapeStates(binById) }], heat: null, selected }),
    [scheme, basemap, layer, binById, selected],
  )
  const box = useMemo(() => boxAround(rows.map(({ bbox }) => bbox)), [rows])
  const cameraTarget = useMemo(() => box && { box, minZoom: 13 }, [box])
  const counts = bins.map((_, index) => [...binById.values()].filter((zoneBin) => zoneBin === index).length)
  const countWithoutBin = [...binById.values()].filter((zoneBin) => zoneBin === 'none').length
  return (
    <div className={styles['map']}>
      <EmbeddedMap
        region={region}
        scene={scene}
        title={title}
        isDimmed={isDimmed}
        cameraTarget={cameraTarget}
        onSelect={onSelect}
        hoverCard={(id) => {
          const row = rows.find((candidate) => candidate.curb_zone_id === id)
          return (
            <>
              <strong>{row?.shape_name ?? id}</strong> {row?.text}
            </>
          )
        }}
      />
      <div className={styles['legend']}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <BinLegend
          label={title}
          rows={[
            ...bins.map(({ key, label, color }, index) => ({
              key,
              label,
              members: formatInteger(counts[index]),
              swatch: { color: colors[color] ?? '', opacity: 1 },
            })),
            {
              key: 'none',
              label: t('curb:pricing.map.none'),
              members: formatInteger(countWithoutBin),
              swatch: 'none' as const,
            },
          ]}
        />
      </div>
    </div>
  )
}
