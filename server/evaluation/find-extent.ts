import type { z } from 'zod'
import type { getSpatialExtent, SpatialMode } from '#contract/spatial.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { modes } from './modes/modes.ts'

type Extent = z.output<(typeof getSpatialExtent)['answer']>

/** First and last day, operators and vehicle types of the facts of a map. */
export async function findExtent(
  state: State,
  facts: Facts,
  scope: Scope,
  regionId: string,
  mode: SpatialMode,
  signal: AbortSignal,
): Promise<Extent> {
  const { timezone } = await findRegion(state, scope, regionId)
  const [row] = await facts.rows<Omit<Extent, 'facts'> & { facts: string }>(
    scope,
    modes[mode].extent(regionId, timezone),
    { signal },
  )
  const count = Number(row?.facts ?? 0)
  if (!row || !count) return { facts: 0, first_day: null, last_day: null, operators: [], vehicle_types: [] }
  return {
    facts: count,
    first_day: row.first_day,
    last_day: row.last_day,
    operators: row.operators,
    vehicle_types: row.vehicle_types,
  }
}
