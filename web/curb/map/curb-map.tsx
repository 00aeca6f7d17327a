import { Button, NumberInput, Select, Text, TextInput } from '@mantine/core'
import { IconCurrentLocation, IconParking, IconPrinter } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { wellKnownPurposes, wellKnownUserClasses } from '#contract/cds.ts'
import { toMajor, toMinor } from '#contract/money.ts'
import type { Box, Geometry } from '#contract/place.ts'
import type { PublicRegion } from '#contract/regions.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { formatTimezone } from '#web/kit/format.ts'
import { dataColors } from '#web/kit/theme.ts'
import { showToast } from '#web/kit/toasts.tsx'
import { streetSideLayer } from '#web/map/layers/street-side-layer.ts'
import { shapeStates } from '#web/map/layers/shape-states.ts'
import type { MapLayer } from '#web/map/map-layer.ts'
import type { SceneBasemap } from '#web/map/map-scene.ts'
import { MapView } from '#web/map/map-view.tsx'
import { boundingBox } from '#web/map/rendering/bounding-box.ts'
import { pageViewProps } from '#web/map-page/first-view.ts'
import { MapNotice } from '#web/map-page/map-notice.tsx'
import { MapPage } from '#web/map-page/map-page.tsx'
import { type MapPageState, useMapPage } from '#web/map-page/use-map-page.ts'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { useHoverParam, useSearchState } from '#web/shell/use-search-state.ts'
import { getCurbPalette } from './curb-colors.ts'
import { CurbLegend } from './curb-legend.tsx'
import { curbMapSearch, type CurbMapSearch } from './curb-map-search.ts'
import type { CurbSource } from './curb-source.ts'
import { CurbZoneCard } from './curb-zone-card.tsx'
import { CurbZonesTable } from './curb-zones-table.tsx'
import { capitalize, formatSituation, formatUser } from '../rule-text.ts'
import { useCurbMap, useCurbZone, type toUserQuery } from './use-curb-map.ts'
import { WeekAxis } from './week-axis.tsx'
import styles from './curb-map.module.css'

interface Props {
  region: Pick<PublicRegion, 'regionId' | 'text' | 'timezone' | 'isMetric' | 'lat' | 'lon' | 'mapZoom'>
  source: CurbSource
  basemap: SceneBasemap
  requestHeaders: () => Record<string, string>
  title: string
  now: number
}

/** Half the side of the box around the browser's position: about 60 m. */
const nearbyDegrees = 0.0006
/** Zones are too thin to be seen at a lower zoom. */
const openingZoom = 13

/** The curb states at an instant, for a vehicle and purpose. */
export function CurbMap({ region, source, basemap, requestHeaders, title, now }: Props) {
  const { t } = useTranslation()
  const { timezone, isMetric } = region
  const { search, push, replace } = useSearchState(curbMapSearch)
  const hover = useHoverParam()
  const page = useMapPage(search, replace)
  const curb = useCurbMap(source, search, timezone, now)
  const { at, user, week } = curb
  const { cameraTarget, locate } = useCameraTarget(week?.bbox, search)
  const zone = useCurbZone(source, search.zone, at, user)
  const geometry = (search.zone === undefined ? undefined : zone.data?.zone.geometry) ?? null
  const scene = useCurbScene({ source, curb, basemap, selected: search.zone ?? null, highlighted: geometry })
  const selectZone = (id: string | null): void => push({ zone: id ?? undefined })
  const isEmpty = week?.zone_count === 0
  const visibleWeek = isEmpty ? undefined : week
  return (
    <MapPage
      page={page}
      selected={search.zone ?? null}
      onSelect={selectZone}
      title={title}
      panelTitle={t('curb:map.panel')}
      panel={<CurbFilters week={week} timezone={timezone} search={search} push={push} onLocate={locate} />}
      map={
        <MapView
          {...pageViewProps({ page, search, region, adjust: replace, hasAxis: visibleWeek !== undefined })}
          requestHeaders={requestHeaders}
          scene={scene}
          title={t('curb:map.mapOf', { region: region.text })}
          isMetric={isMetric}
          isDimmed={curb.isStale}
          onHover={hover}
          onSelect={selectZone}
          findShape={(id) => (id === search.zone && geometry ? boundingBox(geometry) : null)}
          cameraTarget={cameraTarget}
          hoverCard={(id) => <HoverCard id={id} source={source} at={at} user={user} />}
        />
      }
      notice={
        <MapNotice
          isWaiting={curb.isWaiting}
          error={curb.error}
          onRetry={curb.retry}
          empty={isEmpty ? <NoZones isPublic={source.isPublic} /> : null}
        />
      }
      corner={
        <CurbCorner
          region={region}
          search={search}
          push={push}
          page={page}
          zone={zone}
          at={at}
          lengths={visibleWeek ? curb.lengths : null}
        />
      }
      axis={
        visibleWeek ? (
          <WeekAxis
            week={visibleWeek}
            at={at}
            isNow={search.at === undefined}
            onMove={(local) => replace({ at: local })}
          />
        ) : null
      }
      isStale={curb.isStale}
      results={(height) => (
        <CurbZonesTable
          source={source}
          search={search}
          at={at}
          user={user}
          currency={week?.currency ?? 'USD'}
          isMetric={isMetric}
          height={height}
          onSearch={(text) => replace({ search: text || undefined, page: undefined })}
          onSelect={selectZone}
          onStateChange={push}
        />
      )}
    />
  )
}

interface CurbCornerProps extends Pick<Props, 'region'> {
  search: CurbMapSearch
  push: (changes: Partial<CurbMapSearch>) => void
  page: MapPageState
  zone: ReturnType<typeof useCurbZone>
  at: number /** The length of curb by state; null while there are no zones. */
  lengths: ReturnType<typeof useCurbMap>['lengths'] | null
}

/** The card of the selected zone, and the legend. */
function CurbCorner({ region, search, push, page, zone, at, lengths }: CurbCornerProps) {
  const { t } = useTranslation()
  const { timezone, isMetric } = region
  return (
    <>
      {search.zone === undefined ? null : (
        <CurbZoneCard
          response={zone}
          timezone={timezone}
          at={at}
          isMetric={isMetric}
          onClear={() => push({ zone: undefined })}
        />
      )}
      {lengths ? (
        <CurbLegend
          title={t('curb:map.legend.title')}
          lengths={lengths}
          isMetric={isMetric}
          states={search.states}
          onStates={(states) => push({ states })}
          isOpen={page.legendChoice ?? !page.isSmall}
          onOpen={page.setIsLegendOpen}
        />
      ) : null}
    </>
  )
}

/**
 * Returns the box to which the map moves: at first to the zones, which may cover only a small part of the region,
 * unless the URL has a view or zone; `locate` moves it to the position of the browser.
 */
function useCameraTarget(zonesBox: Box | null | undefined, { view, zone }: CurbMapSearch) {
  const { t } = useTranslation()
  const [cameraTarget, setCameraTarget] = useState<{ box: Box; minZoom: number } | null>(null)
  // Later changes of the URL must not move the map.
  const [hasStartView] = useState(view !== undefined || zone !== undefined)
  if (zonesBox && cameraTarget === null && !hasStartView)
    setCameraTarget({ box: zonesBox, minZoom: openingZoom })
  return {
    cameraTarget,
    locate: (): void => locateUser(setCameraTarget, () => showToast(t('curb:map.located.failed'))),
  }
}

/** Shown when the region has no curb zones yet. */
function NoZones({ isPublic }: { isPublic: boolean }) {
  const { t } = useTranslation()
  return (
    <EmptyState title={t('curb:map.empty.title')} icon={<IconParking />}>
      {t(isPublic ? 'curb:map.empty.public' : 'curb:map.empty.text')}
    </EmptyState>
  )
}

interface HoverProps {
  id: string
  source: CurbSource
  at: number
  user: ReturnType<typeof toUserQuery>
}

/** The card under the pointer: street and curb state. */
function HoverCard({ id, source, at, user }: HoverProps) {
  const { t } = useTranslation()
  const { data } = useCurbZone(source, id, at, user)
  const isKnown = data?.curb_zone_id === id
  return (
    <div className={styles['hover']}>
      <strong>{isKnown ? (data.zone.street_name ?? t('curb:map.card.unnamed')) : '…'}</strong>
      <span>{isKnown ? formatSituation(t, data.now, data.currency) : ''}</span>
    </div>
  )
}

/** Creates a layer that draws the selected zone above the others. */
function createHighlightLayer(geometry: Geometry, color: string): MapLayer {
  return {
    sources: {
      'curb:selected': { type: 'geojson', data: { type: 'Feature', geometry, properties: {} } as never },
    },
    drawings: [
      {
        id: 'curb:selected',
        type: 'line',
        source: 'curb:selected',
        paint: { 'line-color': color, 'line-width': 3, 'line-gap-width': 6 },
      },
    ],
    labels: [],
    pointerTarget: null,
    states: new Map(),
  }
}

interface CurbSceneInput {
  source: CurbSource
  curb: ReturnType<typeof useCurbMap>
  basemap: SceneBasemap
  selected: string | null
  /** The geometry of the selected zone, once it is loaded. */
  highlighted: Geometry | null
}

/** Returns the curb zones in the colors of their states, with the selected one above. */
function useCurbScene({ source, curb: { week, binById }, basemap, selected, highlighted }: CurbSceneInput) {
  const scheme = useMapScheme()
  const tiles = week ? source.getTileUrl(week.epoch, week.version) : null
  const key = week ? `curb:${week.epoch}:${week.version}` : ''
  const layer = useMemo(
    () =>
      tiles === null
        ? null
        : streetSideLayer({
            key,
            source: { type: 'vector', tiles: [tiles], minzoom: 12, maxzoom: 18, promoteId: 'rule_set' },
            sourceLayer: 'shapes',
            idProperty: 'curb_zone_id',
            sideProperty: 'side',
            binById: new Map(),
            colors: getCurbPalette(scheme),
            scheme,
          }),
    [tiles, key, scheme],
  )
  return useMemo(() => {
    const layers: MapLayer[] = layer ? [{ ...layer, states: shapeStates(binById) }] : []
    if (highlighted) layers.push(createHighlightLayer(highlighted, dataColors[scheme].selected))
    return { scheme, basemap, layers, heat: null, selected }
  }, [layer, binById, highlighted, scheme, basemap, selected])
}

interface CurbFiltersProps {
  week: ReturnType<typeof useCurbMap>['week']
  timezone: string
  search: CurbMapSearch
  push: (changes: Partial<CurbMapSearch>) => void
  onLocate: () => void
}

/** The vehicle, purpose, time, stay and price for which the map shows the curb states. */
function CurbFilters({ week, timezone, search, push, onLocate }: CurbFiltersProps) {
  const { t } = useTranslation()
  const toOptions = (wellKnown: readonly string[], own: readonly string[], current: string | undefined) =>
    [...new Set([...(current === undefined ? [] : [current]), ...own, ...wellKnown])]
      .map((value) => ({ value, label: capitalize(formatUser(t, value)) }))
      .toSorted((a, b) => a.label.localeCompare(b.label))
  return (
    <>
      <Select
        label={t('curb:map.filter.vehicle')}
        searchable
        allowDeselect={false}
        data={toOptions(wellKnownUserClasses, week?.user_classes ?? [], search.vehicle)}
        value={search.vehicle ?? 'car'}
        onChange={(value) => push({ vehicle: value === 'car' ? undefined : (value ?? undefined) })}
      />
      <Select
        label={t('curb:map.filter.purpose')}
        placeholder={t('curb:map.filter.anyPurpose')}
        searchable
        clearable
        data={toOptions(wellKnownPurposes, week?.purposes ?? [], search.purpose)}
        value={search.purpose ?? null}
        onChange={(value) => push({ purpose: value ?? undefined })}
      />
      <TextInput
        type="datetime-local"
        label={t('curb:map.filter.at')}
        description={t('curb:map.filter.zone', { zone: formatTimezone(timezone) })}
        value={search.at ?? ''}
        onChange={(event) =>
          push({ at: event.currentTarget.value.slice(0, 'YYYY-MM-DDTHH:MM'.length) || undefined })
        }
      />
      <NumberInput
        label={t('curb:map.filter.minStay')}
        suffix={t('curb:map.filter.minutes')}
        min={1}
        allowDecimal={false}
        value={search.stay ?? ''}
        onChange={(value) => push({ stay: Number(value) || undefined })}
      />
      {week ? (
        <NumberInput
          label={t('curb:map.filter.price', { currency: week.currency })}
          min={0}
          value={search.price === undefined ? '' : toMajor(search.price, week.currency)}
          onChange={(value) =>
            push({ price: value === '' ? undefined : toMinor(Number(value), week.currency) })
          }
        />
      ) : null}
      <Button variant="default" leftSection={<IconCurrentLocation size={18} />} onClick={onLocate}>
        {t('curb:map.located.find')}
      </Button>
      <Button variant="default" leftSection={<IconPrinter size={18} />} onClick={() => window.print()}>
        {t('curb:map.print')}
      </Button>
      <Text size="sm" c="dimmed">
        {t('curb:map.note')}
      </Text>
    </>
  )
}

/** Moves the map to the position of the browser.
 */
function locateUser(
  onTarget: (cameraTarget: { box: Box; minZoom: number }) => void,
  onFailed: () => void,
): void {
  navigator.geolocation.getCurrentPosition(
    ({ coords: { longitude: lon, latitude: lat } }) =>
      onTarget({
        box: [lon - nearbyDegrees, lat - nearbyDegrees, lon + nearbyDegrees, lat + nearbyDegrees],
        minZoom: 17,
      }),
    onFailed,
  )
}
