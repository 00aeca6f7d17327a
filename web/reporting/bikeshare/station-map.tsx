import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { StationRow } from '#contract/bikeshare.ts'
import type { Layer } from '#contract/geography.ts'
import type { Region } from '#contract/regions.ts'
import { BinLegend } from '#web/charts/bin-legend.tsx'
import { paintValues } from '#web/map-page/by-shape/paint-values.ts'
import { useBasemap } from '#web/map-page/use-basemap.ts'
import { formatInteger, formatPercent } from '#web/kit/format.ts'
import { dataColors } from '#web/kit/theme.ts'
import { useSmallScreen } from '#web/kit/use-small-screen.ts'
import { placeValuesLayer, type ValuedPlace } from '#web/map/layers/place-values-layer.ts'
import { EmbeddedMap } from '#web/map-page/embedded-map.tsx'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import type { Viewport } from '#web/map/viewport.ts'
import { firstView } from '#web/map-page/first-view.ts'
import { useHoverParam, useSearchState } from '#web/shell/use-search-state.ts'
import styles from './station-map.module.css'
import { readStationSearch, stationKey } from './station-search.ts'

interface Props {
  region: Region
  layers: readonly Layer[]
  stations: readonly StationRow[]
  /** When the page was opened, in ms. */
  at: number
}

/** Map size in pixels in which the first view must contain all stations. */
const wideMapSize = { width: 640, height: 330 }
const smallMapSize = { width: 280, height: 230 }
const maxFirstZoom = 15

/** Returns a view that contains all positions; the region if there are none. */
function getViewOfPlaces(
  places: readonly ValuedPlace[],
  region: Region,
  { width, height }: typeof wideMapSize,
): Viewport {
  if (!places.length) return firstView(undefined, region, width).view
  const lons = places.map(({ lon }) => lon)
  const lats = places.map(({ lat }) => lat)
  const west = lons.reduce((a, b) => Math.min(a, b))
  const east = lons.reduce((a, b) => Math.max(a, b))
  const south = lats.reduce((a, b) => Math.min(a, b))
  const north = lats.reduce((a, b) => Math.max(a, b))
  const lat = (south + north) / 2
  // The world is 512 pixels wide at zoom 0. Degrees of latitude appear longer on the map by 1/cosine.
  const toZoom = (pixels: number, degrees: number): number => Math.log2((360 * pixels) / (512 * degrees))
  const zoom = Math.min(
    maxFirstZoom,
    toZoom(width, east - west),
    toZoom(height, (north - south) / Math.cos((lat * Math.PI) / 180)),
  )
  return { lon: (west + east) / 2, lat, zoom }
}

/** Stations that have a position, colored by the share of time in which they were empty or full. */
export function StationMap({ region, layers, stations, at }: Props) {
  const { t } = useTranslation()
  const scheme = useMapScheme()
  const { search, replace } = useSearchState(readStationSearch)
  const hover = useHoverParam()
  const basemap = useBasemap(layers, at)
  const places = useMemo(
    () =>
      stations.flatMap((station) =>
        station.lon === null || station.lat === null
          ? []
          : [{ id: stationKey(station), lon: station.lon, lat: station.lat, station }],
      ),
    [stations],
  )
  const painting = useMemo(
    () =>
      paintValues(
        t,
        {
          unit: 'share',
          rows: places.map(({ id, station }) => ({
            id,
            name: station.station,
            value: station.empty_or_full_share === null ? null : 100 * station.empty_or_full_share,
            n: null,
            counts: {},
          })),
        },
        dataColors[scheme].sequential.tide,
      ),
    [t, places, scheme],
  )
  const layer = useMemo(
    () => placeValuesLayer(places, painting.binById, painting.colors, scheme),
    [places, painting, scheme],
  )
  const selected = search.station ?? null
  const scene = useMemo(
    () => ({ scheme, basemap, layers: [layer], heat: null, selected }),
    [scheme, basemap, layer, selected],
  )
  const view = getViewOfPlaces(places, region, useSmallScreen() ? smallMapSize : wideMapSize)
  const countByBin = new Map<string, number>()
  for (const shapeBin of painting.binById.values())
    countByBin.set(String(shapeBin), (countByBin.get(String(shapeBin)) ?? 0) + 1)
  const findStation = (id: string): StationRow | undefined => places.find((place) => place.id === id)?.station
  return (
    <div className={styles['box']}>
      <EmbeddedMap
        region={region}
        scene={scene}
        title={t('bikeshare:map')}
        view={view}
        onHover={hover}
        onSelect={(id) => replace({ station: id ?? undefined })}
        hoverCard={(id) => {
          const station = findStation(id)
          return station ? (
            <span className={styles['card']}>
              <b>{station.station}</b>{' '}
              {t('bikeshare:card', {
                share: formatPercent(station.empty_or_full_share),
                empty: formatInteger(station.empty_minutes),
                full: formatInteger(station.full_minutes),
              })}
            </span>
          ) : null
        }}
      />
      <section className={styles['legend']} aria-label={t('evaluation:legend.label')}>
        <h3 className={styles['title']}>{t('bikeshare:mapUnit')}</h3>
        <BinLegend
          label={t('evaluation:legend.bins')}
          rows={painting.legend.map((row) => ({
            ...row,
            members: t('bikeshare:members', { count: countByBin.get(row.key) ?? 0 }),
          }))}
        />
      </section>
    </div>
  )
}
