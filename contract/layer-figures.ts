import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { ByDayFormat, byDayMedias } from './evaluation.ts'
import { maxBufferMeters, maxParkedMinutes } from './map-names.ts'
import { VehicleType } from './mobility.ts'
import { hourQuery, LocalDay, WeekdayList } from './period.ts'
import { SpatialResult, SpatialUnit } from './spatial.ts'

const layerParams = z.object({ region_id: z.string(), shape_layer_uuid: z.uuid() })
const tileParams = layerParams.extend({
  z: z.coerce.number().int().min(0).max(22),
  x: z.coerce.number().int().min(0),
  y: z.coerce.number().int().min(0),
})

/** Filters as query parameters; lists are separated by commas. `aggregation`: by default the map's first. */
export const FigureQuery = z.object({
  start_date: LocalDay,
  end_date: LocalDay,
  operators: z.string().optional(),
  vehicle_type: VehicleType.optional(),
  days: WeekdayList,
  /** Both hours are included; a first hour after the last one runs overnight. */
  ...hourQuery,
  aggregation: z.string().optional(),
  buffer: z.coerce.number().min(0).max(maxBufferMeters).default(0),
  /** Minimum duration of parking events in minutes. */
  parked_duration: z.coerce.number().int().min(0).max(maxParkedMinutes).default(0),
})
export type FigureQuery = z.output<typeof FigureQuery>

/**
 * Seven classes with about equal numbers of shapes; zeros are counted separately. `v`: version for tile
 * requests with the same query; absent while values still change as time passes.
 */
export const LegendValues = z
  .object({
    bins: z.array(z.object({ from: z.number(), to: z.number(), count: z.number().int() })),
    min: z.number().nullable(),
    max: z.number().nullable(),
    zeros: z.number().int(),
    none: z.number().int(),
    unit: SpatialUnit,
    v: z.string().optional(),
  })
  .meta({ id: 'LegendValues' })

const ByDayQuery = FigureQuery.extend({ format: ByDayFormat.optional() })
const byDayResponse = z.object({
  shape_data_by_day: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({ value: z.number().nullable(), n: z.number(), counts: z.record(z.string(), z.number()) }),
    ),
  ),
})
const vectorTile = { media: 'application/vnd.mapbox-vector-tile' }
const TileQuery = FigureQuery.extend({ v: z.string().optional(), bucket: z.coerce.number().int().optional() })
type LayerPath<Suffix extends string> = `/regions/{region_id}/layers/{shape_layer_uuid}/${Suffix}`
const layerPath = <Suffix extends string>(suffix: Suffix): LayerPath<Suffix> =>
  `/regions/{region_id}/layers/{shape_layer_uuid}/${suffix}`

const heavy = { cost: 'heavy', permission: 'signed_in' } as const
const byShapeEndpoint = <const Suffix extends string>(suffix: Suffix, summary: string) =>
  endpoint({
    route: `GET ${layerPath(suffix)}`,
    ...heavy,
    summary,
    request: { params: layerParams, query: FigureQuery },
    response: SpatialResult,
  })
const tileEndpoint = <const Suffix extends string>(suffix: Suffix, subject: string) =>
  endpoint({
    route: `GET ${layerPath(suffix)}`,
    ...heavy,
    summary: `Vector tile of a layer with \`value\` and \`n\` of its ${subject}; cached by browsers if \`v\` is that of the legend`,
    request: { params: tileParams, query: TileQuery },
    response: vectorTile,
  })
const legendEndpoint = <const Suffix extends string>(suffix: Suffix, subject: string) =>
  endpoint({
    route: `GET ${layerPath(suffix)}`,
    ...heavy,
    summary: `Classes of the ${subject} values`,
    request: { params: layerParams, query: FigureQuery },
    response: LegendValues,
  })
const byShapeAndDayEndpoint = <const Suffix extends string>(suffix: Suffix, subject: string) =>
  endpoint({
    route: `GET ${layerPath(suffix)}`,
    ...heavy,
    medias: byDayMedias,
    summary: `${subject} by local day and shape: GeoJSON unless \`format\` or Accept asks for JSON or CSV`,
    request: { params: layerParams, query: ByDayQuery },
    response: byDayResponse,
  })

export const getTripsByShape = byShapeEndpoint('trips/by_shape', 'Trips by shape')
export const getParkingByShape = byShapeEndpoint('parking/by_shape', 'Parking events by shape')
export const getParkingTile = tileEndpoint('parking/vector/{z}/{x}/{y}', 'parking')
export const getParkingLegend = legendEndpoint('parking/legend_values', 'parking')
export const getParkingByShapeAndDay = byShapeAndDayEndpoint('parking/by_shape_and_day', 'Parking events')
export const getDeploymentsByShape = byShapeEndpoint('deployments/by_shape', 'Operator drop-offs by shape')
export const getDeploymentsTile = tileEndpoint('deployments/vector/{z}/{x}/{y}', 'drop-offs')
export const getDeploymentsLegend = legendEndpoint('deployments/legend_values', 'drop-off')
export const getDeploymentsByShapeAndDay = byShapeAndDayEndpoint(
  'deployments/by_shape_and_day',
  'Operator drop-offs',
)
export const getVehicleCountsByShape = byShapeEndpoint(
  'vehicles/counts_by_shape',
  'Average number of vehicles by shape',
)

/** Percent and the region's currency, from the properties of the shape; null if missing. */
const censusResponse = z.object({
  items: z.array(
    z.object({
      shape_uuid: z.uuid(),
      pctNonwhite: z.number().nullable(),
      medianIncome: z.number().nullable(),
    }),
  ),
})
export const getLayerCensus = endpoint({
  route: `GET ${layerPath('census')}`,
  permission: 'signed_in',
  summary:
    'Census figures of shapes, read from their properties (`pctNonwhite`, `pct_nonwhite`, `medianIncome`, `median_income`, …)',
  request: { params: layerParams },
  response: censusResponse,
})
/** Each parameter is accepted in both spellings. */
const CensusQuery = z.object({
  regionId: z.string().optional(),
  shapeLayerUuid: z.uuid().optional(),
  region_id: z.string().optional(),
  shape_layer_uuid: z.uuid().optional(),
})
export const getCensus = endpoint({
  route: 'GET /census',
  permission: 'signed_in',
  summary:
    'Census figures of a layer by `regionId` and `shapeLayerUuid`; `region_id` and `shape_layer_uuid` are accepted as well',
  request: { query: CensusQuery },
  response: censusResponse,
})
