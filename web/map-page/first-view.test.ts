import { expect, it } from 'vitest'
import { firstView } from './first-view.ts'

const region = { lon: -9, lat: 38, mapZoom: 12 }

it('uses the view of the URL', () =>
  expect(firstView([1, 2, 3], region, 300)).toEqual({ view: { lon: 1, lat: 2, zoom: 3 }, isExact: true }))
it('shows the region, from farther away on a phone', () => {
  expect(firstView(undefined, region, 1200).view.zoom).toBe(12)
  expect(firstView(undefined, region, 450).view.zoom).toBe(11)
  expect(firstView(undefined, region, 50).view.zoom).toBe(10.5)
})
