import { ActionIcon } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Region } from '#contract/regions.ts'
import { requestHeaders } from '#web/data/request-headers.ts'
import { coveredMap } from '#web/map-page/covered-map.ts'
import { MapPage } from '#web/map-page/map-page.tsx'
import { useMapPage } from '#web/map-page/use-map-page.ts'
import { MapNotice } from '#web/map-page/map-notice.tsx'
import { sizes } from '#web/kit/theme.ts'
import { MapView } from '#web/map/map-view.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { useHoverParam, useSearchState } from '#web/shell/use-search-state.ts'
import { clusterZoom } from '#web/map/cluster-grid.ts'
import { FleetHoverCard } from './fleet-hover-card.tsx'
import { LiveEmpty } from './live-empty.tsx'
import { LivePanel } from './live-panel.tsx'
import { toFilters, liveSearch } from './live-search.ts'
import { LiveStatus } from './live-status.tsx'
import { LiveTable } from './live-table.tsx'
import { useLiveMap } from './use-live-map.ts'
import { VehicleCard } from './vehicle-card.tsx'
import { getVehicleFacts } from './vehicle-facts.ts'
import { type LegendProps, LegendRows } from './legend-rows.tsx'
import styles from './live-legend.module.css'

interface Props extends LegendProps {
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

export function LiveLegend({ isOpen, onOpen, ...legend }: Props) {
  const { t } = useTranslation()
  return (
    <section className={styles['legend']} aria-label={t('live:legend.label')}>
      <header className={styles['head']}>
        <h2 className={styles['title']}>{t(`live:color.${legend.by}`)}</h2>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-expanded={isOpen}
          aria-label={t(isOpen ? 'live:legend.close' : 'live:legend.open')}
          onClick={() => onOpen(!isOpen)}
        >
          {isOpen ? <IconChevronDown size={18} /> : <IconChevronUp size={18} />}
        </ActionIcon>
      </header>
      {isOpen ? <LegendRows {...legend} /> : null}
    </section>
  )
}

/** The live map: the current positions of all vehicles of the region. */
export function LiveMapScreen() {
  const region = useRegion()
  // Each region has its own fleet.
  return <LiveMap key={region.regionId} region={region} />
}

/** Share of the window height that counts as covered by the card on a phone. */
const phoneCardShare = 0.45

/** The page of one region: filters, map, card, legend, and table. */
function LiveMap({ region }: { region: Region }) {
  const { t } = useTranslation()
  const { regionId, timezone, lostAfterHours } = region
  const { search, replace } = useSearchState(liveSearch)
  const page = useMapPage(search, replace)
  const { isSmall, isPanelOpen, areResultsOpen } = page
  const live = useLiveMap(region, window.innerWidth - (isPanelOpen && !isSmall ? sizes.panel : 0))
  const { columns, state, shown, operators, colors, change, at, selected, select, isLoaded, lacks } = live
  // The card and the table do not fit at the same time.
  const isCrowded = areResultsOpen && selected !== null
  // On a phone the card covers the lower part of the map.
  const coveredByPage = coveredMap({ isSmall, isPanelOpen, areResultsOpen })
  const covered =
    isSmall && selected !== null && !areResultsOpen
      ? { ...coveredByPage, bottom: Math.round(window.innerHeight * phoneCardShare) }
      : coveredByPage
  return (
    <MapPage
      page={page}
      selected={selected}
      onSelect={select}
      title={t('live:title')}
      panelTitle={t('live:title')}
      panel={
        <LivePanel
          search={search}
          change={change}
          shown={shown}
          operators={operators}
          colors={colors}
          lostAfterHours={lostAfterHours}
        />
      }
      map={<FleetMap region={region} live={live} covered={covered} />}
      notice={
        <MapNotice
          isWaiting={state.kind === 'loading'}
          error={
            state.kind === 'failed' && !isLoaded ? (state.error ?? { message: t('live:stopped.text') }) : null
          }
          onRetry={live.retry}
          empty={lacks ? <LiveEmpty lacks={lacks} onClear={live.clear} /> : null}
        />
      }
      corner={
        <LiveCorner
          region={region}
          live={live}
          isSmall={isSmall}
          isBeside={isCrowded && !isSmall}
          isLegendOpen={page.legendChoice ?? !(isSmall || isCrowded)}
          onLegendOpen={page.setIsLegendOpen}
        />
      }
      status={
        <LiveStatus state={state} shown={isLoaded ? shown : null} total={columns.count} timezone={timezone} />
      }
      results={(height) =>
        shown ? (
          <LiveTable
            columns={columns}
            handles={shown.handles}
            operators={operators}
            timezone={timezone}
            at={at}
            fileName={`vehicles-${regionId}`}
            height={height}
            selected={search.vehicle}
            onSelect={select}
            state={search}
            onStateChange={change}
          />
        ) : null
      }
    />
  )
}

interface FleetMapProps {
  region: Region
  live: ReturnType<typeof useLiveMap>
  covered: ReturnType<typeof coveredMap>
}

/** The vehicles and stations on the map. */
function FleetMap({ region, live, covered }: FleetMapProps) {
  const { t } = useTranslation()
  const hover = useHoverParam()
  return (
    <MapView
      requestHeaders={requestHeaders}
      scene={live.scene}
      fleet={live.view}
      title={t('live:mapOf', { region: region.text })}
      view={live.camera}
      isExact={live.isExact}
      covered={covered}
      isMetric={region.isMetric}
      isDimmed={false}
      onViewChange={({ lon, lat, zoom }) => live.adjust({ view: [lon, lat, zoom] })}
      onHover={hover}
      onSelect={live.select}
      findShape={live.findVehicle}
      hoverCard={(id) => (
        <FleetHoverCard
          id={id}
          facts={getVehicleFacts(live.columns, id)}
          stations={live.stations}
          operators={live.operators}
          timezone={region.timezone}
        />
      )}
    />
  )
}

interface LiveCornerProps {
  region: Region
  live: ReturnType<typeof useLiveMap>
  isSmall: boolean
  /** Whether the card is beside the legend instead of above it. */
  isBeside: boolean
  isLegendOpen: boolean
  onLegendOpen: (isOpen: boolean) => void
}

/** The card of the selected vehicle, and the legend. */
function LiveCorner({ region, live, isSmall, isBeside, isLegendOpen, onLegendOpen }: LiveCornerProps) {
  const { regionId, timezone, isMetric } = region
  const { search, columns, shown, operators, colors, stations, camera, at, selected, select, isLoaded } = live
  return (
    <div className={styles['corner']} data-beside={isBeside || undefined}>
      {selected === null ? null : (
        <VehicleCard
          key={selected}
          regionId={regionId}
          timezone={timezone}
          isMetric={isMetric}
          id={selected}
          facts={getVehicleFacts(columns, selected)}
          operators={operators}
          at={at}
          onClear={() => select(null)}
        />
      )}
      {shown && isLoaded && !(isSmall && selected !== null) ? (
        <LiveLegend
          by={search.color ?? 'operator'}
          filters={toFilters(search)}
          shown={shown}
          operators={operators}
          colors={colors}
          hasStations={stations.length > 0}
          isClustered={camera.zoom < clusterZoom}
          isOpen={isLegendOpen}
          onOpen={onLegendOpen}
        />
      ) : null}
    </div>
  )
}
