// Compares volumes of street segments with a plain count, for random changes of routes.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { segmentSumsSql, type SegmentSum } from '#server/routes/queries/segment-sums.ts'
import { routeColumns } from '#server/routes/route-line.ts'
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

interface Route {
  trip: number
  operator: string
  type: string
  day: number
  hour: number
  ridden: readonly (readonly [segment: number, direction: number])[]
}

const getDay = (day: number): string =>
  `2026-01-${String(28 + day).padStart(2, '0')}`.replace(
    /2026-01-(3[2-9])/,
    (_, n: string) => `2026-02-0${Number(n) - 31}`,
  )
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
type Step = { routes: Route[] } | { gone: number } | { work: true }
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ routes: fc.array(anyRoute, { minLength: 1, maxLength: 12 }) }),
  fc.record({ gone: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ work: fc.constant(true as const) }),
)

const makeFilters = (regionId: string, overrides: Partial<Filters> = {}): Filters => ({
  region_id: regionId,
  operators: [],
  vehicle_type: null,
  days: [],
  hour_filters: [0, 23],
  ...overrides,
})

/** Computes the expected result of segmentSumsSql, one trip at a time. */
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
    for (const once of new Set(ridden.map(([segment, direction]) => `${segment} ${direction}`))) {
      const [segment = '', direction] = once.split(' ')
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
    const write = (routes: readonly Route[], isDeleted: 0 | 1): Promise<void> => {
      const lines = routes.map(
        ({ trip, operator, type, day, hour, ridden }) =>
          `${regionId}\t${operator}\t${testUuid(trip)}\t${testUuid(1)}\t${type}\t2026-01-01 00:00:00\t${getDay(day)}\t${hour}\t[]\t[]\t[]\t0\t2\t[${ridden.map(([segment]) => segment).join(',')}]\t[${ridden.map(([, direction]) => direction).join(',')}]\t${isDeleted}\t${version}\n`,
      )
      return facts.insert(scope, 'trip_routes', {
        columns: routeColumns,
        regionId,
        lines: Buffer.from(lines.join('')),
      })
    }
    /** Stores routes as a derivation does: a trip has one route, on one day. */
    const storeRoutes = async (found: readonly Route[], removed: readonly Route[]): Promise<void> => {
      version++
      const last = new Map(found.map((route) => [getKey(route), route]))
      const withdrawn = removed.filter((route) => !last.has(getKey(route)))
      if (last.size) await write([...last.values()], 0)
      if (withdrawn.length) await write(withdrawn, 1)
      for (const route of withdrawn) stored.delete(getKey(route))
      for (const [key, route] of last) stored.set(key, route)
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
      dirtyDays: listDirtyDays,
      stored,
      write,
      change: storeRoutes,
      async sums(filters: Filters): Promise<Map<string, [number, number]>> {
        return new Map(
          (await facts.rows<SegmentSum>(scope, segmentSumsSql(filters))).map(
            ({ segment, forward, backward }) => [segment, [Number(forward), Number(backward)]],
          ),
        )
      },
    }
  }

  it('volumes of street segments equal a plain count after any insertion, change and deletion', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 2, maxLength: 8 }), async (steps) => {
        const region = await openRegion()
        for (const step of steps) {
          if ('routes' in step) {
            // A trip that moves to another day is removed from its former day.
            const routeByTrip = new Map(
              step.routes.map((route) => [`${route.operator} ${route.trip}`, route]),
            )
            await region.change(
              [...routeByTrip.values()],
              [...region.stored.values()].filter(({ operator, trip }) =>
                routeByTrip.has(`${operator} ${trip}`),
              ),
            )
          } else if ('gone' in step)
            await region.change(
              [],
              [...region.stored.values()].filter(({ trip }) => trip === step.gone),
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
          expect(await region.sums({ ...all, ...filters })).toEqual(
            countPlainly(region.stored.values(), { ...all, ...filters }),
          )
        expect(await region.dirtyDays()).toEqual([])
        expect(region.logged).toEqual([])
      }),
      { numRuns: Number(process.env['SEGMENT_RUNS'] ?? 3), endOnFailure: true },
    )
  })

  it('volumes of street segments include routes that were stored before volumes, and do not change when a day is marked again', async () => {
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
    await region.write(routes, 0)
    await region.derivation.idle()
    const counted = new Map([
      ['7', [2, 1]],
      ['8', [1, 0]],
    ])
    expect(await region.sums(makeFilters(region.regionId))).toEqual(counted)
    await markRouteDaysDirty(state, region.scope, region.regionId, [getDay(0), getDay(5)])
    await region.derivation.idle()
    expect(await region.sums(makeFilters(region.regionId))).toEqual(counted)
  })

  it('volumes of street segments leave a day dirty that is marked while it is derived', async () => {
    const { scope, regionId, dirtyDays } = await openRegion()
    await markRouteDaysDirty(state, scope, regionId, [getDay(0), getDay(1)])
    const dirty = await dirtyDays()
    expect(dirty.map(({ span }) => span)).toEqual([getDay(1), getDay(0)])
    await markRouteDaysDirty(state, scope, regionId, [getDay(0)])
    await finishSpans(state, scope, { product: routeVolumes, regionId }, { spans: dirty, time: new Date(1) })
    expect((await dirtyDays()).map(({ span }) => span)).toEqual([getDay(0)])
  })
})
