import { Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import { notInShape } from '#contract/evaluation.ts'
import { type Layer, listLayers, type Shape } from '#contract/geography.ts'
import { getLayerCensus } from '#contract/layer-figures.ts'
import {
  querySpatial,
  type SpatialAggregation,
  type SpatialMode,
  type SpatialResult,
} from '#contract/spatial.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { endpointQuery } from '#web/data/query.ts'
import { activeLayer, layerInSentence, layerOptions } from '#web/map-page/layer-options.ts'
import { shapesQuery } from '#web/map-page/use-shapes.ts'
import { formatInteger, formatPercent } from '#web/kit/format.ts'
import { Table } from '#web/kit/table/table.tsx'
import { type ReportContext, type ReportSearch, toSelection } from './report-search.ts'

/** Modes and aggregations by measure: trips by their start, vehicles and available vehicles on average. */
const sharedMeasures = {
  trips: ['trips', 'origins'],
  vehicles: ['distribution', 'average_vehicles'],
  available: ['distribution', 'average_available'],
} as const satisfies Record<string, readonly [SpatialMode, SpatialAggregation]>
type SharedMeasure = keyof typeof sharedMeasures
const sharedKeys = Object.keys(sharedMeasures) as SharedMeasure[]

export interface AreaShares {
  layers: Layer[]
  /** Null if the region has no layer of areas. */
  areas: {
    layer: Layer
    shapes: Shape[]
    results: Record<SharedMeasure, SpatialResult>
    census: EndpointOutput<typeof getLayerCensus>['items']
  } | null
}

/** Loads the shares of the areas of a layer. */
export async function loadAreaShares(
  context: ReportContext,
  search: ReportSearch,
  request: { signal: AbortSignal },
): Promise<AreaShares> {
  const params = { region_id: context.region.regionId }
  const { items: layers } = await endpointQuery(listLayers, { params }).queryFn(request)
  const layer = activeLayer(layerOptions(layers), search.layer)
  if (!layer) return { layers, areas: null }
  const load = ([mode, aggregation]: readonly [SpatialMode, SpatialAggregation]): Promise<SpatialResult> =>
    endpointQuery(querySpatial, {
      params,
      body: { ...toSelection(context, search), mode, aggregation, shape_layer_uuid: layer.shape_layer_uuid },
    }).queryFn(request)
  const [shapes, census, trips, vehicles, available] = await Promise.all([
    shapesQuery(layer).queryFn(request),
    endpointQuery(getLayerCensus, {
      params: { ...params, shape_layer_uuid: layer.shape_layer_uuid },
    }).queryFn(request),
    load(sharedMeasures.trips),
    load(sharedMeasures.vehicles),
    load(sharedMeasures.available),
  ])
  return { layers, areas: { layer, shapes, census: census.items, results: { trips, vehicles, available } } }
}

interface Row {
  id: string
  name: string
  /** Share of the total, 0 to 1; null if there is none. */
  shares: Record<SharedMeasure, number | null>
  nonwhite: number | null
  income: number | null
}

function toRows({ shapes, results, census, layer }: NonNullable<AreaShares['areas']>, t: TFunction): Row[] {
  const totals = Object.fromEntries(
    sharedKeys.map((key) => [
      key,
      Object.values(results[key].shape_data).reduce((sum, { value }) => sum + (value ?? 0), 0),
    ]),
  ) as Record<SharedMeasure, number>
  const censusById = new Map(census.map((area) => [area.shape_uuid, area]))
  const toRow = (id: string, name: string): Row => ({
    id,
    name,
    shares: Object.fromEntries(
      sharedKeys.map((key) => [
        key,
        totals[key] > 0 ? (results[key].shape_data[id]?.value ?? 0) / totals[key] : null,
      ]),
    ) as Row['shares'],
    nonwhite: censusById.get(id)?.pctNonwhite ?? null,
    income: censusById.get(id)?.medianIncome ?? null,
  })
  return [
    ...shapes.map(({ shape_uuid, shape_name }) => toRow(shape_uuid, shape_name)),
    toRow(notInShape, t('reporting:district.outside', { layer: layerInSentence(layer) })),
  ]
}

/** Returns a table of the shares by area, with census figures if the layer has them. */
export function areaSharesTable({ areas }: AreaShares, t: TFunction) {
  if (!areas) return <Text c="dimmed">{t('reporting:home.map.none')}</Text>
  const rows = toRows(areas, t)
  const hasCensus = areas.census.some(
    ({ pctNonwhite, medianIncome }) => pctNonwhite !== null || medianIncome !== null,
  )
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {t('reporting:shares.definition')} {hasCensus ? null : t('reporting:shares.noCensus')}
      </Text>
      <Table
        label={t('reporting:shares.table')}
        rows={rows}
        rowKey={({ id }) => id}
        fileName="shares-by-area"
        defaultSort="-trips"
        canSelect={({ id }) => id !== notInShape}
        columns={[
          { key: 'name', title: t('reporting:district.area'), value: ({ name }) => name },
          ...sharedKeys.map((key) => ({
            key,
            title: t(`reporting:shares.${key}`),
            isNumber: true,
            value: ({ shares }: Row) => shares[key],
            renderCell: ({ shares }: Row) => formatPercent(shares[key]),
          })),
          ...(hasCensus
            ? [
                {
                  key: 'nonwhite',
                  title: t('reporting:shares.nonwhite'),
                  isNumber: true,
                  value: ({ nonwhite }: Row) => nonwhite,
                  renderCell: ({ nonwhite }: Row) => formatPercent(nonwhite === null ? null : nonwhite / 100),
                },
                {
                  key: 'income',
                  title: t('reporting:shares.income'),
                  isNumber: true,
                  value: ({ income }: Row) => income,
                  renderCell: ({ income }: Row) => formatInteger(income),
                },
              ]
            : []),
        ]}
      />
    </>
  )
}
