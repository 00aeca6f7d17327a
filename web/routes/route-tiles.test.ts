import { expect, it } from 'vitest'
import { publicRouteTiles, routeTiles } from './route-tiles.ts'

it('contains the version of the streets and the half hour, so that tiles can be cached', () => {
  expect(routeTiles('a b', 'h+1', 'https://city', 3_600_000)).toBe(
    'https://city/v2/regions/a%20b/routes/vector/{z}/{x}/{y}?v=h%2B1&bucket=2',
  )
  expect(publicRouteTiles('here', 'h', 'https://city')).toBe(
    'https://city/v2/public/regions/here/routes/vector/{z}/{x}/{y}?v=h',
  )
})
