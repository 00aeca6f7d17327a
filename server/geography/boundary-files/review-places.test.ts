import { describe, expect, it } from 'vitest'
import type { Geometry, Position } from '#contract/place.ts'
import { checkPlaces, reviewPlaces } from './review-places.ts'

const center = { lon: -72.5, lat: 41.5, text: 'Alder' }
const ring = (west: number, south: number, east: number, north: number): Position[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]
const area = (...box: [number, number, number, number]): Geometry => ({
  type: 'Polygon',
  coordinates: [ring(...box)],
})
const inRegion = area(-72.5, 41.5, -72.4, 41.6)
const far = area(10, 50, 10.1, 50.1)
const swapped = area(41.5, -72.5, 41.6, -72.4)
const feature = (position: number, name: string, geometry: Geometry) => ({
  position,
  geometry,
  properties: { name },
})
const review = (...geometries: Geometry[]) =>
  reviewPlaces(
    geometries.map((geometry, index) => feature(index + 1, 'ABCDEFGHIJKLMN'[index] ?? '', geometry)),
    center,
    'name',
  )

describe('the places of features', () => {
  it('need no confirmation around the region, also for a state or a point', () => {
    const places = { features: 3, outside: 0, swapped: 0, oversized: 0 }
    expect(review(inRegion, area(-80, 38, -70, 45), { type: 'Point', coordinates: [-72.5, 41.9] })).toEqual({
      places,
      notes: [],
      question: null,
    })
  })

  it('outside the region are named, and need confirmation if they are the majority', () => {
    const reading = review(inRegion, inRegion, far)
    expect(reading).toMatchObject({ places: { outside: 1, swapped: 0 }, question: null })
    const start =
      '1 of 3 features is outside the region (more than 60 km from the center of Alder): feature 3 (“C”).'
    expect(reading.notes).toEqual([{ position: null, code: 'outside-region', text: start }])
    expect(review(inRegion, far, far).question).toMatch(
      /^2 of 3 features are outside the region .*: feature 2 \(“B”\), feature 3 \(“C”\)\.$/,
    )
    expect(review(inRegion, far)).toMatchObject({ question: null })
  })

  it('with swapped axes need confirmation, with the reason', () => {
    expect(review(swapped, swapped, inRegion)).toMatchObject({
      places: { features: 3, outside: 2, swapped: 2 },
      question: expect.stringMatching(/2 of them would be inside if longitude and latitude were swapped\.$/),
    })
  })

  it('of the size of a continent need confirmation, also one of many', () => {
    const world = review(inRegion, inRegion, inRegion, area(-180, -90, 180, 90))
    expect(world.places).toMatchObject({ oversized: 1, outside: 0 })
    expect(world.question).toMatch(
      /^Feature 4 \(“D”\) is 360° wide and 180° high: far larger than a city\. It covers the world, or crosses/,
    )
    expect(review(inRegion, area(-120, 30, -70, 50)).question).toBe(
      'Feature 2 (“B”) is 50° wide and 20° high: far larger than a city.',
    )
    expect(review(...Array.from({ length: 8 }, () => area(-120, 30, -70, 50))).question).toMatch(
      /3 more features are as large\.$/,
    )
  })

  it('that cross longitude 180 need confirmation unless they are cut into two parts', () => {
    const fiji = { lon: 178.4, lat: -18.1, text: 'Suva' }
    const parts = {
      type: 'MultiPolygon' as const,
      coordinates: [[ring(178, -18.2, 180, -18)], [ring(-180, -18.2, -179, -18)]],
    }
    const reviewShape = (geometry: Geometry) => reviewPlaces([feature(1, 'Coast', geometry)], fiji, 'name')
    expect(reviewShape(area(-179, -18.2, 179, -18)).question).toMatch(
      /^Feature 1 \(“Coast”\) is 358° wide and 0.2° high.*longitude 180 and must be cut/,
    )
    expect(reviewShape(parts).question).toBeNull()
    // Near, but on the other side of longitude 180.
    expect(reviewShape(area(-179.7, -18.2, -179.6, -18)).places.outside).toBe(1)
    expect(
      reviewPlaces([feature(1, 'Coast', area(-179.9, -18, -179.8, -17.9))], { ...fiji, lon: 179.9 }, null)
        .question,
    ).toBeNull()
  })

  it('are stored only after confirmation', () => {
    const features = [feature(1, 'A', far)]
    const bbox: [number, number, number, number] = [0, 0, 0, 0]
    const reading = {
      fileName: 'f',
      format: 'geojson',
      features,
      properties: [],
      suggestedName: 'name',
      notes: [],
      bbox,
    }
    expect(() => checkPlaces(reading, center, null, false)).toThrow(
      /feature 1 \(“A”\)\. Check the file, or confirm/,
    )
    expect(checkPlaces(reading, center, null, true)).toEqual([])
  })
})
