import { Button, Tabs } from '@mantine/core'
import { useHotkeys, useMediaQuery } from '@mantine/hooks'
import { type ComponentProps, type Ref, useRef, useState, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Box } from '#contract/place.ts'
import type { Region } from '#contract/regions.ts'
import { requestHeaders } from '#web/data/request-headers.ts'
import { MapNotice } from '#web/map-page/map-notice.tsx'
import { isInPopup, useFocusHandover } from '#web/kit/focus.ts'
import { MapView } from '#web/map/map-view.tsx'
import { clusterZoom } from '#web/map/cluster-grid.ts'
import type { UserLocation } from '#web/map/layers/fleet-points.ts'
import { useRegion } from '#web/shell/region.tsx'
import { useHoverParam } from '#web/shell/use-search-state.ts'
import { FleetHoverCard } from '../fleet-hover-card.tsx'
import { LegendRows } from '../legend-rows.tsx'
import { LiveEmpty } from '../live-empty.tsx'
import { LivePanel } from '../live-panel.tsx'
import { toFilters } from '../live-search.ts'
import { LiveStatus } from '../live-status.tsx'
import { useLiveMap } from '../use-live-map.ts'
import { VehicleCard } from '../vehicle-card.tsx'
import { getVehicleFacts } from '../vehicle-facts.ts'
import { BottomSheet } from './bottom-sheet.tsx'
import { LocateButton } from './locate-button.tsx'
import { MobileBar } from './mobile-bar.tsx'
import styles from './mobile-live-screen.module.css'
import { PositionNotice } from './position-notice.tsx'
import { type SheetHeight, sheetCover } from './sheet-heights.ts'
import { SheetPanel, SheetTabList, type SheetTab, sheetTabs } from './sheet-panels.tsx'
import { usePosition } from './use-position.ts'
import { VehicleList } from './vehicle-list.tsx'

/** Lets the page extend under the notch and the home bar of a phone; its content has to avoid them. */
export function useFullScreen(): void {
  useEffect(() => {
    const meta = document.querySelector<HTMLMetaElement>('meta[name="viewport"]')
    if (!meta) return
    const original = meta.content
    meta.content = `${original}, viewport-fit=cover`
    return () => {
      meta.content = original
    }
  }, [])
}

interface Props {
  regionId: string
  /** Name of the home screen icon where the manifest is not used. */
  name: string
}

/** Document metadata of an installable app that opens with this region's map; removed on unmount. */
export function InstallHead({ regionId, name }: Props) {
  return (
    <>
      <link rel="manifest" href={`/${regionId}/mobile/live.webmanifest`} />
      <meta name="apple-mobile-web-app-title" content={name} />
    </>
  )
}

/** The live map for a phone. */
export function MobileLiveScreen() {
  const region = useRegion()
  // Each region has its own fleet.
  return <MobileLive key={region.regionId} region={region} />
}

/** Height in pixels of the part of a vehicle's card that the lowest sheet shows: its name and state. */
const cardPreviewPixels = 60

/** The map of one region with a sheet over it. */
function MobileLive({ region }: { region: Region }) {
  const { t } = useTranslation()
  const { regionId, timezone, text } = region
  useFullScreen()
  const { position, userPosition: userLocation, cameraTarget, locate } = usePosition()
  // A point that was pressed on the map; null while distances are from the user's position.
  const [pressedPoint, setPressedPoint] = useState<UserLocation | null>(null)
  const distanceOrigin = pressedPoint ?? userLocation
  const live = useLiveMap(region, window.innerWidth, distanceOrigin)
  const { columns, state, shown, selected, isLoaded, lacks } = live
  const { height, setHeight, tab, cover, choose, showTab, focusCard, cardRef, focusTabs, tabsRef } =
    useSheet(live)
  // The sheet opens over the pressed vehicle or station, so the map moves until that is visible again. `after`
  // is the target of the user's position at that time: a newer one takes precedence.
  const [pressedTarget, setPressedTarget] = useState<{
    box: Box
    minZoom: number
    after: typeof cameraTarget
  } | null>(null)
  const handleSelect = (id: string | null): void => {
    const box = id === null ? null : live.findVehicle(id)
    setPressedTarget(box && { box, minZoom: live.camera.zoom, after: cameraTarget })
    choose(id)
  }
  return (
    <div className={styles['root']} data-height={height}>
      <InstallHead regionId={regionId} name={t('live:installed', { region: text })} />
      <h1 className="visually-hidden">{t('live:mapOf', { region: text })}</h1>
      <MobileBar regionId={regionId} />
      <div className={styles['map']}>
        <PhoneMap
          region={region}
          live={live}
          covered={cover}
          cameraTarget={pressedTarget?.after === cameraTarget ? pressedTarget : cameraTarget}
          onSelect={handleSelect}
          onPress={(lon, lat) => {
            if (selected !== null) return
            setPressedPoint({ lon, lat, accuracy: 0 })
            showTab('vehicles')
          }}
        />
        <div className={styles['over']}>
          <MapNotice
            isWaiting={state.kind === 'loading'}
            error={
              state.kind === 'failed' && !isLoaded
                ? (state.error ?? { message: t('live:stopped.text') })
                : null
            }
            onRetry={live.retry}
            empty={lacks && height === 'peek' ? <LiveEmpty lacks={lacks} onClear={live.clear} /> : null}
          />
          <PositionNotice position={position} />
        </div>
        <div className={styles['locate']}>
          <LocateButton
            position={position}
            onLocate={() => {
              setPressedPoint(null)
              locate()
            }}
          />
        </div>
        <Tabs
          className={styles['room'] ?? ''}
          value={height === 'peek' ? null : tab}
          onChange={showTab}
          keepMounted={false}
        >
          <BottomSheet
            label={t('live:sheet.label')}
            height={height}
            onHeight={setHeight}
            previewPixels={selected === null ? 0 : cardPreviewPixels}
            header={
              <LiveStatus
                state={state}
                shown={isLoaded ? shown : null}
                total={columns.count}
                timezone={timezone}
              />
            }
            subheader={selected === null ? <SheetTabList firstTabRef={tabsRef} /> : null}
          >
            {selected === null ? (
              <SheetPanels
                region={region}
                live={live}
                here={distanceOrigin}
                point={pressedPoint}
                onPoint={setPressedPoint}
                onChoose={(id) => {
                  focusCard()
                  choose(id)
                }}
              />
            ) : (
              <SheetCard
                ref={cardRef}
                region={region}
                live={live}
                id={selected}
                onClear={() => {
                  focusTabs()
                  choose(null)
                }}
              />
            )}
          </BottomSheet>
        </Tabs>
      </div>
    </div>
  )
}

interface SheetCardProps {
  ref: Ref<HTMLDivElement>
  region: Region
  live: ReturnType<typeof useLiveMap>
  id: string
  onClear: () => void
}

/** The card of the selected vehicle. */
function SheetCard({ ref, region, live, id, onClear }: SheetCardProps) {
  return (
    <div ref={ref} className={styles['card']} tabIndex={-1}>
      <VehicleCard
        key={id}
        regionId={region.regionId}
        timezone={region.timezone}
        isMetric={region.isMetric}
        id={id}
        facts={getVehicleFacts(live.columns, id)}
        operators={live.operators}
        at={live.at}
        onClear={onClear}
      />
    </div>
  )
}

/** The sheet over the map: its height, its tab, and the focus when a vehicle is selected or deselected. */
function useSheet({ search, selected, select, showResults }: ReturnType<typeof useLiveMap>) {
  const areResultsOpen = search.results === true
  const [height, setHeight] = useState<SheetHeight>(selected !== null || areResultsOpen ? 'half' : 'peek')
  const [selectedTab, setTab] = useState<SheetTab>('filters')
  const tab = areResultsOpen ? 'vehicles' : selectedTab
  // On a phone in landscape, the sheet is at the left of the map instead of over its lower part.
  const isBeside = useMediaQuery('(orientation: landscape) and (min-width: 560px)', false, {
    getInitialValueInEffect: false,
  })
  const coveredEdges = sheetCover(height, isBeside, window.innerWidth, window.innerHeight)
  const { passFocus: focusCard, receiverRef: cardRef } = useFocusHandover()
  const { passFocus: focusTabs, receiverRef: tabsRef } = useFocusHandover()
  const heightBeforeCard = useRef<SheetHeight>('peek')
  const selectVehicle = (id: string | null): void => {
    if (id !== null && selected === null) {
      heightBeforeCard.current = height
      setHeight('half')
    }
    if (id === null && selected !== null) setHeight(heightBeforeCard.current)
    select(id)
  }
  const showTab = (next: string | null): void => {
    const nextTab = sheetTabs.find((sheetTab) => sheetTab === next)
    if (!nextTab) return
    showResults(nextTab === 'vehicles')
    if (nextTab !== 'vehicles') setTab(nextTab)
    if (height === 'peek') setHeight('half')
  }
  const handleEscape = (event: KeyboardEvent): void => {
    if (isInPopup(event.target)) return
    if (selected === null) setHeight('peek')
    else {
      focusTabs()
      selectVehicle(null)
    }
  }
  useHotkeys([
    ['T', () => (areResultsOpen && height !== 'peek' ? setHeight('peek') : showTab('vehicles'))],
    ['Escape', handleEscape, { preventDefault: false }],
  ])
  return {
    height,
    setHeight,
    tab,
    cover: coveredEdges,
    choose: selectVehicle,
    showTab,
    focusCard,
    cardRef,
    focusTabs,
    tabsRef,
  }
}

interface PhoneMapProps extends Pick<
  ComponentProps<typeof MapView>,
  'covered' | 'cameraTarget' | 'onSelect' | 'onPress'
> {
  region: Region
  live: ReturnType<typeof useLiveMap>
}

/** The vehicles and stations on the map. */
function PhoneMap({ region, live, covered, cameraTarget, onSelect, onPress }: PhoneMapProps) {
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
      cameraTarget={cameraTarget}
      onViewChange={({ lon, lat, zoom }) => live.adjust({ view: [lon, lat, zoom] })}
      onHover={hover}
      onSelect={onSelect}
      onPress={onPress}
      findShape={live.findVehicle}
      // Pressed vehicles are described in the sheet; for stations this card is all there is.
      hoverCard={(id) =>
        id.startsWith('station') ? (
          <FleetHoverCard
            id={id}
            facts={null}
            stations={live.stations}
            operators={live.operators}
            timezone={region.timezone}
          />
        ) : null
      }
    />
  )
}

interface SheetPanelsProps {
  region: Region
  live: ReturnType<typeof useLiveMap>
  /** From where distances are measured. */
  here: UserLocation | null
  /** A point that was pressed on the map. */
  point: UserLocation | null
  onPoint: (point: UserLocation | null) => void
  onChoose: (id: string) => void
}

/** The vehicles near a point, the filters, and the legend. */
function SheetPanels({ region, live, here, point, onPoint, onChoose }: SheetPanelsProps) {
  const { t } = useTranslation()
  const { isMetric, lostAfterHours } = region
  const { columns, shown, operators, colors, stations, search, change, camera } = live
  const coloring = search.color ?? 'operator'
  return (
    <>
      <SheetPanel tab="vehicles" isList>
        {point ? (
          <p className={styles['near']}>
            {t('live:near.point')}
            <Button size="compact-sm" variant="subtle" onClick={() => onPoint(null)}>
              {t('live:near.clear')}
            </Button>
          </p>
        ) : null}
        {shown ? (
          <VehicleList
            columns={columns}
            handles={shown.handles}
            operators={operators}
            coloring={coloring}
            operatorColors={colors}
            here={here}
            isMetric={isMetric}
            onSelect={onChoose}
          />
        ) : null}
      </SheetPanel>
      <SheetPanel tab="filters">
        <LivePanel
          search={search}
          change={change}
          shown={shown}
          operators={operators}
          colors={colors}
          lostAfterHours={lostAfterHours}
        />
      </SheetPanel>
      <SheetPanel tab="legend">
        <h2 className={styles['title']}>{t(`live:color.${coloring}`)}</h2>
        {shown ? (
          <LegendRows
            by={coloring}
            filters={toFilters(search)}
            shown={shown}
            operators={operators}
            colors={colors}
            hasStations={stations.length > 0}
            isClustered={camera.zoom < clusterZoom}
          />
        ) : null}
      </SheetPanel>
    </>
  )
}
