import { expect, it } from 'vitest'
import { mapModes } from './modes/map-modes.ts'
import { offeredAggregations } from './panel-fields.tsx'

it('offers trips through a shape only where the layer knows routes, or where it was asked', () => {
  const has = (intersect_route: boolean, asked?: 'intersect') =>
    offeredAggregations(mapModes.trips, { intersect_route }, asked).includes('intersect')
  expect([has(true), has(false), has(false, 'intersect')]).toEqual([true, false, true])
  expect(offeredAggregations(mapModes.parking, null, undefined)).toEqual([...mapModes.parking.aggregations])
})
