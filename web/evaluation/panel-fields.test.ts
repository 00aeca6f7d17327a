import { expect, it } from 'vitest'
import { mapModes } from './modes/map-modes.ts'
import { offeredAggregations } from './panel-fields.tsx'

it('offers trips through a shape only if the layer has routes, or if they are selected', () => {
  const has = (intersect_route: boolean, selected?: 'intersect') =>
    offeredAggregations(mapModes.trips, { intersect_route }, selected).includes('intersect')
  expect([has(true), has(false), has(false, 'intersect')]).toEqual([true, false, true])
  expect(offeredAggregations(mapModes.parking, null, undefined)).toEqual([...mapModes.parking.aggregations])
})
