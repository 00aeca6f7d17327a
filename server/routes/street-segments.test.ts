import { expect, test } from 'vitest'
import { makeStreetSegments } from './street-segments.ts'
import { positions } from '../../test/positions.ts'

const line = (shapeUuid: string, ...coordinates: [number, number][]) => ({ shapeUuid, coordinates })

test('makeStreetSegments splits streets at junctions, at ends and in the middle, and nowhere else', () => {
  const main = line('main', [0, 0], [0.001, 0], [0.002, 0], [0.003, 0])
  const side = line('side', [0.001, 0], [0.001, 0.001])
  const cross = line('cross', [0.002, -0.001], [0.002, 0], [0.002, 0.001])
  const found = makeStreetSegments([main, side, cross]).map(({ shapeUuid, coordinates }) => [
    shapeUuid,
    coordinates.map(([lon]) => lon),
    coordinates.map(([, lat]) => lat),
  ])
  expect(found).toEqual([
    ['main', [0, 0.001], [0, 0]],
    ['main', [0.001, 0.002], [0, 0]],
    ['main', [0.002, 0.003], [0, 0]],
    ['side', [0.001, 0.001], [0, 0.001]],
    ['cross', [0.002, 0.002], [-0.001, 0]],
    ['cross', [0.002, 0.002], [0, 0.001]],
  ])
})

test('makeStreetSegments retains the ids of unchanged streets', () => {
  const a = line('a', [0, 0], [0.001, 0])
  const ids = (streets: Parameters<typeof makeStreetSegments>[0]) =>
    makeStreetSegments(streets).map(({ id }) => id)
  const [before] = ids([a])
  expect(ids([line('b', [1, 1], [1.001, 1]), a])[1]).toBe(before)
  expect(ids([line('a', [0, 0], [0.0011, 0])])[0]).not.toBe(before)
  expect(Number.isSafeInteger(before)).toBe(true)
})

test('makeStreetSegments skips duplicate points and lines without length', () => {
  expect(
    makeStreetSegments([
      line('a', [0, 0], [0, 0], [0.001, 0], [0.001, 0]),
      line('b', [5, 5], [5, 5]),
      line('c'),
    ]).map(({ coordinates }) => coordinates),
  ).toEqual([positions('0 0, 0.001 0')])
})

test('makeStreetSegments gives every segment of a large grid its own id', () => {
  const lines = Array.from({ length: 120 }, (_, index) => [
    line(`ew${index}`, ...Array.from({ length: 120 }, (_, x): [number, number] => [x / 1000, index / 1000])),
    line(`ns${index}`, ...Array.from({ length: 120 }, (_, y): [number, number] => [index / 1000, y / 1000])),
  ]).flat()
  const segments = makeStreetSegments(lines)
  expect(segments.length).toBe(2 * 120 * 119)
  expect(new Set(segments.map(({ id }) => id)).size).toBe(segments.length)
})
