// A region with a fleet and layers that tests change, with its stored cubes and those of a plain count.
import { hourMs } from '#contract/period.ts'
import { createRouteDerivation } from '#server/routes/derive-routes.ts'
import { randomUUID } from 'node:crypto'
import type { Position } from '#contract/place.ts'
import { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import { summarizeLayer } from '#server/geography/layers/summarize-layer.ts'
import { writeShapes } from '#server/geography/shapes/write-shapes.ts'
import { systemScope } from '#server/identity/scope.ts'
import { cubeSums } from '#server/fleet/cubes/cube-columns.ts'
import { hourShift } from '#server/fleet/cubes/cube-clock.ts'
import { Derivation } from '#server/derived/derivation.ts'
import { createShapeSums } from '#server/fleet/cubes/shape-sums-product.ts'
import { ReadyLayers } from '#server/fleet/cubes/ready-layer.ts'
import { readShapeHours } from './shape-hours.ts'
import { everywhereKey, makeOutsideKey, makeShapeKey } from '#server/fleet/cubes/layer-shapes.ts'
import { type FeedRecords, noRecords } from '#server/fleet/events/feed-records.ts'
import type { FleetIngest } from '#server/fleet/events/fleet-ingest.ts'
import { openFleetIngest } from '#server/fleet/events/open-fleet-ingest.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { State, Store } from '#server/stores/state.ts'
import { makePart, type PlainPart, type PlainShape, plainShapeHours } from '../city/plain-shape-hours.ts'
import { storeRegion } from '../store-region.ts'

export const place = { lon: -75, lat: 37 }
export const lostAfterHours = 48

/** A region of a test, with its cubes and the functions that change and read it. */
export interface CubeCity {
  regionId: string
  scope: Scope
  /** Logged failures of fleet and cubes. */
  logged: string[]
  clock: { now: number }
  /** Number of insertions that succeed before one fails; null if all succeed. */
  failure: { after: number | null }
  cubes: Derivation
  store(records: Partial<FeedRecords>): Promise<void>
  /** Draws or replaces a layer. Returns its ID. */
  draw(layerNumber: number, rings: readonly Position[][]): Promise<string>
  /** Simulates a restart: discards all cubes in memory. */
  restart(): void
  /** Returns the sums other than 0, by '<shape> <hour> <operator> <vehicle type> <sum>'. */
  readStored(): Promise<Map<string, number>>
  computePlain(): Promise<Map<string, number>>
  /** Returns '<rows> <lowest version> <highest version>' by shape. */
  readVersions(): Promise<Map<string, string>>
  remove(): Promise<void>
}

export async function openCubeCity(
  state: State,
  facts: Facts,
  timezone: string,
  now: number,
): Promise<CubeCity> {
  const regionId = `r-${randomUUID().slice(0, 8)}`
  const organizationId = randomUUID()
  const scope = await storeRegion(state, {
    organization_id: organizationId,
    region_id: regionId,
    ...place,
    timezone,
    lost_after_hours: lostAfterHours,
  })
  const logged: string[] = []
  const log = (line: string, details?: Record<string, unknown>): void =>
    void logged.push(`${line} ${JSON.stringify(details)}`)
  const clock = { now }
  const failure: CubeCity['failure'] = { after: null }
  const failing = makeFailingFacts(facts, failure)
  const fleet: FleetIngest = await openFleetIngest({
    state,
    facts,
    log,
    nowMs: () => clock.now,
    deriveFromTrips: createRouteDerivation({ state, facts }),
  })
  const open = (): Derivation => {
    const now = (): number => clock.now
    const derivation = new Derivation({ state, log, nowMs: now })
    const layers = new ReadyLayers(state, new LayerMembership(state, facts))
    derivation.add(createShapeSums({ state, facts: failing, layers, nowMs: now, log }))
    return derivation
  }
  const collected: FeedRecords = noRecords()
  const layers = new Map<number, PlainLayer>()
  const listCityParts = (): PlainPart[] => listParts([...layers.values()])
  const city: CubeCity = {
    regionId,
    scope,
    logged,
    clock,
    failure,
    cubes: open(),
    async store(records) {
      collected.events.push(...(records.events ?? []))
      collected.trips.push(...(records.trips ?? []))
      await fleet.store({
        organizationId,
        regionId,
        operator: 'one',
        feedId: 'feed',
        stream: 'events',
        windowStart: clock.now,
        received: clock.now,
        records: { ...noRecords(), ...records },
      })
      await fleet.whenDerived()
    },
    async draw(number, rings) {
      const layerId = layers.get(number)?.layerId ?? randomUUID()
      const drawn = { regionId, layerId, number, isNew: !layers.has(number), rings }
      await saveLayer(state.as(scope), drawn, new Date((clock.now += 1000)))
      layers.set(number, {
        layerId,
        shapes: rings.map((ring) => ({
          key: makeShapeKey({ type: 'Polygon', coordinates: [ring] }),
          rings: [ring],
        })),
      })
      return layerId
    },
    restart() {
      city.cubes = open()
    },
    async readStored() {
      const rows = await readShapeHours(facts, scope, {
        regionId,
        shapeKeys: listCityParts().map(({ key }) => key),
        from: 0,
        until: 4_000_000_000_000,
        timezone,
        by: ['hour', 'operator', 'vehicle_type'],
      })
      return new Map(
        rows.flatMap((row) =>
          cubeSums
            .map((name): [string, number] => [
              `${row.key} ${row.hour} ${row.operator} ${row.vehicle_type} ${name}`,
              row[name],
            ])
            .filter(([, sum]) => sum !== 0),
        ),
      )
    },
    async computePlain() {
      const rows = await facts.rows<Record<string, string>>(
        scope,
        sql`
          select operator, toString(device_id) as device, vehicle_type as type
          from ${latest('vehicles')}
          where region_id = ${bind('String', regionId)}`,
      )
      const shift = hourShift(timezone)
      const until = Math.floor((clock.now + shift) / hourMs) * hourMs - shift
      return plainShapeHours({
        events: collected.events,
        reports: collected.trips,
        types: new Map(rows.map((row) => [`${row['operator']} ${row['device']}`, row['type'] ?? ''])),
        parts: listCityParts(),
        lostAfterHours,
        place: { ...place, timezone },
        shift,
        until,
      })
    },
    async readVersions() {
      const rows = await facts.rows<Record<string, string>>(
        scope,
        sql`
          select toString(shape_key) as key, concat(
            toString(count()), ' ', toString(min(version)), ' ', toString(max(version))
          ) as versions
          from ${latest('shape_hours')}
          where region_id = ${bind('String', regionId)}
          group by key`,
      )
      return new Map(rows.map((row) => [row['key'] ?? '', row['versions'] ?? '']))
    },
    async remove() {
      await city.cubes.stop()
      await fleet.close()
      await state.as(systemScope).deleteFrom('region').where('region_id', '=', regionId).execute()
    },
  }
  return city
}

/** Wraps a fact store so that an insertion fails after a number of successful ones. */
const makeFailingFacts = (facts: Facts, failure: CubeCity['failure']): Facts => ({
  ...facts,
  add(...args) {
    if (failure.after !== null && failure.after-- <= 0) {
      failure.after = null
      return Promise.reject(new Error('the engine is gone'))
    }
    return facts.add(...args)
  },
})

interface DrawnLayer {
  regionId: string
  layerId: string
  number: number
  isNew: boolean
  rings: Parameters<CubeCity['draw']>[1]
}

/** Stores the shapes of a layer, and the layer if it is new. */
const saveLayer = (
  store: Store,
  { regionId, layerId, number, isNew, rings }: DrawnLayer,
  at: Date,
): Promise<void> =>
  store.transaction().execute(async (transaction) => {
    if (isNew)
      await transaction
        .insertInto('layer')
        .values({
          layer_id: layerId,
          region_id: regionId,
          name: `Layer ${number}`,
          slug: `layer-${number}`,
          level: null,
          content_hash: '',
        })
        .execute()
    await writeShapes(
      { store: transaction, regionId, layerId, userId: null, at },
      rings.map((ring, n) => ({
        name: `Shape ${n}`,
        shapeId: `s${n}`,
        geometry: { type: 'Polygon' as const, coordinates: [ring] },
        properties: {},
      })),
    )
    await summarizeLayer(transaction, layerId, null, at)
  })

interface PlainLayer {
  layerId: string
  shapes: PlainShape[]
}

/** Lists the parts of all layers that have sums: each shape, outside of all shapes of a layer, and everywhere. */
const listParts = (layers: readonly PlainLayer[]): PlainPart[] => [
  ...new Map(
    layers
      .flatMap(({ shapes }) => [...shapes.map(makePart), ...joinParts(shapes)])
      .map((part) => [part.key, part]),
  ).values(),
]

const joinParts = (shapes: readonly PlainShape[]): PlainPart[] =>
  shapes.length === 0
    ? []
    : [
        {
          key: makeOutsideKey(shapes.map(({ key }) => key)),
          holds: (lon, lat) => !shapes.some((shape) => makePart(shape).holds(lon, lat)),
        },
        { key: everywhereKey, holds: () => true },
      ]
