import { expect, it } from 'vitest'
import { isInView } from './use-way-to.ts'

it('tells whether anything of a layer is on the map', () => {
  const view = { lon: -75.2, lat: 37.05, zoom: 12 }
  expect(isInView([-75.3, 36.9, -75.1, 37.2], view, 900, 700)).toBe(true)
  expect(isInView([-75.15, 37.06, -75.1, 37.1], view, 900, 700)).toBe(true)
  expect(isInView([-83.2, 39.8, -82.7, 40.2], view, 900, 700)).toBe(false)
  expect(isInView([-75.25, 37.2, -75.15, 37.3], view, 900, 700)).toBe(false)
  expect(isInView([-75.25, 37.2, -75.15, 37.3], { ...view, zoom: 9 }, 900, 700)).toBe(true)
})
