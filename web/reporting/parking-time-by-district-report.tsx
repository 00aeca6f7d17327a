import { type Layer, listLayers, type Shape } from '#contract/geography.ts'
import type { MetricsResponse } from '#contract/metrics.ts'
import { notInShape } from '#contract/evaluation.ts'
import { querySpatial, type SpatialAggregation, type SpatialResult } from '#contract/spatial.ts'
import { endpointQuery } from '#web/data/query.ts'
import { AreaMap } from '#web/map-page/by-shape/area-map.tsx'
import { activeLayer, layerInSentence, layerOptions } from '#web/map-page/layer-options.ts'
import { formatParkedDuration } from '#web/filters/parked-durations.ts'
import { shapesQuery } from '#web/map-page/use-shapes.ts'
import { formatInteger, formatNumber, formatPercent } from '#web/kit/format.ts'
import { Table } from '#web/kit/table/table.tsx'
import type { Dashboard, DashboardChart } from './dashboard.tsx'
import { limitFilter, ParkingMapLink } from './distributions-report.tsx'
import { measureFormat } from './measure-format.ts'
import { measureTile, reportFreshness } from './measure-tile.ts'
import { metricsQuery } from './report-queries.ts'
import { timeChart } from './time-chart.ts'
import {
  grainFilter,
  parkingLimits,
  readReportSearch,
  type ReportContext,
  getReportFilters,
  type ReportSearch,
  toSelection,
} from './report-search.ts'
import type { TFunction } from 'i18next'
import type { ReactElement, ReactNode } from 'react'

interface Areas {
  layer: Layer
  shapes: Shape[]
  /** All parking events, those over the limit, and mean durations in minutes. */
  all: SpatialResult
  over: SpatialResult
  mean: SpatialResult
}
interface DistrictData {
  search: ReportSearch
  layers: Layer[]
  /** Null if the region has no layer of areas. */
  areas: Areas | null
  byTime: MetricsResponse
}

interface Row {
  id: string
  name: string
  events: number
  over: number
  /** Percent; null if there are no events. */
  share: number | null
  /** Hours. */
  mean: number | null
}

const measures = ['parking_events', 'parking_over_limit', 'parked_mean', 'parked_median'] as const
/** Maximum number of bars in a chart. */
const maxBars = 20

/** Returns the areas in their order, then the events outside of all areas. */
function toRows({ shapes, all, over, mean }: Areas, outside: string): Row[] {
  const toRow = (id: string, name: string): Row => {
    const events = all.shape_data[id]?.value ?? 0
    const overLimit = over.shape_data[id]?.value ?? 0
    const minutes = mean.shape_data[id]?.value ?? null
    return {
      id,
      name,
      events,
      over: overLimit,
      share: events > 0 ? (100 * overLimit) / events : null,
      mean: minutes === null ? null : minutes / 60,
    }
  }
  return [
    ...shapes.map(({ shape_uuid, shape_name }) => toRow(shape_uuid, shape_name)),
    toRow(notInShape, outside),
  ]
}

/** Parked Time by District: parking events, and those over a limit, by area of a layer. */
export const dashboard = (context: ReportContext): Dashboard<ReportSearch, DistrictData> => {
  const { region } = context
  return {
    page: 'parkingTimeByDistrict',
    context: ({ byTime }, t) => reportFreshness(context, byTime, t),
    readSearch: readReportSearch,
    filters: (t, data) => {
      const layers = layerOptions(data?.layers ?? [])
      return getReportFilters(context, t, [
        ...(layers.length ? [{ kind: 'layer' as const, layers, layer: data?.areas?.layer ?? null }] : []),
        limitFilter(t),
        grainFilter(t),
      ])
    },
    actions: (search, t) => <ParkingMapLink context={context} search={search} t={t} />,
    query: (search) => {
      const metrics = metricsQuery(context, search, measures, [search.grain ?? 'day'])
      return {
        queryKey: [...metrics.queryKey, 'areas', search.layer],
        queryFn: async (call) => {
          const [byTime, { items: layers }] = await Promise.all([
            metrics.queryFn(call),
            endpointQuery(listLayers, { params: { region_id: region.regionId } }).queryFn(call),
          ])
          const layer = activeLayer(layerOptions(layers), search.layer)
          return { search, layers, areas: layer && (await loadAreas(context, search, layer, call)), byTime }
        },
      }
    },
    isEmpty: ({ areas }) => areas === null || !areas.all.total,
    tiles: measures.map(
      (key) =>
        ({ search, byTime }, t) =>
          measureTile(context, search, { measures, response: byTime, measure: key }, t),
    ),
    charts: [toRankedChart, toTimeChart(context)],
    belowCharts: renderAreaMap(context),
    table: renderAreaTable,
  }
}

/** Returns the figures of all areas of a layer. */
async function loadAreas(
  context: ReportContext,
  search: ReportSearch,
  layer: Layer,
  call: { signal: AbortSignal },
): Promise<Areas> {
  const params = { region_id: context.region.regionId }
  const loadResult = (aggregation: SpatialAggregation, parkedDuration: number): Promise<SpatialResult> =>
    endpointQuery(querySpatial, {
      params,
      body: {
        ...toSelection(context, search),
        mode: 'parking',
        aggregation,
        shape_layer_uuid: layer.shape_layer_uuid,
        parked_duration: parkedDuration,
      },
    }).queryFn(call)
  const [shapes, all, over, mean] = await Promise.all([
    shapesQuery(layer).queryFn(call),
    loadResult('total_parking_events', 0),
    loadResult('total_parking_events', search.parking_limit ?? parkingLimits[0]),
    loadResult('average_parked_duration', 0),
  ])
  return { layer, shapes, all, over, mean }
}

/** Returns the chart of areas with the highest shares of parking events over the limit. */
function toRankedChart({ search, areas }: DistrictData, t: TFunction): DashboardChart {
  const ranked = areas
    ? toRows(areas, '')
        .filter(({ id, share }) => id !== notInShape && share !== null)
        .toSorted((a, b) => b.share! - a.share!)
    : []
  const limit = formatParkedDuration(t, search.parking_limit ?? parkingLimits[0])
  return {
    title: t('reporting:district.ranked', { limit }),
    context:
      ranked.length > maxBars
        ? t('reporting:district.first', { count: maxBars, all: ranked.length })
        : t('reporting:district.rankedDefinition'),
    unit: { name: '%', format: (share) => formatPercent(share === null ? null : share / 100) },
    fileName: 'parking-over-limit-by-district',
    isWide: true,
    height: 480,
    chart: {
      kind: 'ranked-bar',
      axis: {
        title: areas?.layer.layer_name ?? '',
        labels: ranked.slice(0, maxBars).map(({ name }) => name),
      },
      series: [
        {
          key: 'share',
          name: t('reporting:district.share', { limit }),
          values: ranked.slice(0, maxBars).map(({ share }) => share),
        },
      ],
    },
  }
}

/** Returns the chart of parking events over the limit by time. */
const toTimeChart =
  (context: ReportContext) =>
  ({ search, byTime }: DistrictData, t: TFunction): DashboardChart => {
    const grain = search.grain ?? 'day'
    const { format } = measureFormat('parking_over_limit', context.region.isMetric, t)
    return {
      title: t('reporting:distribution.over', {
        measure: t('reporting:measure.parking_over_limit.name'),
        grain: t(`reporting:grain.by_${grain}`),
      }),
      context: t('reporting:measure.parking_over_limit.definition'),
      unit: { name: t('reporting:unit.parkingEvents'), format: (value) => format(value ?? Number.NaN) },
      fileName: 'parking-over-limit-over-time',
      isWide: true,
      chart: timeChart(
        context,
        search,
        {
          response: byTime,
          kind: 'line',
          measure: 'parking_over_limit',
          index: measures.indexOf('parking_over_limit'),
          grain,
        },
        t,
      ),
    }
  }

/** Returns a map of the shares of areas. */
const renderAreaMap =
  (context: ReportContext) =>
  ({ search, layers, areas }: DistrictData, t: TFunction): ReactNode => {
    if (!areas) return null
    const rows = toRows(areas, '').filter(({ id }) => id !== notInShape)
    const unit = t('reporting:district.share', {
      limit: formatParkedDuration(t, search.parking_limit ?? parkingLimits[0]),
    })
    return (
      <AreaMap
        title={t('reporting:district.map')}
        unitText={unit}
        unitSingular={unit}
        region={context.region}
        layers={layers}
        layer={areas.layer}
        shapes={areas.shapes}
        at={context.at}
        values={{
          unit: 'share',
          rows: rows.map(({ id, name, share: value, events: n }) => ({ id, name, value, n, counts: {} })),
        }}
      />
    )
  }

/** Returns the table of all areas, and of events outside of them. */
function renderAreaTable({ search, areas }: DistrictData, t: TFunction): ReactElement {
  const limit = formatParkedDuration(t, search.parking_limit ?? parkingLimits[0])
  const outside = t('reporting:district.outside', { layer: layerInSentence(areas?.layer ?? null) })
  return (
    <Table
      label={t('reporting:district.table')}
      rows={areas ? toRows(areas, outside) : []}
      rowKey={({ id }) => id}
      fileName="parking-by-district"
      defaultSort="-over"
      canSelect={({ id }) => id !== notInShape}
      columns={[
        { key: 'name', title: t('reporting:district.area'), value: ({ name }) => name },
        {
          key: 'events',
          title: t('reporting:measure.parking_events.name'),
          isNumber: true,
          value: ({ events }) => events,
        },
        {
          key: 'over',
          title: t('reporting:district.over', { limit }),
          isNumber: true,
          value: ({ over }) => over,
        },
        {
          key: 'share',
          title: t('reporting:district.share', { limit }),
          isNumber: true,
          value: ({ share }) => share,
          renderCell: ({ share }) => formatPercent(share === null ? null : share / 100),
        },
        {
          key: 'mean',
          title: t('reporting:district.mean'),
          isNumber: true,
          value: ({ mean }) => mean,
          renderCell: ({ mean }) => formatNumber(mean),
        },
      ]}
      totals={{
        events: formatInteger(areas?.all.total),
        over: formatInteger(areas?.over.total),
        share: formatPercent(areas?.all.total ? (areas.over.total ?? 0) / areas.all.total : null),
        mean: formatNumber(areas?.mean.total == null ? null : areas.mean.total / 60),
      }}
    />
  )
}
