import { useComputedColorScheme } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { StationRow } from '#contract/bikeshare.ts'
import type { Layer } from '#contract/geography.ts'
import type { Region } from '#contract/regions.ts'
import { BinLegend } from '#web/charts/bin-legend.tsx'
import { requestHeaders } from '#web/data/request-headers.ts'
import { paintValues } from '#web/evaluation/paint-values.ts'
import { useBasemap } from '#web/evaluation/use-basemap.ts'
import { formatInteger, formatPercent } from '#web/kit/format.ts'
import { dataColors } from '#web/kit/theme.ts'
import { placeValuesLayer } from '#web/map/layers/place-values-layer.ts'
import { MapView } from '#web/map/map-view.tsx'
import { firstView } from '#web/map-page/first-view.ts'
import { useHoverParam, useSearchState } from '#web/shell/use-search-state.ts'
import styles from './station-map.module.css'
import { readStationSearch, stationKey } from './station-search.ts'

interface Props {
  region: Region
  layers: readonly Layer[]
  stations: readonly StationRow[]
  /** When the page was opened, ms. */
  at: number
}

const uncovered = { top: 0, right: 0, bottom: 0, left: 0 }
/** Pixels of width for which the first view is chosen. */
const usualWidth = 640

/** The stations with a place, by the share of time in which they were empty or full. */
export function StationMap({ region, layers, stations, at }: Props) {
  const { t } = useTranslation()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const { search, replace } = useSearchState(readStationSearch)
  const hover = useHoverParam()
  const basemap = useBasemap(layers, at)
  const placed = useMemo(
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
          rows: placed.map(({ id, station }) => ({
            id,
            name: station.station,
            value: station.empty_or_full_share === null ? null : 100 * station.empty_or_full_share,
            n: null,
            counts: {},
          })),
        },
        dataColors[scheme].sequential.tide,
      ),
    [t, placed, scheme],
  )
  const layer = useMemo(
    () => placeValuesLayer(placed, painting.of, painting.colors, scheme),
    [placed, painting, scheme],
  )
  const selected = search.station ?? null
  const scene = useMemo(
    () => ({ scheme, basemap, layers: [layer], heat: null, selected }),
    [scheme, basemap, layer, selected],
  )
  const { view, isExact } = firstView(undefined, region, usualWidth)
  const found = (id: string): StationRow | undefined => placed.find((each) => each.id === id)?.station
  return (
    <div className={styles['box']}>
      <MapView
        requestHeaders={requestHeaders}
        scene={scene}
        title={t('bikeshare:map')}
        view={view}
        isExact={isExact}
        covered={uncovered}
        isMetric={region.isMetric}
        isDimmed={false}
        onView={() => undefined}
        onHover={hover}
        onSelect={(id) => replace({ station: id ?? undefined })}
        findShape={() => null}
        hoverCard={(id) => {
          const station = found(id)
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
        <BinLegend label={t('evaluation:legend.bins')} rows={painting.legend} />
      </section>
    </div>
  )
}
