import type { DerivedProduct } from '#server/derived/derived-product.ts'
import { markDirty } from '#server/derived/dirty-spans.ts'
import { increaseFactsVersion } from '#server/regions/facts-version.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import {
  daysWithoutVolumesSql,
  segmentDayChangeRows,
  segmentDayColumns,
  segmentHourChangeRows,
  segmentHourColumns,
} from '../queries/segment-changes.ts'

export const routeVolumes = 'route_volumes'
const queryOptions = { limits: { seconds: 600, memory: 8 * 2 ** 30 } }

/** Marks local days for which routes were stored or deleted. */
export const markRouteDaysDirty = (
  state: Pick<State, 'as'>,
  scope: Scope,
  regionId: string,
  days: readonly string[],
): Promise<void> => markDirty(state, scope, { product: routeVolumes, regionId }, { spans: days })

/**
 * Derives trips along street segments by local day and hour. Reads `trip_routes`; adds the differences to
 * `segment_hours` and then to `segment_days`, which also subtracts deleted routes. Idempotent.
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
    // Twenty days of a large city have a few hundred thousand routes.
    maxSpans: 20,
    async derive({ regionId, scope }, days) {
      await facts.add(scope, 'segment_hours', {
        columns: segmentHourColumns,
        rows: segmentHourChangeRows({ regionId, days }),
        ...queryOptions,
      })
      await facts.add(scope, 'segment_days', {
        columns: segmentDayColumns,
        rows: segmentDayChangeRows({ regionId, days }),
        ...queryOptions,
      })
      await increaseFactsVersion(state, scope, regionId)
    },
    /** Marks days with routes but without volumes, which an older version may have left. Once per process. */
    async advance({ regionId, scope }) {
      if (checkedRegions.has(regionId)) return false
      const days = await facts.rows<{ day: string }>(scope, daysWithoutVolumesSql(regionId), {
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
