// Counts trips by shape with several indexes and on borders. For other questions, see `maps-by-shape.test.ts`.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Position } from '#contract/place.ts'
import { type ShapeRow, tripsByShapeSql } from '#server/fleet/trips-by-shape.ts'
import { ALL_SHAPES_ID } from '#server/fleet/cubes/cube-columns.ts'
import { buildIndexes } from '#server/geography/membership/build-index.ts'
import type { NumberedShape } from '#server/geography/membership/edge.ts'
import { findStoredIndexes, storeIndexes } from '#server/geography/membership/store-index.ts'
import { regionScope } from '#server/identity/scope.ts'
import { importedTripColumns } from '#server/fleet/trip-columns.ts'
import type { TripRow } from '#server/imports/trips/trip-row.ts'
import type { Facts } from '#server/stores/facts.ts'
import { anyTrip, encodeTrips } from './random-trips.ts'
import { contains } from '../city/contains.ts'
import { useFacts } from './use-stores.ts'

/** Makes triangles from a point near the origin to a circle around it. */
const makeWedges = (count: number): NumberedShape[] =>
  Array.from({ length: count }, (_, index) => {
    const tip: Position = [0.0123, 0.0234]
    const getCorner = (corner: number): Position => {
      const angle = (corner / count) * 2 * Math.PI
      return [Math.cos(angle), Math.sin(angle)]
    }
    return { number: index + 1, rings: [[tip, getCorner(index), getCorner(index + 1), tip]] }
  })

/** A tessellation of 4 x 4 squares from -1 to 1 degree. */
const squares: NumberedShape[] = Array.from({ length: 16 }, (_, index) => {
  const x = (index % 4) / 2 - 1
  const y = Math.floor(index / 4) / 2 - 1
  return {
    number: index + 1,
    rings: [
      [
        [x, y],
        [x + 0.5, y],
        [x + 0.5, y + 0.5],
        [x, y + 0.5],
        [x, y],
      ],
    ],
  }
})

describe('trips by shape', () => {
  let facts: Facts
  useFacts((opened) => void (facts = opened))

  const makeRegion = async (trips: readonly TripRow[]) => {
    const regionId = `r-${randomUUID().slice(0, 8)}`
    const scope = regionScope(randomUUID(), regionId)
    if (trips.length)
      await facts.insert(scope, 'trips', {
        columns: importedTripColumns,
        regionId,
        lines: encodeTrips(trips, regionId),
      })
    return { regionId, scope }
  }
  const makeFilters = (region_id: string) => {
    const hour_filters: [number, number] = [0, 23]
    return { region_id, operators: [], vehicle_type: null, days: [], hour_filters }
  }

  it('counts trips in more overlapping shapes than one index holds', async () => {
    const shapes = makeWedges(20)
    const trips = fc.sample(anyTrip, { numRuns: 4000, seed: 3 })
    const { regionId, scope } = await makeRegion(trips)
    const indexes = await storeIndexes(facts, randomUUID(), buildIndexes(shapes, 64))
    expect(indexes.length).toBeGreaterThan(1)
    const isInShape = (shape: number, lon: number, lat: number): boolean =>
      !Number.isNaN(lon + lat) && contains(shapes[shape - 1]!.rings, [lon, lat])
    for (const selected of [null, 7]) {
      const rows = await facts.rows<ShapeRow>(
        scope,
        tripsByShapeSql({ filters: makeFilters(regionId), indexes, selected, byDay: false }),
      )
      const origins = new Map(rows.map(({ shape, orig }) => [Number(shape), Number(orig)]))
      expect(shapes.map(({ number }) => origins.get(number) ?? 0)).toEqual(
        shapes.map(
          ({ number }) =>
            trips.filter(
              ({ startLon, startLat, endLon, endLat }) =>
                isInShape(number, startLon, startLat) &&
                (selected === null || isInShape(selected, endLon, endLat)),
            ).length,
        ),
      )
    }
  })

  it('counts each trip of a tessellation once, including on borders and corners', async () => {
    const onLines = fc.constantFrom(-1, -0.5, 0, 0.5, 1, 0.25, 0.1, 1.5)
    const trips = fc.sample(
      fc
        .tuple(anyTrip, onLines, onLines, onLines, onLines)
        .map(([trip, startLon, startLat, endLon, endLat]) => ({
          ...trip,
          startLon,
          startLat,
          endLon,
          endLat,
        })),
      { numRuns: 3000, seed: 5 },
    )
    const { regionId, scope } = await makeRegion(trips)
    for (const cells of [1, 100, 5000]) {
      const indexes = await storeIndexes(facts, randomUUID(), buildIndexes(squares, cells))
      const rows = await facts.rows<ShapeRow>(
        scope,
        tripsByShapeSql({ filters: makeFilters(regionId), indexes, selected: null, byDay: false }),
      )
      for (const side of ['orig', 'dest'] as const) {
        const sumOfShapes = rows
          .filter(({ shape }) => shape !== ALL_SHAPES_ID)
          .reduce((sum, row) => sum + Number(row[side]), 0)
        expect(sumOfShapes).toBe(trips.length)
        expect(Number(rows.find(({ shape }) => shape === ALL_SHAPES_ID)?.[side])).toBe(trips.length)
      }
    }
  })

  it('finds a stored index by its content, even if it was written twice', async () => {
    const { scope } = await makeRegion([])
    const content = randomUUID()
    expect(await findStoredIndexes(facts, scope, content)).toBeNull()
    const stored = await storeIndexes(facts, content, buildIndexes(makeWedges(20), 64))
    expect(await findStoredIndexes(facts, scope, content)).toEqual(stored)
    await storeIndexes(facts, content, buildIndexes(makeWedges(20), 64))
    expect(await findStoredIndexes(facts, scope, content)).toEqual(stored)
    expect(await findStoredIndexes(facts, scope, randomUUID())).toBeNull()
  })

  it('treats an index as missing when one of its parts is missing', async () => {
    const { scope } = await makeRegion([])
    const content = randomUUID()
    const [stored] = await storeIndexes(facts, content, buildIndexes(squares, 16))
    await facts.define(`drop dictionary ${stored?.name}_faces`)
    expect(await findStoredIndexes(facts, scope, content)).toBeNull()
  })
})
