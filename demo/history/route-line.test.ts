import { expect, test } from 'vitest'
import { matchTrack } from '#server/routes/match-track.ts'
import { buildStreetGrid } from '#server/routes/street-grid.ts'
import { makeStreetSegments } from '#server/routes/street-segments.ts'
import type { CityLayer } from '../city.ts'
import { generateTrips } from '../trips/make-trips.ts'
import { toDegrees } from '../point.ts'
import { makeSmallCity } from '../small-city.ts'
import type { DemoTrip } from '../trips/demo-trip.ts'
import { createRouteLineMaker } from './route-line.ts'

const small = makeSmallCity()
/** A streets layer that consists of the graph's edges. */
const streets: CityLayer = {
  name: 'Streets',
  level: 'basemap:street',
  features: small.streets.edges.map(({ path }) => ({
    type: 'Feature',
    properties: { name: 'Street' },
    geometry: {
      type: 'LineString',
      coordinates: Array.from({ length: path.length / 2 }, (_, index) =>
        toDegrees(small.streets.lon0, small.streets.lat0, [path[2 * index]!, path[2 * index + 1]!]),
      ),
    },
  })),
}
const city = { ...small, layers: [...small.layers, streets] }
const trips: DemoTrip[] = []
generateTrips(city, {
  seed: 7,
  from: '2026-06-01',
  until: '2026-06-03',
  emit: (trip) => trips.length < 400 && trips.push({ ...trip }),
})
const line = createRouteLineMaker(city)
const parseNumbers = (text: string | undefined): number[] =>
  text === '[]' ? [] : (text ?? '').slice(1, -1).split(',').map(Number)
const read = (trip: DemoTrip) => {
  const fields = line(trip, { regionId: 'here', version: 5n })?.trimEnd().split('\t')
  return fields
    ? {
        fields,
        lon: parseNumbers(fields[8]),
        lat: parseNumbers(fields[9]),
        seconds: parseNumbers(fields[10]),
        length: Number(fields[11]),
        segments: parseNumbers(fields[13]),
        directions: parseNumbers(fields[14]),
      }
    : null
}

test('A route line has the endpoints, duration and length of the trip', () => {
  const [perLat, perLon] = [0.111195, 0.111195 * Math.cos((city.streets.lat0 * Math.PI) / 180)]
  expect(trips.filter((trip) => trip.distanceM === 0 && read(trip) !== null)).toEqual([])
  for (const trip of trips) {
    const route = read(trip)
    if (!route) continue
    const measure = (index: number, lon: number, lat: number): number =>
      Math.hypot((route.lon.at(index)! - lon * 1e6) * perLon, (route.lat.at(index)! - lat * 1e6) * perLat)
    // If the position of an endpoint is wrong, the route still has the real one.
    const isLost = Math.hypot(trip.startLon - trip.endLon, trip.startLat - trip.endLat) > 0.2
    expect(
      isLost ? 0 : Math.max(measure(0, trip.startLon, trip.startLat), measure(-1, trip.endLon, trip.endLat)),
    ).toBeLessThan(15)
    expect([route.seconds[0], route.seconds.at(-1)]).toEqual([0, trip.durationS])
    expect(route.seconds.toSorted((a, b) => a - b)).toEqual(route.seconds)
    expect(new Set([route.lon.length, route.lat.length, route.seconds.length]).size).toBe(1)
    expect(route.length).toBeLessThanOrEqual(trip.distanceM + 3)
    expect(route.fields.slice(0, 2)).toEqual(['here', trip.operator])
    expect(route.fields.slice(-2)).toEqual(['0', '5'])
  }
})

test('A route line has the segments that matching the route finds, with few exceptions at the ends', () => {
  const lines = city.layers
    .filter(({ level }) => level === 'basemap:street')
    .flatMap(({ features }) =>
      features.map(({ geometry }) => ({
        shapeUuid: '',
        coordinates: geometry.coordinates as [number, number][],
      })),
    )
  const grid = buildStreetGrid(makeStreetSegments(lines), city.streets.lat0)
  let [same, all] = [0, 0]
  for (const trip of trips.slice(0, 150)) {
    const route = read(trip)
    if (!route) continue
    const found = new Set(
      matchTrack(grid, {
        x: Float64Array.from(route.lon, (each) => grid.plane.x(each / 1e6)),
        y: Float64Array.from(route.lat, (each) => grid.plane.y(each / 1e6)),
      }).map(({ segment, direction }) => `${grid.segments[segment]?.id} ${direction}`),
    )
    const expected = route.segments.map((id, index) => `${id} ${route.directions[index]}`)
    same += expected.filter((each) => found.has(each)).length
    all += Math.max(expected.length, found.size)
  }
  expect(all).toBeGreaterThan(300)
  expect(same / all).toBeGreaterThan(0.9)
})
