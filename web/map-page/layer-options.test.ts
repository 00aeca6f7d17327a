import { expect, it } from 'vitest'
import type { Layer } from '#contract/geography.ts'
import { activeLayer, layerOptions } from './layer-options.ts'

const layer = (layer_name: string, level: string | null): Layer => ({
  shape_layer_uuid: layer_name,
  region_id: 'cala',
  layer_name,
  layer_slug: layer_name,
  name: layer_name,
  slug: layer_name,
  level,
  editable: true,
  buffers: [],
  intersect_route: false,
  hourly_processing: [],
  parking_duration_filters: [],
  vehicle_counts: false,
  vehicle_counts_status: 'off',
  shape_count: 1,
  overlaps: false,
  geometry_type: 'area',
  bbox: null,
  content_hash: '1',
  modified_time: '',
  modified_by: null,
})
const layers = [
  layer('Streets', 'basemap:street'),
  layer('blockface', null),
  layer('Curbs', 'cfad'),
  layer('Wards', null),
  layer('Districts', 'l1'),
  layer('Blocks', null),
]

it('excludes basemap and curb layers, and lists the primary layer first', () => {
  expect(layerOptions(layers).map((layerOption) => layerOption.layer_name)).toEqual([
    'Districts',
    'Blocks',
    'Wards',
  ])
})
it('falls back to the first layer', () => {
  expect(activeLayer(layerOptions(layers), 'Wards')?.layer_name).toBe('Wards')
  expect(activeLayer(layerOptions(layers), 'gone')?.layer_name).toBe('Districts')
  expect(activeLayer([], 'gone')).toBeNull()
})
