import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { localDay } from '#contract/period.ts'
import { downloadRoutes, type RouteFormat, type RouteVolumes } from '#contract/routes.ts'
import { spreadColors } from '#web/charts/spread-colors.ts'
import { call } from '#web/data/client.ts'
import { requestHeaders } from '#web/data/request-headers.ts'
import { coveredMap } from '#web/map-page/covered-map.ts'
import { MapPage } from '#web/map-page/map-page.tsx'
import { useMapPage } from '#web/map-page/use-map-page.ts'
import { firstView } from '#web/map-page/first-view.ts'
import { MapNotice } from '#web/map-page/map-notice.tsx'
import { chosenPeriod, periodText } from '#web/filters/period.ts'
import { DetailCard } from '#web/kit/detail-card.tsx'
import { useBasemap } from '#web/map-page/use-basemap.ts'
import { formatDistance, formatPercent, formatInteger } from '#web/kit/format.ts'
import { dataColors } from '#web/kit/theme.ts'
import { routeVolumesLayer } from '#web/map/layers/route-volumes-layer.ts'
import { MapView } from '#web/map/map-view.tsx'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { useRegion } from '#web/shell/region.tsx'
import { useHoverParam, useSearchState } from '#web/shell/use-search-state.ts'
import { routeTiles } from './route-tiles.ts'
import { PublishRoutes } from './publish-routes.tsx'
import { RoutesEmpty } from './routes-empty.tsx'
import { RoutesPanel } from './routes-panel.tsx'
import { routesSearch, type RoutesSearch, type ShownDirection } from './routes-search.ts'
import { RoutesTable, headingText } from './routes-table.tsx'
import { useRoutes } from './use-routes.ts'
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
          one: headingText(t, row.heading, true),
          forward: formatInteger(row.forward),
          other: headingText(t, row.heading, false),
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
  const { t, i18n } = useTranslation()
  const region = useRegion()
  const { regionId, isMetric } = region
  const scheme = useMapScheme()
  const { search, push: change, replace: adjust } = useSearchState(routesSearch)
  const hover = useHoverParam()
  const page = useMapPage(search, adjust)
  const { isSmall, isPanelOpen, areResultsOpen } = page
  const [at] = useState(() => Date.now())
  const today = localDay(new Date(at), region.timezone)
  const routes = useRoutes(region, search, today)
  const { volumes, rows, byId, bins, range } = routes
  const [legendChoice, setLegendOpen] = useState<boolean | null>(null)
  const direction = search.direction ?? 'both'

  const selected = search.route ?? null
  const { scene, colors } = useVolumeScene({ regionId, routes, search, selected, at })

  const select = useCallback((id: string | null) => change({ route: id ?? undefined }), [change])

  const covered = coveredMap({ isSmall, isPanelOpen, areResultsOpen })
  const { view, isExact } = firstView(search.view, region, window.innerWidth - covered.left)
  const title = t('routes:title')
  const chosen = chosenPeriod(search, today)
  const [first, last] = [range?.start_date, range?.end_date]
  const dataPeriod =
    first && last && (chosen.start_date > first || chosen.end_date < last)
      ? {
          period: periodText({ start_date: first, end_date: last }, i18n.language),
          show: () => change({ period: undefined, start_date: first, end_date: last }),
        }
      : null
  const lacks =
    volumes?.streets_version === null
      ? 'streets'
      : range?.trips_with_way === 0
        ? 'ways'
        : rows?.length === 0
          ? 'matches'
          : null
  const row = selected === null ? undefined : byId.get(selected)

  return (
    <MapPage
      page={page}
      selected={selected}
      onSelect={select}
      title={title}
      panel={
        <RoutesPanel
          region={region}
          today={today}
          scheme={scheme}
          search={search}
          change={change}
          routes={routes}
        />
      }
      panelFoot={<PublishRoutes region={region} />}
      map={
        <MapView
          requestHeaders={requestHeaders}
          scene={scene}
          title={t('routes:mapOf', { region: region.text })}
          view={view}
          isExact={isExact}
          covered={covered}
          isMetric={isMetric}
          isDimmed={routes.isStale}
          onView={({ lon, lat, zoom }) => adjust({ view: [lon, lat, zoom] })}
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
          empty={
            lacks ? (
              <RoutesEmpty
                regionId={regionId}
                lacks={lacks}
                dataPeriod={dataPeriod}
                search={search}
                change={change}
                today={today}
              />
            ) : null
          }
        />
      }
      corner={
        <>
          {row ? <SegmentCard row={row} isMetric={isMetric} onClear={() => select(null)} /> : null}
          {volumes && !lacks ? (
            <VolumeLegend
              title={t(`routes:heading.${direction}`)}
              bins={bins}
              colors={colors}
              notes={legendNotes(t, volumes)}
              isOpen={legendChoice ?? !isSmall}
              onOpen={setLegendOpen}
            />
          ) : null}
        </>
      }
      period={chosen}
      isStale={routes.isStale}
      results={(height) =>
        rows ? (
          <RoutesTable
            rows={rows}
            isMetric={isMetric}
            fileName={`routes-${regionId}-${routes.question.start_date}-${routes.question.end_date}`}
            moreFormats={routeFiles(t, regionId, { ...routes.question, direction })}
            height={height}
            selected={search.route}
            onSelect={select}
            state={search}
            onState={change}
          />
        ) : null
      }
    />
  )
}

interface VolumeScene {
  regionId: string
  routes: ReturnType<typeof useRoutes>
  search: RoutesSearch
  selected: string | null
  /** When the screen was opened, ms since 1970. */
  at: number
}

/** The volumes of segments as a scene, and the colors of their classes. */
function useVolumeScene({ regionId, routes, search, selected, at }: VolumeScene) {
  const scheme = useMapScheme()
  const { volumes, bins, classes } = routes
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
            tiles: routeTiles(regionId, version, location.origin, at),
            classes,
            colors,
            scheme,
            hasDirections,
          }),
    [regionId, version, at, classes, colors, scheme, hasDirections],
  )
  const scene = useMemo(
    () => ({ scheme, basemap, layers: layer ? [layer] : [], heat: null, selected }),
    [scheme, basemap, layer, selected],
  )
  return { scene, colors }
}

/** Trips without a route or with segments that are gone, below the legend. */
const legendNotes = (t: TFunction, volumes: RouteVolumes): string[] => [
  t('routes:legend.ways', {
    shown: formatInteger(volumes.trips_with_way),
    all: formatInteger(volumes.trips),
    share: formatPercent(volumes.trips ? volumes.trips_with_way / volumes.trips : null),
  }),
  ...(volumes.gone_segments > 0
    ? [
        t('routes:legend.gone', {
          count: volumes.gone_segments,
          shown: formatInteger(volumes.gone_segments),
        }),
      ]
    : []),
]

interface SegmentCardProps {
  row: RouteRow
  isMetric: boolean
  onClear: () => void
}

/** The figures of the selected segment. */
function SegmentCard({ row, isMetric, onClear }: SegmentCardProps) {
  const { t } = useTranslation()
  return (
    <DetailCard
      name={row.street || t('routes:unnamed')}
      onClear={onClear}
      figures={[
        {
          key: 'forward',
          label: headingText(t, row.heading, true),
          value: formatInteger(row.forward),
        },
        {
          key: 'backward',
          label: headingText(t, row.heading, false),
          value: formatInteger(row.backward),
        },
        {
          key: 'both',
          label: t('routes:direction.both'),
          value: formatInteger(row.forward + row.backward),
        },
        { key: 'length', label: t('routes:length'), value: formatDistance(row.lengthM, isMetric) },
      ]}
    />
  )
}

/** Downloads of the volumes in the formats of the API. */
const routeFiles = (
  t: TFunction,
  regionId: string,
  query: RoutesQuestion & { direction: ShownDirection },
): DownloadFormat[] =>
  routeFormats.map((format) => ({
    label: t(`routes:download.${format}`),
    fileName: `route-volumes-${regionId}-${query.start_date}-${query.end_date}.${format}`,
    media: mediaTypes[format],
    load: () =>
      call(downloadRoutes, {
        params: { region_id: regionId },
        query: { ...query, format },
      }),
  }))
