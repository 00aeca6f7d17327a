// Compares volumes of street segments with a plain count, for random changes of routes.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayFromNumber, dayNumber } from '#contract/period.ts'
import { segmentSumsSql, type SegmentSum } from '#server/routes/queries/segment-sums.ts'

import { Derivation } from '#server/derived/derivation.ts'
import { finishSpans, listDirty } from '#server/derived/dirty-spans.ts'
import { markDerivedDaysDirty } from '#server/routes/derive-routes.ts'
import {
  createRouteVolumes,
  markRouteDaysDirty,
  routeVolumes,
} from '#server/routes/volumes/route-volumes-product.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import type { Filters } from '#server/fleet/trip-filter-sql.ts'
import { useStores } from './use-stores.ts'
import { plainHours } from '../city/plain-count.ts'
import { storeRegion } from '../store-region.ts'
import { testUuid } from '../uuid.ts'
import { insertRows } from '../insert-rows.ts'

interface Route {
  trip: number
  operator: string
  type: string
  /** Days since January 28. */
  day: number
  hour: number
  /** Ridden segments, with 1 or -1 for the direction. */
  ridden: readonly (readonly [segment: number, direction: number])[]
}

const getDay = (day: number): string => dayFromNumber(dayNumber('2026-01-28') + day)
// Includes the largest possible id of a segment.
const segments = [7, 8, 9_007_199_254_740_991]
const anyRoute: fc.Arbitrary<Route> = fc.record({
  trip: fc.integer({ min: 1, max: 9 }),
  operator: fc.constantFrom('one', 'two'),
  type: fc.constantFrom('bicycle', 'moped'),
  day: fc.integer({ min: 0, max: 5 }),
  hour: fc.integer({ min: 0, max: 23 }),
  ridden: fc.array(fc.tuple(fc.constantFrom(...segments), fc.constantFrom(1, -1)), { maxLength: 6 }),
})
type Step = { routes: Route[] } | { removedTrip: number } | { isDerivation: true }
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ routes: fc.array(anyRoute, { minLength: 1, maxLength: 12 }) }),
  fc.record({ removedTrip: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ isDerivation: fc.constant(true as const) }),
)

const makeFilters = (regionId: string, overrides: Partial<Filters> = {}): Filters => ({
  region_id: regionId,
  operators: [],
  vehicle_type: null,
  days: [],
  hour_filters: [0, 23],
  ...overrides,
})

/** Counts trips forward and backward by segment, one trip at a time. */
function countPlainly(
  routes: Iterable<Route>,
  { start_date, end_date, operators, vehicle_type, days, hour_filters }: Filters,
): Map<string, [number, number]> {
  const sums = new Map<string, [number, number]>()
  for (const { operator, type, day, hour, ridden } of routes) {
    const date = getDay(day)
    const weekday = new Date(date).getUTCDay() || 7
    if (
      (start_date && date < start_date) ||
      (end_date && date > end_date) ||
      (operators.length && !operators.includes(operator)) ||
      (vehicle_type && type !== vehicle_type) ||
      (days.length && !days.includes(weekday)) ||
      !plainHours(hour_filters).has(hour)
    )
      continue
    for (const distinct of new Set(ridden.map(([segment, direction]) => `${segment} ${direction}`))) {
      const [segment = '', direction] = distinct.split(' ')
      const sum = sums.get(segment) ?? [0, 0]
      sum[direction === '1' ? 0 : 1]++
      sums.set(segment, sum)
    }
  }
  return sums
}

describe('volumes of street segments', () => {
  let facts: Facts
  let state: State
  useStores((...opened) => void ([facts, state] = opened))

  async function openRegion() {
    const [regionId, organizationId] = [`r-${randomUUID().slice(0, 8)}`, randomUUID()]
    const scope = await storeRegion(state, { organization_id: organizationId, region_id: regionId })
    const logged: string[] = []
    const derivation = new Derivation({
      state,
      nowMs: () => 1,
      log: (line, details) => void logged.push(`${line} ${JSON.stringify(details)}`),
    })
    derivation.add(createRouteVolumes({ state, facts }))
    const listDirtyDays = () => listDirty(state, scope, { product: routeVolumes, regionId }, { limit: 100 })
    const stored = new Map<string, Route>()
    let version = 1n
    const getKey = ({ day, operator, trip }: Route): string => `${day} ${operator} ${trip}`
    const writeRoutes = (routes: readonly Route[], isDeleted: 0 | 1): Promise<void> =>
      insertRows({ facts, scope, regionId }, 'trip_routes', routes, (route) => ({
        operator: route.operator,
        trip_id: testUuid(route.trip),
        device_id: testUuid(1),
        vehicle_type: route.type,
        start_time: '2026-01-01 00:00:00',
        local_date: getDay(route.day),
        local_hour: route.hour,
        lon: '[]',
        lat: '[]',
        seconds: '[]',
        length_m: 0,
        points: 2,
        segments: `[${route.ridden.map(([segment]) => segment).join(',')}]`,
        directions: `[${route.ridden.map(([, direction]) => direction).join(',')}]`,
        is_deleted: isDeleted,
        version,
      }))
    /** Stores routes as a derivation does: a trip has one route, on one day. */
    const changeRoutes = async (added: readonly Route[], removed: readonly Route[]): Promise<void> => {
      version++
      const addedByKey = new Map(added.map((route) => [getKey(route), route]))
      const withdrawn = removed.filter((route) => !addedByKey.has(getKey(route)))
      await writeRoutes([...addedByKey.values()], 0)
      await writeRoutes(withdrawn, 1)
      for (const route of withdrawn) stored.delete(getKey(route))
      for (const [key, route] of addedByKey) stored.set(key, route)
      await markDerivedDaysDirty(
        { state, facts },
        scope,
        { regionId, version },
        { from: String(Date.UTC(2026, 0, 1)), until: String(Date.UTC(2026, 2, 1)) },
      )
    }
    return {
      regionId,
      scope,
      logged,
      derivation,
      listDirtyDays,
      stored,
      writeRoutes,
      changeRoutes,
      async readSums(filters: Filters): Promise<Map<string, [number, number]>> {
        const sums = await facts.rows<SegmentSum>(scope, segmentSumsSql(filters))
        return new Map(
          sums.map(({ segment, forward, backward }) => [segment, [Number(forward), Number(backward)]]),
        )
      },
    }
  }

  it('equal a plain count after any insertion, change and deletion', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 2, maxLength: 8 }), async (steps) => {
        const region = await openRegion()
        for (const step of steps) {
          if ('routes' in step) {
            // A trip that moves to another day is removed from its former day.
            const routeByTrip = new Map(
              step.routes.map((route) => [`${route.operator} ${route.trip}`, route]),
            )
            await region.changeRoutes(
              [...routeByTrip.values()],
              [...region.stored.values()].filter(({ operator, trip }) =>
                routeByTrip.has(`${operator} ${trip}`),
              ),
            )
          } else if ('removedTrip' in step)
            await region.changeRoutes(
              [],
              [...region.stored.values()].filter(({ trip }) => trip === step.removedTrip),
            )
          else await region.derivation.idle()
        }
        await region.derivation.idle()
        const all = makeFilters(region.regionId)
        for (const filters of [
          {},
          { hour_filters: [7, 18] as [number, number] },
          { operators: ['two'], start_date: getDay(2), end_date: getDay(4) },
          { vehicle_type: 'moped' as const, days: [3, 6, 7] },
        ])
          expect(await region.readSums({ ...all, ...filters })).toEqual(
            countPlainly(region.stored.values(), { ...all, ...filters }),
          )
        expect(await region.listDirtyDays()).toEqual([])
        expect(region.logged).toEqual([])
      }),
      { numRuns: Number(process.env['SEGMENT_RUNS'] ?? 3), endOnFailure: true },
    )
  })

  it('include routes that were stored before volumes, and do not change when a day is marked again', async () => {
    const region = await openRegion()
    const routes: Route[] = [
      {
        trip: 1,
        operator: 'one',
        type: 'bicycle',
        day: 0,
        hour: 8,
        ridden: [
          [7, 1],
          [8, 1],
          [7, 1],
          [7, -1],
        ],
      },
      { trip: 2, operator: 'one', type: 'bicycle', day: 5, hour: 9, ridden: [[7, 1]] },
    ]
    await region.writeRoutes(routes, 0)
    await region.derivation.idle()
    const expectedSums = new Map([
      ['7', [2, 1]],
      ['8', [1, 0]],
    ])
    expect(await region.readSums(makeFilters(region.regionId))).toEqual(expectedSums)
    await markRouteDaysDirty(state, region.scope, region.regionId, [getDay(0), getDay(5)])
    await region.derivation.idle()
    expect(await region.readSums(makeFilters(region.regionId))).toEqual(expectedSums)
  })

  it('leave a day dirty that is marked while it is derived', async () => {
    const { scope, regionId, listDirtyDays } = await openRegion()
    await markRouteDaysDirty(state, scope, regionId, [getDay(0), getDay(1)])
    const dirtyDays = await listDirtyDays()
    expect(dirtyDays.map(({ span }) => span)).toEqual([getDay(1), getDay(0)])
    await markRouteDaysDirty(state, scope, regionId, [getDay(0)])
    await finishSpans(
      state,
      scope,
      { product: routeVolumes, regionId },
      { spans: dirtyDays, time: new Date(1) },
    )
    expect((await listDirtyDays()).map(({ span }) => span)).toEqual([getDay(0)])
  })
})
