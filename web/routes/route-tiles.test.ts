import { expect, it } from 'vitest'
import { getPublicRouteTilesUrl, getRouteTilesUrl } from './route-tiles.ts'

it('contains the version of the streets and the half hour, so that tiles can be cached', () => {
  expect(getRouteTilesUrl('a b', 'h+1', 'https://city', 3_600_000)).toBe(
    'https://city/v2/regions/a%20b/routes/vector/{z}/{x}/{y}?v=h%2B1&bucket=2',
  )
  expect(getPublicRouteTilesUrl('here', 'h', 'https://city')).toBe(
    'https://city/v2/public/regions/here/routes/vector/{z}/{x}/{y}?v=h',
  )
})
