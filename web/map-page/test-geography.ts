import type { Layer, Shape } from '#contract/geography.ts'
import type { Geometry } from '#contract/place.ts'

/** For tests: a layer with one square shape. */
export const layerId = '8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e'
export const shapeId = '8f14e45f-ceea-467f-a0e6-7a1d2b3c4d51'
export const testSquare: Geometry = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
      [0, 0],
    ],
  ],
}

export const testLayer: Layer = {
  shape_layer_uuid: layerId,
  region_id: 'port-meridian',
  layer_name: 'Wards',
  layer_slug: 'wards',
  name: 'Wards',
  slug: 'wards',
  level: 'l1',
  editable: true,
  buffers: [10],
  intersect_route: false,
  hourly_processing: [],
  parking_duration_filters: [],
  vehicle_counts: false,
  vehicle_counts_status: 'off',
  shape_count: 2,
  overlaps: true,
  geometry_type: 'area',
  bbox: [0, 0, 1, 1],
  content_hash: 'a',
  modified_time: '2026-11-20T15:00:00Z',
  modified_by: 'Ada',
}
export const testShape: Shape = {
  shape_uuid: shapeId,
  shape_id: '1',
  shape_name: 'North',
  shape_description: null,
  shape_layer_uuid: layerId,
  geom: testSquare,
  properties: {},
  created_time: '2026-11-20T15:00:00Z',
  modified_time: '2026-11-20T15:00:00Z',
  modified_by: null,
  side_of_street: null,
}

const region = '/v2/regions/port-meridian'

/** Replies of a server with one layer and its shapes. */
export const geographyResponses = (layer: Layer = testLayer, shapes: readonly Shape[] = [testShape]) => ({
  [`GET ${region}/layers`]: () => ({ items: [layer] }),
  [`GET ${region}/cubes`]: () => ({ items: [] }),
  [`GET ${region}/shapes`]: () => ({ items: shapes, total: shapes.length, page: 1, size: 5000 }),
  [`GET ${region}/layers/${layerId}/shapes`]: ({ query }: { query: URLSearchParams }) => {
    const matching = shapes.filter(({ shape_name }) => shape_name.includes(query.get('text') ?? ''))
    return {
      items: matching.map((shape) => ({ ...shape, geometry_type: 'Polygon', bbox: [0, 0, 1, 1] })),
      total: matching.length,
      page: 1,
      size: 200,
    }
  },
  ...Object.fromEntries(
    shapes.flatMap((shape) => [
      [`GET ${region}/shapes/${shape.shape_uuid}`, () => shape],
      [`GET ${region}/shapes/${shape.shape_uuid}/all_policies`, () => ({ items: [] })],
      [`GET ${region}/shapes/${shape.shape_uuid}/dependents`, () => ({ dependents: [] })],
    ]),
  ),
})
