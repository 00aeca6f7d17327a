import { notInShape } from '#contract/evaluation.ts'
import type { Layer, Shape } from '#contract/geography.ts'
import type { SpatialRequest, SpatialByTime, SpatialResult } from '#contract/spatial.ts'

/** For tests: ids of two shapes. */
export const harbour = '6f1b1d1e-0000-4000-8000-00000000000a'
export const mill = '6f1b1d1e-0000-4000-8000-00000000000b'
const layerId = '6f1b1d1e-0000-4000-8000-000000000001'
const region = '/v2/regions/port-meridian'

const makeLayer = (overrides: Partial<Layer>): Layer => ({
  shape_layer_uuid: layerId,
  region_id: 'port-meridian',
  layer_name: 'Districts',
  layer_slug: 'districts',
  name: 'Districts',
  slug: 'districts',
  level: 'l1',
  editable: true,
  buffers: [],
  intersect_route: false,
  hourly_processing: [],
  parking_duration_filters: [],
  vehicle_counts: false,
  vehicle_counts_status: 'off',
  shape_count: 2,
  overlaps: false,
  geometry_type: 'area',
  bbox: null,
  content_hash: '1',
  modified_time: '',
  modified_by: null,
  ...overrides,
})
const makeShape = (shape_uuid: string, shape_name: string, west: number): Shape => ({
  shape_uuid,
  shape_id: shape_name,
  shape_name,
  shape_description: null,
  shape_layer_uuid: layerId,
  geom: {
    type: 'Polygon',
    coordinates: [
      [
        [west, 0],
        [west + 1, 0],
        [west + 1, 1],
        [west, 1],
        [west, 0],
      ],
    ],
  },
  properties: {},
  created_time: '',
  modified_time: '',
  modified_by: null,
  side_of_street: null,
})
const units: Record<string, SpatialResult['unit']> = {
  origins: 'trips',
  total_parking_events: 'events',
  average_parked_duration: 'minutes',
  average_vehicles: 'vehicles',
  total_drop_offs: 'events',
}
const counts: Record<SpatialRequest['mode'], Record<string, number>> = {
  trips: { orig: 30, dest: 5, count: 33 },
  parking: { count: 30, total_parked_duration: 90 },
  distribution: { available: 20, 'operator:swift': 30 },
  drop_offs: { count: 30 },
}

/** For tests: replies for a map; values of 2025 are lower by ten. */
export function mapResponses(overrides: Partial<Layer> = {}, facts = 100) {
  const evaluate = ({ body }: { body: unknown }): SpatialResult => {
    const request = body as SpatialRequest
    const reduction = request.start_date.startsWith('2025') ? 10 : 0
    const isMean = request.aggregation.startsWith('average_parked')
    const figures = (value: number) => ({
      value: value - reduction,
      n: value - reduction,
      counts: counts[request.mode],
    })
    return {
      shape_data: { [harbour]: figures(30), [mill]: figures(12), [notInShape]: { ...figures(18), value: 8 } },
      total: facts === 0 ? 0 : 50 - 2 * reduction,
      mode: request.mode,
      aggregation: request.aggregation,
      unit: units[request.aggregation] ?? 'trips',
      days: 31,
      adds_up: isMean ? 'never' : 'exact',
      method: { name: request.aggregation, version: 1, buffer: 0 },
      milliseconds: 3,
      from: 'cubes',
    }
  }
  const evaluateByTime = ({ body }: { body: unknown }): SpatialByTime => {
    const { bucket } = body as { bucket: string }
    const buckets =
      bucket === 'day' ? ['2026-03-01', '2026-03-02'] : Array.from({ length: 24 }, (_, hour) => String(hour))
    return {
      buckets,
      shape_uuids: [harbour, mill],
      values: buckets.map((_, index) => [index, 40]),
      not_in_shape: buckets.map(() => 1),
      total: buckets.map((_, index) => index + 41),
      unit: 'trips',
      method: { name: 'origins', version: 1, buffer: 0 },
      milliseconds: 3,
      from: 'cubes',
    }
  }
  return {
    [`GET ${region}/layers`]: () => ({ items: [makeLayer(overrides)] }),
    [`GET ${region}/shapes`]: () => ({
      items: [makeShape(harbour, 'Harbour', 0), makeShape(mill, 'Mill', 1)],
      total: 2,
      page: 1,
      size: 5000,
    }),
    [`GET ${region}/spatial/extent`]: () => ({
      facts,
      first_day: '2025-01-01',
      last_day: '2026-04-30',
      operators: ['swift'],
      vehicle_types: ['scooter'],
    }),
    'POST /v2/policies/list': () => ({ data: [], total: 0, page: 1, size: 300 }),
    'GET /v2/operators': () => ({
      items: [{ slug: 'swift', name: 'Swift', colorHex: '' }],
      total: 1,
      page: 1,
      size: 300,
    }),
    [`POST ${region}/spatial`]: evaluate,
    [`POST ${region}/spatial/by_time`]: evaluateByTime,
    [`GET ${region}/parking_events`]: () => ({ data: [{ startLon: 1, startLat: 1 }] }),
    [`GET ${region}/weather`]: () => ({
      units: {},
      items: [
        {
          day: '2026-03-01',
          precipitation_mm: 25.4,
          snowfall_mm: null,
          snow_depth_mm: null,
          temperature_max_c: 10,
          temperature_min_c: 1,
          temperature_mean_c: 5,
          wind_max_kmh: null,
          kind: 'measured',
          place: 'Harbour station',
          source: 'files',
        },
      ],
    }),
    [`GET ${region}/issues`]: () => ({
      items: [{ requested_time: '2026-03-01T15:00:00Z', source: 'city311' }],
      total: 1,
      page: 1,
      size: 5000,
    }),
  }
}
