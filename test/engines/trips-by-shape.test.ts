// The counts of evaluation maps, as the fact store makes them, against a plain count: random shapes, trips and filters.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Position } from '#contract/place.ts'
import { type ShapeRow, tripsByShape } from '#server/evaluation/queries/trips-by-shape.ts'
import { ALL_SHAPES_ID } from '#server/mobility/cubes/cube-columns.ts'
import { buildIndexes } from '#server/geography/membership/build-index.ts'
import type { NumberedShape } from '#server/geography/membership/edge.ts'
import { findStoredIndexes, storeIndexes } from '#server/geography/membership/store-index.ts'
import { regionScope } from '#server/identity/scope.ts'
import { tripLineColumns } from '#server/ingest/trip-lines.ts'
import type { TripRow } from '#server/ingest/trip-row.ts'
import type { Facts } from '#server/stores/facts.ts'
import { engineKinds } from './open-stores.ts'
import { plainTripsByShape } from './plain-trips-by-shape.ts'
import { anyFilters, anyTrip, tripRows } from './random-trips.ts'
import { useFacts } from './use-stores.ts'

const coordinate = fc.integer({ min: -1000, max: 1000 }).map((n) => n / 1000)
const corner = fc.tuple(coordinate, coordinate).map(([x, y]): Position => [x, y])
const ring = fc
  .array(corner, { minLength: 3, maxLength: 7 })
  .map((corners) => [...corners, corners[0] as Position])
/** Shapes that cross, overlap and have holes (a ring inside another is one, by the even-odd rule). */
const anyShapes = fc
  .array(fc.array(ring, { minLength: 1, maxLength: 3 }), { minLength: 0, maxLength: 12 })
  .map((all): NumberedShape[] => all.map((rings, at) => ({ number: at + 1, rings })))

const wedges = (count: number): NumberedShape[] =>
  Array.from({ length: count }, (_, k) => {
    const at = (part: number): Position => [
      Math.cos((part / count) * 2 * Math.PI),
      Math.sin((part / count) * 2 * Math.PI),
    ]
    return { number: k + 1, rings: [[[0.0123, 0.0234], at(k), at(k + 1), [0.0123, 0.0234]]] }
  })

const squares: NumberedShape[] = Array.from({ length: 16 }, (_, k) => {
  const [x, y] = [(k % 4) / 2 - 1, Math.floor(k / 4) / 2 - 1]
  return {
    number: k + 1,
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

const numbered = (rows: readonly ShapeRow[]) =>
  new Map(
    rows
      .map(
        ({ day, shape, ...sums }) =>
          [
            `${day ?? ''} ${shape}`,
            Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, Number(sum)])),
          ] as const,
      )
      .filter(([, sums]) => Object.values(sums).some((sum) => sum !== 0)),
  )

describe.each(engineKinds)('trips by shape on $name', (kind) => {
  let facts: Facts
  useFacts(kind, (opened) => void (facts = opened))

  const regionOf = async (trips: readonly TripRow[]) => {
    const regionId = `r-${randomUUID().slice(0, 8)}`
    const scope = regionScope(randomUUID(), regionId)
    if (trips.length) await facts.insert(scope, 'trips', tripLineColumns, regionId, tripRows(trips, regionId))
    return { regionId, scope }
  }
  const everything = (region_id: string) => ({
    region_id,
    operators: [],
    vehicle_type: null,
    days: [],
    hour_filters: [0, 23] as [number, number],
  })

  it('agrees with a plain count, whatever shapes, trips and filters', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyShapes,
        fc.array(anyTrip, { maxLength: 200 }),
        fc.constantFrom(4, 64, 900),
        fc.infiniteStream(fc.nat()),
        async (shapes, trips, cells, stream) => {
          const { regionId, scope } = await regionOf(trips)
          const indexes = await storeIndexes(facts, randomUUID(), buildIndexes(shapes, cells))
          for (let asked = 0; asked < 4; asked++) {
            const seed = stream.next().value ?? 0
            const [filters] = fc.sample(anyFilters(regionId), { numRuns: 1, seed })
            const selected = seed % 3 && shapes.length ? (seed % shapes.length) + 1 : null
            if (!filters) continue
            const byDay = asked % 2 === 1
            const rows = await facts.rows<ShapeRow>(
              scope,
              tripsByShape({ filters, indexes, selected, byDay }),
            )
            expect(numbered(rows)).toEqual(plainTripsByShape(trips, shapes, filters, selected, byDay))
          }
        },
      ),
      { numRuns: Number(process.env['TRIP_RUNS'] ?? 7) },
    )
  }, 300_000)

  it('counts where more shapes meet in a spot than one index holds', async () => {
    const shapes = wedges(20)
    const trips = fc.sample(anyTrip, { numRuns: 4000, seed: 3 })
    const { regionId, scope } = await regionOf(trips)
    const indexes = await storeIndexes(facts, randomUUID(), buildIndexes(shapes, 64))
    expect(indexes.length).toBeGreaterThan(1)
    for (const selected of [null, 7]) {
      const rows = await facts.rows<ShapeRow>(
        scope,
        tripsByShape({ filters: everything(regionId), indexes, selected, byDay: false }),
      )
      expect(numbered(rows)).toEqual(plainTripsByShape(trips, shapes, everything(regionId), selected, false))
    }
  }, 60_000)

  it('loses and doubles no trip of a tessellation, on its borders and corners neither', async () => {
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
    const { regionId, scope } = await regionOf(trips)
    for (const cells of [1, 100, 5000]) {
      const indexes = await storeIndexes(facts, randomUUID(), buildIndexes(squares, cells))
      const rows = await facts.rows<ShapeRow>(
        scope,
        tripsByShape({ filters: everything(regionId), indexes, selected: null, byDay: false }),
      )
      for (const side of ['orig', 'dest'] as const) {
        const parts = rows
          .filter(({ shape }) => shape !== ALL_SHAPES_ID)
          .reduce((sum, row) => sum + Number(row[side]), 0)
        expect(parts).toBe(trips.length)
        expect(Number(rows.find(({ shape }) => shape === ALL_SHAPES_ID)?.[side])).toBe(trips.length)
      }
    }
  }, 60_000)

  it('finds an index again by its content, also when it was written twice', async () => {
    const { scope } = await regionOf([])
    const content = randomUUID()
    expect(await findStoredIndexes(facts, scope, content)).toBeNull()
    const stored = await storeIndexes(facts, content, buildIndexes(wedges(20), 64))
    expect(await findStoredIndexes(facts, scope, content)).toEqual(stored)
    await storeIndexes(facts, content, buildIndexes(wedges(20), 64))
    expect(await findStoredIndexes(facts, scope, content)).toEqual(stored)
    expect(await findStoredIndexes(facts, scope, randomUUID())).toBeNull()
  })

  it('takes an index for absent when one of its parts is gone', async () => {
    const { scope } = await regionOf([])
    const content = randomUUID()
    const [stored] = await storeIndexes(facts, content, buildIndexes(squares, 16))
    await facts.define(`drop dictionary ${stored?.name}_faces`)
    expect(await findStoredIndexes(facts, scope, content)).toBeNull()
  })
})
