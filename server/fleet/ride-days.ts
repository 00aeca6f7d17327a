import { markDirty } from '#server/derived/dirty-spans.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { countFactHours } from './fact-changes.ts'
import type { TelemetryPoint } from './events/feed-records.ts'

/** The derived product of speeds during rides, which compliance implements. Its spans are UTC days. */
export const rideSpeeds = 'ride_speeds'

/** The maximum time between two positions from which a speed is computed, ms. */
export const speedReachMs = 300_000

const hourMs = 3_600_000

/** Lists the UTC hours (starts, ms) in which telemetry of trips may change speeds. */
function listRideHours(points: readonly TelemetryPoint[]): number[] {
  const hours = new Set<number>()
  for (const { time, tripIds } of points)
    if (tripIds.length) hours.add(Math.floor(time / hourMs)).add(Math.floor((time + speedReachMs) / hourMs))
  return [...hours].map((hour) => hour * hourMs)
}

/** Marks the days of telemetry with speeds that may change as dirty. To be called after it is stored. */
export async function markRideDays(
  state: State,
  scope: Scope,
  { regionId, points, now }: { regionId: string; points: readonly TelemetryPoint[]; now: number },
): Promise<void> {
  const hours = listRideHours(points)
  if (!hours.length) return
  await countFactHours(state, scope, regionId, hours)
  await markDirty(
    state,
    scope,
    { product: rideSpeeds, regionId },
    { spans: hours.map((hour) => new Date(hour).toISOString().slice(0, 10)), time: new Date(now) },
  )
}
