import { SegmentedControl, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CurbMetricsResponse, queryCurbMetrics } from '#contract/curb-sessions.ts'
import { listLayers } from '#contract/geography.ts'
import type { Region } from '#contract/regions.ts'
import { BinLegend, type LegendRow } from '#web/charts/bin-legend.tsx'
import { useOpenedAt } from '#web/data/clock.ts'
import { useToday } from '#web/filters/use-today.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { requestHeaders } from '#web/data/request-headers.ts'
import { useBasemap } from '#web/map-page/use-basemap.ts'
import { FilterBar } from '#web/filters/filter-bar.tsx'
import { selectedPeriod, orderPeriod, periodParams } from '#web/filters/period.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { formatInteger, formatPercent, formatMissing } from '#web/kit/format.ts'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { Table } from '#web/kit/table/table.tsx'
import { dataColors, type Scheme } from '#web/kit/theme.ts'
import { pageViewProps } from '#web/map-page/first-view.ts'
import { MapNotice } from '#web/map-page/map-notice.tsx'
import { MapPage } from '#web/map-page/map-page.tsx'
import { useMapPage } from '#web/map-page/use-map-page.ts'
import type { ShapeBin } from '#web/map/layers/shape-values.ts'
import { MapView } from '#web/map/map-view.tsx'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { useRegion } from '#web/shell/region.tsx'
import { enumParam, flag, matching, searchParams, tableParams, view } from '#web/shell/search-params.ts'
import { useHoverParam, useSearchState } from '#web/shell/use-search-state.ts'
import { boxAround } from '#web/map/rendering/box-around.ts'
import { boxOfZone, curbZonesLayer, zonesSource } from './curb-zones-layer.ts'
import { type ActivityZone, useCurbActivity, getZoneStatus, zoneStatuses } from './use-curb-activity.ts'
import { ZoneCard } from './zone-card.tsx'
import styles from './curb-activity.module.css'

const modes = ['now', 'period'] as const
const activitySearch = searchParams(
  {
    zone: matching(/^.{1,200}$/),
    mode: enumParam(modes, 'now'),
    ...periodParams,
    results: flag,
    ...tableParams,
    view,
  },
  orderPeriod,
)

/** Lower bounds of the classes of occupancy, as shares. */
const occupancyBounds = [0, 0.3, 0.6, 0.8] as const
/** Zones are too thin to be seen at a lower zoom. */
const openingZoom = 13
const activityMeasures = ['occupancy', 'sessions'] as const

interface ZoneValues {
  occupancy: number | null
  sessions: number | null
}

/** The activity of curb zones, live and over a period. */
export function CurbActivityScreen() {
  const region = useRegion()
  return <CurbActivityMap key={region.regionId} region={region} />
}

/** Returns the values of `activityMeasures` by zone. */
function getValuesByZone(response: CurbMetricsResponse | undefined): ReadonlyMap<string, ZoneValues> {
  return new Map(
    response?.period.rows.map(({ keys, values }) => [
      keys[0] ?? '',
      { occupancy: values[0] ?? null, sessions: values[1] ?? null },
    ]),
  )
}

/** Returns the colors of statuses in the order of `zoneStatuses`. */
function getStatusColors(scheme: Scheme): string[] {
  const { categorical } = dataColors[scheme]
  return [categorical[1]!, categorical[5]!, categorical[2]!]
}

/** The page of one region: panel, map, card of the selected zone, and table. */
function CurbActivityMap({ region }: { region: Region }) {
  const { t } = useTranslation()
  const activity = useActivityMap(region)
  const { list, zones, zoneById, metrics, values, search, selected, selectZone } = activity
  const zone = selected === null ? undefined : zoneById.get(selected)
  return (
    <MapPage
      page={activity.page}
      selected={selected}
      onSelect={selectZone}
      title={t('shell:pages.curbActivity')}
      panel={<ActivityPanel activity={activity} />}
      map={<ActivityMap region={region} activity={activity} />}
      notice={
        <MapNotice
          isWaiting={list.isPending || (values !== null && metrics.isFetching)}
          error={list.error ?? (values && metrics.error)}
          onRetry={() => void list.refetch()}
          empty={
            zones?.length === 0 ? (
              <EmptyState title={t('curb:activity.empty.title')}>{t('curb:activity.empty.text')}</EmptyState>
            ) : null
          }
        />
      }
      corner={
        zone ? (
          <ZoneCard
            key={zone.curb_zone_id}
            regionId={region.regionId}
            timezone={region.timezone}
            today={activity.today}
            at={activity.at}
            zone={zone}
            onClear={() => selectZone(null)}
          />
        ) : null
      }
      results={(height) => (
        <Table
          label={t('curb:activity.results')}
          rows={zones}
          rowKey={(row) => row.curb_zone_id}
          fileName="curb-activity"
          height={height}
          selected={selected}
          onSelect={selectZone}
          state={search}
          onStateChange={activity.push}
          columns={getActivityColumns(t, values)}
        />
      )}
    />
  )
}

/** Returns the URL, the zones with their status, and in the mode of a period their values. */
function useActivityMap({ regionId, timezone }: Region) {
  const scheme = useMapScheme()
  const at = useOpenedAt()
  const today = useToday(timezone)
  const { search, push, replace } = useSearchState(activitySearch)
  const page = useMapPage(search, replace)
  const { list, zones, stream } = useCurbActivity(regionId)
  const isPeriod = search.mode === 'period'
  const metrics = useEndpointQuery(
    queryCurbMetrics,
    {
      params: { region_id: regionId },
      body: { measures: [...activityMeasures], dimensions: ['zone'], ...selectedPeriod(search, today) },
    },
    { enabled: isPeriod, placeholderData: keepPreviousData },
  )
  const values = useMemo(() => (isPeriod ? getValuesByZone(metrics.data) : null), [isPeriod, metrics.data])
  return {
    at,
    today,
    search,
    push,
    replace,
    page,
    list,
    zones,
    zoneById: new Map(zones?.map((zone) => [zone.curb_zone_id, zone])),
    stream,
    metrics,
    /** Null in the mode of the current status. */
    values,
    binById: useZoneBins(zones ?? [], values),
    // Every second of the seven colors, one for each class of occupancy.
    colors: isPeriod
      ? [0, 2, 4, 6].map((step) => dataColors[scheme].sequential.tide[step] as string)
      : getStatusColors(scheme),
    selected: search.zone ?? null,
    selectZone: (id: string | null): void => push({ zone: id ?? undefined }),
  }
}

type ActivityState = ReturnType<typeof useActivityMap>

/** The choice between the current status and a period, and the legend. */
function ActivityPanel({ activity }: { activity: ActivityState }) {
  const { t } = useTranslation()
  const { search, push, replace, today, stream, zones, values, binById, colors } = activity
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label={t('curb:activity.mode')}
        value={search.mode ?? 'now'}
        data={modes.map((value) => ({ value, label: t(`curb:activity.${value}`) }))}
        onChange={(mode) => push({ mode: mode === 'period' ? 'period' : undefined })}
      />
      {values ? (
        <FilterBar
          filters={[{ kind: 'period', today, subject: 'curb' }]}
          state={search}
          onChange={push}
          onType={replace}
        />
      ) : (
        <Text size="sm" role="status" data-stream={stream}>
          {stream === 'loading' ? '\u00a0' : t(`curb:activity.${stream}`)}
        </Text>
      )}
      <BinLegend
        label={t(values ? 'curb:activity.occupancy' : 'curb:activity.legend')}
        rows={
          values
            ? occupancyLegend(t, binById, colors)
            : statusLegend(t, (zones ?? []).map(getZoneStatus), colors)
        }
      />
    </>
  )
}

/** The zones in the colors of their classes. */
function ActivityMap({ region, activity }: { region: Region; activity: ActivityState }) {
  const { t } = useTranslation()
  const { search, list, zoneById, values, selectZone, selected } = activity
  const hover = useHoverParam()
  const scene = useActivityScene(region.regionId, activity)
  const cameraTarget = useOpeningTarget(list.data?.zones, search.view === undefined && selected === null)
  return (
    <MapView
      {...pageViewProps({ ...activity, region, adjust: activity.replace })}
      requestHeaders={requestHeaders}
      scene={scene}
      title={t('curb:activity.map')}
      isMetric={region.isMetric}
      isDimmed={activity.metrics.isPlaceholderData}
      onHover={hover}
      onSelect={selectZone}
      cameraTarget={cameraTarget}
      findShape={(id) => {
        const zone = zoneById.get(id)
        return zone ? boxOfZone(zone) : null
      }}
      hoverCard={(id) => {
        const zone = zoneById.get(id)
        return zone ? <HoverCard zone={zone} values={values && values.get(id)} /> : null
      }}
    />
  )
}

/** Returns the color class of each zone: its occupancy in a period (`values`), or its status now. */
function useZoneBins(
  zones: readonly ActivityZone[],
  values: ReadonlyMap<string, ZoneValues> | null,
): ReadonlyMap<string, ShapeBin> {
  const statuses = zones.map(getZoneStatus).join()
  return useMemo((): ReadonlyMap<string, ShapeBin> => {
    const getBin = (zone: ActivityZone): ShapeBin => {
      if (values) {
        const occupancy = values.get(zone.curb_zone_id)?.occupancy ?? null
        return occupancy === null ? 'none' : occupancyBounds.findLastIndex((bound) => occupancy >= bound)
      }
      const status = getZoneStatus(zone)
      return status === 'unknown' ? 'none' : zoneStatuses.indexOf(status)
    }
    return new Map(zones.map((zone) => [zone.curb_zone_id, getBin(zone)]))
    // Zones change with each message; only their statuses determine the colors.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [statuses, values])
}

/** Returns the basemap and the zones in the colors of their classes. */
function useActivityScene(regionId: string, { at, list, binById, colors, selected }: ActivityState) {
  const scheme = useMapScheme()
  const layers = useEndpointQuery(listLayers, { params: { region_id: regionId } })
  const basemap = useBasemap(layers.data?.items ?? null, at)
  const listedZones = list.data?.zones
  const source = useMemo(() => zonesSource(listedZones ?? []), [listedZones])
  const colorKey = colors.join()
  return useMemo(
    () => ({
      scheme,
      basemap,
      layers: [
        curbZonesLayer({
          key: `curb-zones:${list.dataUpdatedAt}`,
          source,
          binById,
          colors: colorKey.split(','),
          scheme,
        }),
      ],
      heat: null,
      selected,
    }),
    [scheme, basemap, source, list.dataUpdatedAt, binById, colorKey, selected],
  )
}

/** Moves the first view to the zones, which may cover only a small part of the region. */
function useOpeningTarget(zones: readonly ActivityZone[] | undefined, isWanted: boolean) {
  const [isMoved] = useState(isWanted)
  return useMemo(() => {
    const boxes = isMoved ? (zones ?? []).map(boxOfZone).filter((box) => box !== null) : []
    const box = boxAround(boxes)
    return box && { box, minZoom: openingZoom }
    // Later changes of the zones must not move the map.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isMoved, zones !== undefined])
}

/** Returns the classes of occupancy, each with its number of zones. */
function occupancyLegend(
  t: TFunction,
  binById: ReadonlyMap<string, ShapeBin>,
  colors: readonly string[],
): LegendRow[] {
  const countZones = (zoneBin: ShapeBin): string =>
    formatInteger([...binById.values()].filter((value) => value === zoneBin).length)
  return [
    ...occupancyBounds.map((bound, step): LegendRow => {
      const nextBound = occupancyBounds[step + 1]
      return {
        key: String(bound),
        label: `${formatPercent(bound)}${nextBound === undefined ? ' +' : ` – ${formatPercent(nextBound)}`}`,
        members: countZones(step),
        swatch: { color: colors[step]!, opacity: 1 },
      }
    }),
    { key: 'none', label: t('curb:activity.status.unknown'), members: countZones('none'), swatch: 'none' },
  ]
}

/** Returns the statuses of zones, each with its number of zones. */
const statusLegend = (
  t: TFunction,
  statuses: readonly (typeof zoneStatuses)[number][],
  colors: readonly string[],
): LegendRow[] =>
  zoneStatuses.map((status, step) => ({
    key: status,
    label: t(`curb:activity.status.${status}`),
    members: formatInteger(statuses.filter((value) => value === status).length),
    swatch: status === 'unknown' ? 'none' : { color: colors[step]!, opacity: 1 },
  }))

const formatCount = (value: number | null): string =>
  value === null ? formatMissing() : formatInteger(value)

/** The card under the pointer: the occupancy of a period, or the spaces now if `values` is null. */
function HoverCard({ zone, values }: { zone: ActivityZone; values: ZoneValues | null | undefined }) {
  const { t } = useTranslation()
  return (
    <div className={styles['hover']}>
      <strong>{zone.name}</strong>
      <span>
        {values !== null
          ? formatPercent(values?.occupancy)
          : t('curb:activity.all', {
              occupied: formatInteger(zone.occupied),
              free: formatCount(zone.free),
              unknown: formatCount(zone.unknown),
            })}
      </span>
    </div>
  )
}

/** Returns the columns of zones: occupancy and sessions of a period, or the spaces now. */
const getActivityColumns = (
  t: TFunction,
  values: ReadonlyMap<string, ZoneValues> | null,
): TableColumn<ActivityZone>[] => [
  column('name', t('curb:activity.zone'), (zone: ActivityZone) => zone.name),
  column('street', t('curb:activity.street'), (zone) => zone.street_name),
  ...(values
    ? [
        column(
          'occupancy',
          t('curb:measure.occupancy.name'),
          (zone: ActivityZone) => values.get(zone.curb_zone_id)?.occupancy ?? null,
          {
            isNumber: true,
            renderCell: (zone: ActivityZone) => formatPercent(values.get(zone.curb_zone_id)?.occupancy),
          },
        ),
        column(
          'sessions',
          t('curb:measure.sessions.name'),
          (zone: ActivityZone) => values.get(zone.curb_zone_id)?.sessions ?? null,
          { isNumber: true },
        ),
      ]
    : (['capacity', 'occupied', 'free', 'unknown'] as const).map((key) =>
        column(key, t(`curb:activity.${key}`), (zone: ActivityZone) => zone[key], {
          isNumber: true,
          renderCell: (zone: ActivityZone) => formatCount(zone[key]),
        }),
      )),
  column('online', t('curb:activity.online'), (zone) => zone.online, {
    isNumber: true,
    renderCell: (zone) =>
      t('curb:activity.onlineOf', {
        online: formatInteger(zone.online),
        sources: formatInteger(zone.sources),
      }),
  }),
]
