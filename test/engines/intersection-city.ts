// A region with trips, routes and a layer that tests change, and its map of trips through shapes.
import { randomUUID } from 'node:crypto'
import { dayFromNumber, dayMs, hourMs } from '#contract/period.ts'
import { type Area, isArea, getPolygons } from '#contract/place.ts'
import { CubedRows } from '#server/evaluation/cubed-rows.ts'
import { Evaluator } from '#server/evaluation/evaluate.ts'
import type { StoredIndex } from '#server/geography/membership/face-sql.ts'
import { growShape } from '#server/geography/geometry/grow-shape.ts'
import type { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import { buildIndexes } from '#server/geography/membership/build-index.ts'
import { storeIndexes } from '#server/geography/membership/store-index.ts'
import { regionScope } from '#server/identity/scope.ts'
import { importedTripColumns } from '#server/fleet/trip-columns.ts'
import { ReadyLayers } from '#server/fleet/cubes/ready-layer.ts'
import { RouteIntersections } from '#server/routes/intersections/route-intersections.ts'
import type { Facts } from '#server/stores/facts.ts'
import { formatTimeField } from '#server/stores/row-text.ts'
import { fakeState } from './fake-state.ts'
import type { PlainTrip } from './plain-trips-through.ts'
import { encodeTrips } from './random-trips.ts'
import { insertRows } from '../insert-rows.ts'

const toMillionths = (degrees: number): number => Math.round(degrees * 1e6)

/** @param patienceMs the time after which an unfinished map is reported as being prepared */
export async function openIntersectionCity(facts: Facts, trips: readonly PlainTrip[], patienceMs?: number) {
  const regionId = `r-${randomUUID().slice(0, 8)}`
  const scope = regionScope(randomUUID(), regionId)
  const layerId = randomUUID()
  const layer = {
    layer_id: layerId,
    region_id: regionId,
    content_hash: '',
    modified_time: new Date(0),
    shape_count: 0,
    buffers: [],
    hourly_processing: [],
    parking_duration_filters: [],
    intersect_route: true,
  }
  const region = { region_id: regionId, timezone: 'UTC', lost_after_hours: 48 }
  const versions = { facts_version: '1' }
  const shapes: { shape_uuid: string; name: string; geometry: Area; properties: object }[] = []
  const { state } = fakeState({ layer: [layer], region: [region], region_facts: [versions], shape: shapes })
  const indexes = new Map<string, StoredIndex[]>()
  const membership = {
    async forLayer(_scope: unknown, _layer: unknown, buffer: number) {
      const content = `${layer.content_hash} ${buffer}`
      const areas = city
        .grown(buffer)
        .map((area, index) => ({ number: index + 1, rings: getPolygons(area).flat() }))
      if (!indexes.has(content))
        indexes.set(content, await storeIndexes(facts, content, buildIndexes(areas, 64)))
      return { indexes: indexes.get(content), shapeIds: city.shapeIds() }
    },
  } as unknown as LayerMembership
  let version = 1n
  /** All insertions, for tests of repeated evaluations. */
  const inserts: { table: string; rows: number }[] = []
  const counting: Facts = {
    ...facts,
    insert(inScope, table, insertion) {
      inserts.push({ table, rows: Buffer.from(insertion.lines).toString().trimEnd().split('\n').length })
      return facts.insert(inScope, table, insertion)
    },
  }
  const storeRoutes = (routedTrips: readonly PlainTrip[], isDeleted: 0 | 1): Promise<void> =>
    insertRows({ facts, scope, regionId }, 'trip_routes', routedTrips, (trip) => {
      const route = trip.route ?? []
      return {
        operator: trip.operator,
        trip_id: trip.tripId,
        device_id: randomUUID(),
        vehicle_type: trip.vehicleType,
        start_time: formatTimeField(trip.day * dayMs + trip.hour * hourMs),
        local_date: dayFromNumber(trip.day),
        local_hour: trip.hour,
        lon: `[${route.map(([lon]) => toMillionths(lon)).join(',')}]`,
        lat: `[${route.map(([, lat]) => toMillionths(lat)).join(',')}]`,
        seconds: `[${route.map((_, index) => index).join(',')}]`,
        length_m: 0,
        points: route.length,
        segments: '[]',
        directions: '[]',
        is_deleted: isDeleted,
        version,
      }
    })
  const markChanged = (): void => void (versions.facts_version = String(Number(versions.facts_version) + 1))
  const city = {
    regionId,
    scope,
    layerId,
    versions,
    inserts,
    state,
    shapeIds: (): string[] => shapes.map(({ shape_uuid: id }) => id),
    /** Returns the areas of the layer with a buffer. */
    grown: (buffer: number): Area[] =>
      shapes
        .map(({ geometry }) => (buffer > 0 ? (growShape(geometry, buffer) as Area) : geometry))
        .filter((area) => isArea(area)),
    createEvaluator: () =>
      new Evaluator({
        state,
        facts: counting,
        membership,
        intersections: new RouteIntersections(state, counting, patienceMs),
        cubes: new CubedRows(state, counting, new ReadyLayers(state, membership)),
      }),
    draw(areas: readonly Area[]): void {
      shapes.splice(
        0,
        shapes.length,
        ...areas.map((geometry) => ({ shape_uuid: randomUUID(), name: '', geometry, properties: {} })),
      )
      layer.content_hash = randomUUID()
      layer.shape_count = areas.length
    },
    /** Stores routes as a derivation does, and withdraws those of trips without a route. */
    async derive(routed: readonly PlainTrip[], withdrawn: readonly PlainTrip[] = []): Promise<void> {
      version++
      await storeRoutes(routed, 0)
      await storeRoutes(withdrawn, 1)
      markChanged()
    },
  }
  if (trips.length)
    await facts.insert(scope, 'trips', {
      columns: importedTripColumns,
      regionId,
      lines: encodeTrips(trips, regionId),
    })
  await city.derive(trips.filter(({ route }) => route))
  return city
}
