import { Button, Slider, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { getOccupancyTile, type OccupancyResponse, type ZoneOccupancy } from '#contract/curb-occupancy.ts'
import type { CurbZoneChoice } from '#contract/curb-zones.ts'
import { listLayers } from '#contract/geography.ts'
import type { Box } from '#contract/place.ts'
import type { Region } from '#contract/regions.ts'
import { boxAround } from '#web/map/rendering/box-around.ts'
import { BinLegend } from '#web/charts/bin-legend.tsx'
import { endpointUrl } from '#web/data/endpoint-url.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useBasemap } from '#web/map-page/use-basemap.ts'
import { formatInteger, formatPercent } from '#web/kit/format.ts'
import { dataColors, type Scheme } from '#web/kit/theme.ts'
import type { ShapeBin } from '#web/map/layers/shape-values.ts'
import { streetSideLayer } from '#web/map/layers/street-side-layer.ts'
import { EmbeddedMap } from '#web/map-page/embedded-map.tsx'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { formatTimeOfDay } from '#web/kit/time/time-of-day.ts'
import type { toOccupancyQuery } from './occupancy-search.ts'
import styles from './occupancy.module.css'

/** Lower bounds of the bins as shares; the last bin is for values above 100%. */
const lowerBounds = [0, 0.2, 0.4, 0.6, 0.8, 1] as const

/** Returns the bin of an occupancy; 100% belongs to the bin below it. */
function getBin(value: number | null): ShapeBin {
  if (value === null) return 'none'
  if (value > 1) return lowerBounds.length - 1
  const index = lowerBounds.findLastIndex((bound) => value >= bound)
  return Math.min(lowerBounds.length - 2, index)
}

/** Returns steps of one hue from empty to full; values above 100% have a contrasting color. */
const getColors = (scheme: Scheme): string[] => {
  const { sequential, categorical } = dataColors[scheme]
  return [...[0, 1, 3, 4, 6].map((step) => sequential.tide[step]), categorical[1]] as string[]
}

/** Returns the box around the zones with values, or around all zones. */
function boxAroundZones({ zones }: OccupancyResponse, choices: readonly CurbZoneChoice[]): Box | null {
  const idsWithData = new Set(
    zones.flatMap(({ known_hours: hours, curb_zone_id: id }) => (hours > 0 ? [id] : [])),
  )
  const boxedZones = choices.filter(({ curb_zone_id: id }) => idsWithData.size === 0 || idsWithData.has(id))
  return boxAround(boxedZones.map(({ bbox }) => bbox))
}

/** Returns the occupancy in one hour of the day, or in all; null if it is unknown. */
const getValue = (zone: ZoneOccupancy, hour: number | undefined): number | null =>
  hour === undefined ? zone.occupancy : (zone.hours[hour] ?? null)

interface Props {
  region: Region
  response: OccupancyResponse
  choices: readonly CurbZoneChoice[]
  query: ReturnType<typeof toOccupancyQuery>
  /** Hour of the day; undefined for all hours of the request. */
  hour: number | undefined
  selected: string | null
  at: number
  onHourChange: (hour: number | undefined) => void
  onSelect: (zone: string | null) => void
}

/** Occupancy by zone, over all hours or in one selected with a slider. */
export function OccupancyMap({
  region,
  response,
  choices,
  query,
  hour,
  selected,
  at,
  onHourChange,
  onSelect,
}: Props) {
  const { t } = useTranslation()
  const { regionId } = region
  const binById = useMemo(
    () => new Map(response.zones.map((zone) => [zone.curb_zone_id, getBin(getValue(zone, hour))])),
    [response, hour],
  )
  const scene = useOccupancyScene({ regionId, query, version: response.v, binById, selected, at })
  const cameraTarget = useMemo(() => {
    const box = boxAroundZones(response, choices)
    return box && { box, minZoom: 13 }
  }, [response, choices])
  const boxes = new Map(choices.map(({ curb_zone_id: id, bbox }) => [id, bbox]))
  const zoneById = new Map(response.zones.map((zone) => [zone.curb_zone_id, zone]))
  return (
    <div className={styles['mapPart']}>
      <div className={styles['map']}>
        <EmbeddedMap
          region={region}
          scene={scene}
          title={t('curb:occupancy.map.label')}
          onSelect={onSelect}
          cameraTarget={cameraTarget}
          findShape={(id) => boxes.get(id) ?? null}
          hoverCard={(id) => {
            const zone = zoneById.get(id)
            return zone ? <HoverCard zone={zone} value={getValue(zone, hour)} /> : null
          }}
        />
      </div>
      <div className={styles['side']}>
        <HourSlider hour={hour} onHourChange={onHourChange} />
        <OccupancyLegend binById={binById} />
        <Text size="sm" c="dimmed">
          {t('curb:occupancy.map.note')}
        </Text>
      </div>
    </div>
  )
}

interface OccupancyScene extends Pick<Props, 'query' | 'selected' | 'at'> {
  regionId: string
  /** Version of the response, which the tiles show too. */
  version: string
  binById: ReadonlyMap<string, ShapeBin>
}

/** Returns the zones in the colors of their occupancy at the selected hour. */
function useOccupancyScene({ regionId, query, version, binById, selected, at }: OccupancyScene) {
  const scheme = useMapScheme()
  const layers = useEndpointQuery(listLayers, { params: { region_id: regionId } }).data?.items ?? null
  const basemap = useBasemap(layers, at)
  const tiles = useMemo(() => {
    // The URL is built for a tile; its numbers are then replaced with the placeholders of a template.
    const url = endpointUrl(getOccupancyTile, {
      params: { region_id: regionId, z: 1, x: 2, y: 3 },
      query: { ...query, v: version } as never,
    })
    return new URL(url, location.origin).href.replace('/vector/1/2/3', '/vector/{z}/{x}/{y}')
  }, [regionId, query, version])
  return useMemo(
    () => ({
      scheme,
      basemap,
      layers: [
        streetSideLayer({
          key: `occupancy:${tiles}`,
          source: { type: 'vector', tiles: [tiles], promoteId: 'curb_zone_id', minzoom: 12, maxzoom: 16 },
          sourceLayer: 'shapes',
          idProperty: 'curb_zone_id',
          sideProperty: 'side',
          binById,
          colors: getColors(scheme),
          scheme,
        }),
      ],
      heat: null,
      selected,
    }),
    [scheme, basemap, tiles, binById, selected],
  )
}

/** The card under the pointer: name, occupancy and how much of it is known. */
function HoverCard({ zone, value }: { zone: ZoneOccupancy; value: number | null }) {
  const { t } = useTranslation()
  return (
    <div className={styles['hover']}>
      <strong>{zone.name || zone.street_name || zone.curb_zone_id}</strong>
      <span>{formatPercent(value)}</span>
      <span>{t('curb:occupancy.map.coverage', { share: formatPercent(zone.coverage) })}</span>
    </div>
  )
}

/** Selects one hour of the day, or all. */
function HourSlider({ hour, onHourChange }: Pick<Props, 'hour' | 'onHourChange'>) {
  const { t } = useTranslation()
  return (
    <div className={styles['slider']}>
      <output className={styles['hour']}>
        {hour === undefined
          ? t('curb:occupancy.map.allHours')
          : t('curb:occupancy.map.hour', {
              from: formatTimeOfDay({ hour, minute: 0 }),
              until: formatTimeOfDay({ hour: hour + 1, minute: 0 }),
            })}
      </output>
      <Slider
        thumbLabel={t('curb:occupancy.map.slider')}
        min={0}
        max={23}
        step={1}
        marks={[0, 6, 12, 18, 23].map((value) => ({ value, label: String(value) }))}
        value={hour ?? 0}
        label={(value) => formatTimeOfDay({ hour: value, minute: 0 })}
        onChange={onHourChange}
      />
      <Button
        size="compact-sm"
        variant={hour === undefined ? 'light' : 'default'}
        aria-pressed={hour === undefined}
        onClick={() => onHourChange(undefined)}
      >
        {t('curb:occupancy.map.allHours')}
      </Button>
    </div>
  )
}

/** The bins with their number of zones. */
function OccupancyLegend({ binById }: { binById: ReadonlyMap<string, ShapeBin> }) {
  const { t } = useTranslation()
  const scheme = useMapScheme()
  const countInBin = (wanted: ShapeBin): string =>
    formatInteger([...binById.values()].filter((zoneBin) => zoneBin === wanted).length)
  return (
    <BinLegend
      label={t('curb:occupancy.map.legend')}
      rows={[
        ...lowerBounds.map((bound, index) => ({
          key: String(bound),
          label:
            index === lowerBounds.length - 1
              ? t('curb:occupancy.map.above')
              : `${formatPercent(bound)} – ${formatPercent(lowerBounds[index + 1])}`,
          members: countInBin(index),
          swatch: { color: getColors(scheme)[index] ?? '', opacity: 1 },
        })),
        {
          key: 'none',
          label: t('curb:occupancy.map.none'),
          members: countInBin('none'),
          swatch: 'none' as const,
        },
      ]}
    />
  )
}
