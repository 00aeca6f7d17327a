import { Select, Text } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { PublicRegion } from '#contract/regions.ts'
import { getPublicRouteVolumes, type PublicRoutes } from '#contract/routes.ts'
import { usePublicBasemap } from '#web/map-page/use-deployment-basemap.ts'
import { spreadColors } from '#web/charts/spread-colors.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { MapPage } from '#web/map-page/map-page.tsx'
import { useMapPage } from '#web/map-page/use-map-page.ts'
import { pageViewProps } from '#web/map-page/first-view.ts'
import { MapNotice } from '#web/map-page/map-notice.tsx'
import { DetailCard } from '#web/kit/detail-card.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { formatInteger, formatPercent } from '#web/kit/format.ts'
import { dataColors } from '#web/kit/theme.ts'
import { routeVolumesLayer } from '#web/map/layers/route-volumes-layer.ts'
import { MapView } from '#web/map/map-view.tsx'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { useHoverParam, useSearchState } from '#web/shell/use-search-state.ts'
import { formatMonth } from '#web/kit/dates/calendar-text.ts'
import { PublicRoutesTable, toPublicRows, type PublicRow } from './public-routes-table.tsx'
import { computeRouteBins } from './route-bins.ts'
import { getPublicRouteTilesUrl } from './route-tiles.ts'
import { VolumeLegend } from './volume-legend.tsx'
import styles from './route-card.module.css'
import { publicRoutesSearch } from './routes-search.ts'

/** The card of a segment of the public map; a hidden segment shows only that it is hidden. */
export function PublicRouteCard({ row, minTrips }: { row: PublicRow | undefined; minTrips: number }) {
  const { t } = useTranslation()
  if (!row)
    return (
      <div className={styles['card']}>
        <span className={styles['quiet']}>
          {t('routes:public.few', { minTrips: formatInteger(minTrips) })}
        </span>
      </div>
    )
  return (
    <div className={styles['card']}>
      <strong>{row.street || t('routes:unnamed')}</strong>
      <span>{t('routes:card.trips', { count: row.trips, shown: formatInteger(row.trips) })}</span>
    </div>
  )
}

interface Props {
  region: PublicRegion
  routes: PublicRoutes
}

const noHeaders = (): Record<string, string> => ({})

/** The public map: one month of all operators combined; the server hides small numbers. */
export function PublicRoutesMap({ region, routes }: Props) {
  const { regionId } = region
  const { t, i18n } = useTranslation()
  const { search, push: change, replace: adjust } = useSearchState(publicRoutesSearch)
  const hover = useHoverParam()
  const page = useMapPage(search, adjust)
  const month = routes.months.find((candidate) => candidate === search.month) ?? routes.months[0] ?? null
  const volumes = useEndpointQuery(
    getPublicRouteVolumes,
    { params: { region_id: regionId }, query: { month: month ?? '' } },
    { enabled: month !== null, placeholderData: keepPreviousData },
  )
  const rows = useMemo(() => (volumes.data ? toPublicRows(volumes.data) : []), [volumes.data])
  const byId = useMemo(() => new Map(rows.map((row) => [row.id, row])), [rows])
  const selected = search.route ?? null
  const { scene, bins, colors } = usePublicScene({ region, routes, rows, selected })
  const select = (id: string | null): void => change({ route: id ?? undefined })
  const row = selected === null ? undefined : byId.get(selected)
  const hiddenNote = t('routes:public.hidden', { minTrips: formatInteger(routes.privacy_minimum) })
  const share = volumes.data?.route_share ?? null
  const notes =
    share === null ? [hiddenNote] : [t('routes:public.share', { share: formatPercent(share) }), hiddenNote]
  const isEmpty = month === null || (volumes.data !== undefined && rows.length === 0)
  return (
    <MapPage
      page={page}
      selected={selected}
      onSelect={select}
      title={t('routes:public.title', { region: routes.text })}
      panelTitle={t('routes:title')}
      opener={{ text: t('routes:public.month'), icon: <IconAdjustmentsHorizontal size={18} /> }}
      panel={
        <PublicPanel
          routes={routes}
          month={month}
          hiddenNote={hiddenNote}
          onMonthChange={(next) => change({ month: next })}
        />
      }
      map={
        <MapView
          {...pageViewProps({ page, search, region: routes, adjust })}
          requestHeaders={noHeaders}
          scene={scene}
          title={t('routes:mapOf', { region: routes.text })}
          isMetric={routes.isMetric}
          isDimmed={volumes.isPlaceholderData}
          onHover={hover}
          onSelect={select}
          findShape={(id) => byId.get(id)?.box ?? null}
          hoverCard={(id) => <PublicRouteCard row={byId.get(id)} minTrips={routes.privacy_minimum} />}
        />
      }
      notice={
        <MapNotice
          isWaiting={volumes.isFetching}
          error={volumes.error}
          onRetry={() => void volumes.refetch()}
          empty={
            isEmpty ? (
              <EmptyState title={t('routes:public.empty.title')}>{t('routes:public.empty.text')}</EmptyState>
            ) : null
          }
        />
      }
      corner={
        <>
          {row ? (
            <DetailCard
              name={row.street || t('routes:unnamed')}
              figures={[{ key: 'trips', label: t('routes:table.trips'), value: formatInteger(row.trips) }]}
              onClear={() => select(null)}
            />
          ) : null}
          {month !== null && !isEmpty ? (
            <VolumeLegend
              title={formatMonth(month, i18n.language)}
              bins={bins}
              colors={colors}
              notes={notes}
              isOpen={page.legendChoice ?? !page.isSmall}
              onOpen={page.setIsLegendOpen}
            />
          ) : null}
        </>
      }
      results={(height) => (
        <PublicRoutesTable
          rows={rows}
          fileName={`routes-${regionId}-${month ?? ''}`}
          height={height}
          selected={search.route}
          onSelect={select}
          state={search}
          onStateChange={change}
        />
      )}
    />
  )
}

interface PublicSceneInput extends Props {
  rows: readonly PublicRow[]
  selected: string | null
}

/** Returns the volumes of a month as a scene, with the bins and colors of their classes. */
function usePublicScene({ region, routes, rows, selected }: PublicSceneInput) {
  const { regionId } = region
  const scheme = useMapScheme()
  const { bins, binById } = useMemo(
    () => computeRouteBins(rows.map((row) => ({ ...row, forward: 0, backward: 0 }))),
    [rows],
  )
  const colors = useMemo(
    () => spreadColors(dataColors[scheme].lines.tide, bins.length),
    [scheme, bins.length],
  )
  const tiles = useMemo(
    () =>
      routes.streets_version === null
        ? null
        : getPublicRouteTilesUrl(regionId, routes.streets_version, location.origin),
    [regionId, routes.streets_version],
  )
  const basemap = usePublicBasemap(region)
  const scene = useMemo(() => {
    const layer = tiles
      ? routeVolumesLayer({
          key: `routes:${routes.streets_version}`,
          tiles,
          binById,
          colors,
          scheme,
          hasDirections: false,
        })
      : null
    return { scheme, basemap, layers: layer ? [layer] : [], heat: null, selected }
  }, [tiles, basemap, routes.streets_version, binById, colors, scheme, selected])
  return { scene, bins, colors }
}

interface PublicPanelProps {
  routes: PublicRoutes
  month: string | null
  /** Says which segments are hidden. */
  hiddenNote: string
  onMonthChange: (month: string | undefined) => void
}

/** The choice of a month. */
function PublicPanel({ routes, month, hiddenNote, onMonthChange }: PublicPanelProps) {
  const { t, i18n } = useTranslation()
  return (
    <>
      <Text size="sm">{t('routes:public.text', { region: routes.text })}</Text>
      <Select
        label={t('routes:public.month')}
        allowDeselect={false}
        disabled={routes.months.length === 0}
        value={month}
        data={routes.months.map((value) => ({ value, label: formatMonth(value, i18n.language) }))}
        onChange={(next) => onMonthChange(next === routes.months[0] ? undefined : (next ?? undefined))}
      />
      <Text size="sm" c="dimmed">
        {hiddenNote}
      </Text>
    </>
  )
}
