import type { DerivedProduct } from '#server/derived/derived-product.ts'
import { markDirty } from '#server/derived/dirty-spans.ts'
import { increaseFactsVersion } from '#server/regions/facts-version.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import {
  daysWithoutVolumes,
  segmentDayChanges,
  segmentDayColumns,
  segmentHourChanges,
  segmentHourColumns,
} from '../queries/segment-changes.ts'

export const routeVolumes = 'route_volumes'
const limits = { limits: { seconds: 600, memory: 8 * 2 ** 30 } }

/** Marks local days of which routes were stored or withdrawn. */
export const markRouteDaysDirty = (
  state: Pick<State, 'as'>,
  scope: Scope,
  regionId: string,
  days: readonly string[],
): Promise<void> => markDirty(state, scope, { product: routeVolumes, regionId }, days)

/**
 * Trips along street segments by local day and hour. Reads `trip_routes`; writes `segment_hours`, then `segment_days`, as differences to
 * what they have, which also withdraws routes that are gone. Repeating it adds nothing.
 */
export function createRouteVolumes({
  state,
  facts,
}: {
  state: Pick<State, 'as'>
  facts: Facts
}): DerivedProduct {
  const checkedRegions = new Set<string>()
  return {
    name: routeVolumes,
    description: 'Trips along street segments: trip_routes to segment_hours and segment_days',
    settleMs: 5 * 60_000,
    // A few hundred thousand routes.
    maxSpans: 20,
    async derive({ regionId, scope }, days) {
      await facts.add(
        scope,
        'segment_hours',
        segmentHourColumns,
        segmentHourChanges({ regionId, days }),
        limits,
      )
      await facts.add(scope, 'segment_days', segmentDayColumns, segmentDayChanges({ regionId, days }), limits)
      await increaseFactsVersion(state, scope, regionId)
    },
    /** Once per process: days with routes but without volumes, such as those of an older version. */
    async advance({ regionId, scope }) {
      if (checkedRegions.has(regionId)) return false
      const days = await facts.rows<{ day: string }>(scope, daysWithoutVolumes(regionId), {
        limits: { seconds: 300 },
      })
      await markRouteDaysDirty(
        state,
        scope,
        regionId,
        days.map(({ day }) => day),
      )
      checkedRegions.add(regionId)
      return false
    },
  }
}
