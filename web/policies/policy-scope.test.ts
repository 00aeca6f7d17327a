import { expect, it } from 'vitest'
import { emptyPolicy } from '#contract/policy.ts'
import { layerId, testLayer } from '#web/map-page/test-geography.ts'
import { boundaryLayer, toPolicyScope, policyLayers } from './policy-scope.ts'

const other = {
  ...testLayer,
  shape_layer_uuid: 'other',
  layer_name: 'Avenues',
  level: null,
  geometry_type: 'line' as const,
}
const water = { ...testLayer, shape_layer_uuid: 'water', level: 'basemap:water' }
const layers = [water, other, testLayer]

it('offers layers other than those drawn under maps, the primary one first', () => {
  expect(policyLayers(layers).map(({ shape_layer_uuid }) => shape_layer_uuid)).toEqual([layerId, 'other'])
  expect(boundaryLayer(layers)?.shape_layer_uuid).toBe(layerId)
})

it('covers the selected shapes, or all if none is selected, or none during selection', () => {
  const policy = { ...emptyPolicy(), policy_type: 'no_ride', shape_layer_uuid: 'other' }
  expect(toPolicyScope(policy, layers, false)).toMatchObject({
    layer: other,
    covered: null,
    isRegionWide: false,
  })
  expect(toPolicyScope(policy, layers, true).covered).toEqual([])
  expect(toPolicyScope({ ...policy, shape_uuids: ['a'] }, layers, false).covered).toEqual(['a'])
})

it('is the whole region for types that always apply there, or if it was selected', () => {
  expect(toPolicyScope({ ...emptyPolicy(), policy_type: 'vehicle_cap' }, layers, false)).toMatchObject({
    isRegionWide: true,
    covered: null,
    layer: testLayer,
  })
  expect(
    toPolicyScope({ ...emptyPolicy(), policy_type: 'no_ride', shape_layer_uuid: 'citywide' }, layers, false)
      .isRegionWide,
  ).toBe(true)
  expect(toPolicyScope({ ...emptyPolicy(), policy_type: 'no_ride' }, layers, false)).toMatchObject({
    layer: null,
    isRegionWide: false,
  })
})
