import { Button, useComputedColorScheme } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { localDay } from '#contract/period.ts'
import { spreadColors } from '#web/charts/spread-colors.ts'
import { requestHeaders } from '#web/data/request-headers.ts'
import { coveredMap } from '#web/evaluation/covered-map.ts'
import { EvaluationMap } from '#web/evaluation/evaluation-map.tsx'
import { firstView } from '#web/evaluation/first-view.ts'
import { MapNotice } from '#web/evaluation/map-notice.tsx'
import { chosenPeriod, periodText } from '#web/filters/period.ts'
import { ResultsDrawer } from '#web/evaluation/results-drawer.tsx'
import { SelectionCard } from '#web/evaluation/selection-card.tsx'
import { SidePanel } from '#web/evaluation/side-panel.tsx'
import { useBasemap } from '#web/evaluation/use-basemap.ts'
import { useSmallScreen } from '#web/evaluation/use-small-screen.ts'
import { formatDistance, formatPercent, formatInteger } from '#web/kit/format.ts'
import { isInPopup } from '#web/kit/focus.ts'
import { dataColors } from '#web/kit/theme.ts'
import { routeVolumesLayer } from '#web/map/layers/route-volumes-layer.ts'
import { MapView } from '#web/map/map-view.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { useHoverParam, useSearchState } from '#web/shell/use-search-state.ts'
import { DownloadButton } from './download-button.tsx'
import { routeTiles } from './route-tiles.ts'
import { RoutesEmpty } from './routes-empty.tsx'
import { RoutesPanel } from './routes-panel.tsx'
import { routesSearch } from './routes-search.ts'
import { RoutesTable, headingText } from './routes-table.tsx'
import { useRoutes } from './use-routes.ts'
import { VolumeLegend } from './volume-legend.tsx'
import type { RouteRow } from './route-row.ts'
import styles from './route-card.module.css'

/** What the pointer's card says of a segment: its street, its trips, and those of each direction. */
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

/** How many trips rode along each street segment, both ways. */
export function RoutesScreen() {
  const { t, i18n } = useTranslation()
  const region = useRegion()
  const { regionId, isMetric } = region
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const isSmall = useSmallScreen()
  const { search, push: change, replace: adjust } = useSearchState(routesSearch)
  const hover = useHoverParam()
  const [at] = useState(() => Date.now())
  const today = localDay(new Date(at), region.timezone)
  const routes = useRoutes(region, search, today)
  const { volumes, rows, byId, bins, classes, range } = routes
  const [panelChoice, setPanelOpen] = useState<boolean | null>(null)
  const [legendChoice, setLegendOpen] = useState<boolean | null>(null)
  const isPanelOpen = panelChoice ?? !isSmall
  const areResultsOpen = search.results === true
  const direction = search.direction ?? 'both'

  const basemap = useBasemap(routes.layers, at)
  const version = volumes?.streets_version ?? null
  const colors = useMemo(
    () => spreadColors(dataColors[scheme].sequential[search.colors ?? 'tide'], bins.length),
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
            hasDirections: direction === 'both',
          }),
    [regionId, version, at, classes, colors, scheme, direction],
  )
  const selected = search.route ?? null
  const scene = useMemo(
    () => ({ scheme, basemap, layer, heat: null, selected }),
    [scheme, basemap, layer, selected],
  )

  const select = useCallback((id: string | null) => change({ route: id ?? undefined }), [change])
  const showResults = useCallback(
    (isOpen: boolean) => adjust({ results: isOpen ? true : undefined }),
    [adjust],
  )
  useHotkeys([
    ['T', () => showResults(!areResultsOpen)],
    [
      'Escape',
      (event) => {
        if (selected !== null && !isInPopup(event.target)) select(null)
      },
      { preventDefault: false },
    ],
  ])

  const covered = coveredMap({ isSmall, isPanelOpen, areResultsOpen })
  const { view, isExact } = firstView(search.view, region, window.innerWidth - covered.left)
  const title = t('routes:title')
  const chosen = chosenPeriod(search, today)
  const [first, last] = [range?.start_date, range?.end_date]
  const held =
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
  const notes = volumes
    ? [
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
    : []

  return (
    <EvaluationMap
      title={title}
      isSmall={isSmall}
      isPanelOpen={isPanelOpen}
      panel={
        <SidePanel title={title} isSmall={isSmall} isOpen={isPanelOpen} onOpen={setPanelOpen}>
          <RoutesPanel
            region={region}
            today={today}
            scheme={scheme}
            search={search}
            change={change}
            routes={routes}
          />
        </SidePanel>
      }
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
          empty={lacks ? <RoutesEmpty regionId={regionId} lacks={lacks} held={held} /> : null}
        />
      }
      corner={
        isSmall && (isPanelOpen || areResultsOpen) ? null : (
          <>
            {row ? (
              <SelectionCard
                name={row.street || t('routes:unnamed')}
                onClear={() => select(null)}
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
            ) : null}
            {volumes && !lacks ? (
              <VolumeLegend
                title={t(`routes:heading.${direction}`)}
                bins={bins}
                colors={colors}
                notes={notes}
                isOpen={legendChoice ?? !isSmall}
                onOpen={setLegendOpen}
              />
            ) : null}
          </>
        )
      }
      drawer={
        <ResultsDrawer
          isOpen={areResultsOpen}
          onOpen={showResults}
          isSmall={isSmall}
          actions={<DownloadButton regionId={regionId} question={routes.question} direction={direction} />}
          before={
            isSmall ? (
              <Button
                variant="default"
                leftSection={<IconAdjustmentsHorizontal size={18} />}
                aria-expanded={isPanelOpen}
                onClick={() => setPanelOpen(!isPanelOpen)}
              >
                {t('evaluation:filters')}
              </Button>
            ) : null
          }
        >
          {(height) =>
            rows ? (
              <RoutesTable
                rows={rows}
                isMetric={isMetric}
                fileName={`routes-${regionId}.csv`}
                height={height}
                selected={search.route}
                onSelect={select}
                state={search}
                onState={change}
              />
            ) : null
          }
        </ResultsDrawer>
      }
    />
  )
}
