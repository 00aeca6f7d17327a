import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { downloadRoutes, type RouteFormat } from '#contract/routes.ts'
import { spreadColors } from '#web/charts/spread-colors.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { useToday } from '#web/filters/use-today.ts'
import { call } from '#web/data/client.ts'
import { requestHeaders } from '#web/data/request-headers.ts'
import { MapPage } from '#web/map-page/map-page.tsx'
import { type MapPageState, useMapPage } from '#web/map-page/use-map-page.ts'
import { pageViewProps } from '#web/map-page/first-view.ts'
import { MapNotice } from '#web/map-page/map-notice.tsx'
import { selectedPeriod } from '#web/filters/period.ts'
import { DetailCard } from '#web/kit/detail-card.tsx'
import { useBasemap } from '#web/map-page/use-basemap.ts'
import { formatDistance, formatPercent, formatInteger } from '#web/kit/format.ts'
import { dataColors } from '#web/kit/theme.ts'
import { routeVolumesLayer } from '#web/map/layers/route-volumes-layer.ts'
import { MapView } from '#web/map/map-view.tsx'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { useRegion } from '#web/shell/region.tsx'
import { useHoverParam, useSearchState } from '#web/shell/use-search-state.ts'
import { getRouteTilesUrl } from './route-tiles.ts'
import { PublishRoutes } from './publish-routes.tsx'
import { RoutesEmpty } from './routes-empty.tsx'
import { RoutesPanel } from './routes-panel.tsx'
import { routesSearch, type RoutesSearch, type ShownDirection } from './routes-search.ts'
import { RoutesTable, formatHeading } from './routes-table.tsx'
import { type RoutesState, useRoutes } from './use-routes.ts'
import { VolumeLegend } from './volume-legend.tsx'
import type { RouteRow } from './route-row.ts'
import styles from './route-card.module.css'
import type { TFunction } from 'i18next'
import type { DownloadFormat } from '#web/kit/download-button.tsx'
import type { RoutesQuestion } from './routes-question.ts'

/** The card of a segment: its street, its trips, and those of each direction. */
export function RouteCard({ row }: { row: RouteRow | undefined }) {
  const { t } = useTranslation()
  if (!row)
    return (
      <div className={styles['card']}>
        <span className={styles['quiet']}>{t('routes:card.none')}</span>
      </div>
    )
  return (
    <div className={styles['card']}>
      <strong>{row.street || t('routes:unnamed')}</strong>
      <span>{t('routes:card.trips', { count: row.trips, shown: formatInteger(row.trips) })}</span>
      <span className={styles['quiet']}>
        {t('routes:card.each', {
          one: formatHeading(t, row.heading, true),
          forward: formatInteger(row.forward),
          other: formatHeading(t, row.heading, false),
          backward: formatInteger(row.backward),
        })}
      </span>
    </div>
  )
}

const mediaTypes: Readonly<Record<RouteFormat, string>> = {
  csv: 'text/csv',
  geojson: 'application/geo+json',
  json: 'application/json',
  zip: 'application/zip',
}
const routeFormats = Object.keys(mediaTypes) as RouteFormat[]

/** The number of trips along each street segment, by direction. */
export function RoutesScreen() {
  const { t } = useTranslation()
  const region = useRegion()
  const { regionId, isMetric } = region
  const at = useOpenedAt()
  const today = useToday(region.timezone)
  const { search, push: change, replace: adjust } = useSearchState(routesSearch)
  const hover = useHoverParam()
  const page = useMapPage(search, adjust)
  const routes = useRoutes(region, search, today)
  const { rows, byId, question } = routes
  const selected = search.route ?? null
  const { scene, colors } = useVolumeScene({ regionId, routes, search, selected, at })
  const select = useCallback((id: string | null) => change({ route: id ?? undefined }), [change])
  const lacks = findLack(routes)
  const panelProps = { region, today, search, change, routes }
  return (
    <MapPage
      page={page}
      selected={selected}
      onSelect={select}
      title={t('routes:title')}
      panel={<RoutesPanel {...panelProps} />}
      panelFoot={<PublishRoutes region={region} />}
      map={
        <MapView
          {...pageViewProps({ page, search, region, adjust })}
          requestHeaders={requestHeaders}
          scene={scene}
          title={t('routes:mapOf', { region: region.text })}
          isMetric={isMetric}
          isDimmed={routes.isStale}
          onHover={hover}
          onSelect={select}
          findShape={(id) => byId.get(id)?.box ?? null}
          hoverCard={(id) => <RouteCard row={byId.get(id)} />}
        />
      }
      notice={
        <MapNotice
          isWaiting={routes.isWaiting}
          error={routes.error}
          onRetry={routes.retry}
          empty={lacks ? <RoutesEmpty {...panelProps} lacks={lacks} /> : null}
        />
      }
      corner={
        <>
          <SegmentCard row={byId.get(selected ?? '')} isMetric={isMetric} onClear={() => select(null)} />
          <RoutesLegend routes={routes} direction={search.direction ?? 'both'} colors={colors} page={page} />
        </>
      }
      period={selectedPeriod(search, today)}
      isStale={routes.isStale}
      results={(height) =>
        rows ? (
          <RoutesTable
            rows={rows}
            isMetric={isMetric}
            fileName={`routes-${regionId}-${question.start_date}-${question.end_date}`}
            moreFormats={getRouteDownloads(t, regionId, {
              ...question,
              direction: search.direction ?? 'both',
            })}
            height={height}
            selected={search.route}
            onSelect={select}
            state={search}
            onStateChange={change}
          />
        ) : null
      }
    />
  )
}

/** Finds what the map needs to show routes and lacks; null if nothing. */
function findLack({ volumes, range, rows }: RoutesState): 'streets' | 'ways' | 'matches' | null {
  if (volumes?.streets_version === null) return 'streets'
  if (range?.trips_with_way === 0) return 'ways'
  return rows?.length === 0 ? 'matches' : null
}

interface VolumeScene {
  regionId: string
  routes: RoutesState
  search: RoutesSearch
  selected: string | null
  /** When the screen was opened, ms since 1970. */
  at: number
}

/** Returns the volumes of segments as a scene, and the colors of their classes. */
function useVolumeScene({ regionId, routes, search, selected, at }: VolumeScene) {
  const scheme = useMapScheme()
  const { volumes, bins, binById } = routes
  const hasDirections = (search.direction ?? 'both') === 'both'
  const basemap = useBasemap(routes.layers, at)
  const version = volumes?.streets_version ?? null
  const colors = useMemo(
    () => spreadColors(dataColors[scheme].lines[search.colors ?? 'tide'], bins.length),
    [scheme, search.colors, bins.length],
  )
  const layer = useMemo(
    () =>
      version === null
        ? null
        : routeVolumesLayer({
            key: `routes:${version}`,
            tiles: getRouteTilesUrl(regionId, version, location.origin, at),
            binById,
            colors,
            scheme,
            hasDirections,
          }),
    [regionId, version, at, binById, colors, scheme, hasDirections],
  )
  const scene = useMemo(
    () => ({ scheme, basemap, layers: layer ? [layer] : [], heat: null, selected }),
    [scheme, basemap, layer, selected],
  )
  return { scene, colors }
}

interface RoutesLegendProps {
  routes: RoutesState
  direction: ShownDirection
  colors: readonly string[]
  page: MapPageState
}

/** The bins of volumes; below them, how many trips have a route, and how many segments were removed. */
function RoutesLegend({ routes, direction, colors, page }: RoutesLegendProps) {
  const { t } = useTranslation()
  const { volumes, bins } = routes
  if (!volumes || findLack(routes)) return null
  const tripNote = t('routes:legend.withRoute', {
    shown: formatInteger(volumes.trips_with_way),
    all: formatInteger(volumes.trips),
    share: formatPercent(volumes.trips ? volumes.trips_with_way / volumes.trips : null),
  })
  const segmentNote = t('routes:legend.removed', {
    count: volumes.gone_segments,
    shown: formatInteger(volumes.gone_segments),
  })
  return (
    <VolumeLegend
      title={t(`routes:heading.${direction}`)}
      bins={bins}
      colors={colors}
      notes={volumes.gone_segments > 0 ? [tripNote, segmentNote] : [tripNote]}
      isOpen={page.legendChoice ?? !page.isSmall}
      onOpen={page.setIsLegendOpen}
    />
  )
}

interface SegmentCardProps {
  row: RouteRow | undefined
  isMetric: boolean
  onClear: () => void
}

/** The figures of the selected segment, if there is one. */
function SegmentCard({ row, isMetric, onClear }: SegmentCardProps) {
  const { t } = useTranslation()
  if (!row) return null
  const { street, heading, forward, backward, lengthM } = row
  return (
    <DetailCard
      name={street || t('routes:unnamed')}
      onClear={onClear}
      figures={[
        { key: 'forward', label: formatHeading(t, heading, true), value: formatInteger(forward) },
        { key: 'backward', label: formatHeading(t, heading, false), value: formatInteger(backward) },
        { key: 'both', label: t('routes:direction.both'), value: formatInteger(forward + backward) },
        { key: 'length', label: t('routes:length'), value: formatDistance(lengthM, isMetric) },
      ]}
    />
  )
}

/** Returns downloads of the volumes in the formats of the API. */
const getRouteDownloads = (
  t: TFunction,
  regionId: string,
  query: RoutesQuestion & { direction: ShownDirection },
): DownloadFormat[] =>
  routeFormats.map((format) => ({
    label: t(`routes:download.${format}`),
    fileName: `route-volumes-${regionId}-${query.start_date}-${query.end_date}.${format}`,
    mediaType: mediaTypes[format],
    load: () => call(downloadRoutes, { params: { region_id: regionId }, query: { ...query, format } }),
  }))
