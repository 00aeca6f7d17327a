import { markDirty } from '#server/derived/dirty-spans.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { countFactHours } from './fact-days.ts'
import type { TelemetryPoint } from './events/telemetry-point.ts'

/** The speeds of rides among the derived products. Its spans are UTC days. */
export const rideSpeeds = 'ride_speeds'

/** The maximum time between two places of a trip from which a speed is computed, ms. */
export const speedReachMs = 300_000

const hourMs = 3_600_000

/** UTC hours (starts, ms) in which some telemetry may change speeds of trips. No derivation marks them if the telemetry has no trip. */
function rideHours(places: readonly TelemetryPoint[]): number[] {
  const hours = new Set<number>()
  for (const { time, tripIds } of places)
    if (tripIds.length) hours.add(Math.floor(time / hourMs)).add(Math.floor((time + speedReachMs) / hourMs))
  return [...hours].map((hour) => hour * hourMs)
}

/** Marks the days of telemetry once it is stored. */
export async function markRideDays(
  state: State,
  scope: Scope,
  regionId: string,
  places: readonly TelemetryPoint[],
  at: number,
): Promise<void> {
  const hours = rideHours(places)
  if (!hours.length) return
  await countFactHours(state, scope, regionId, hours)
  await markDirty(
    state,
    scope,
    { product: rideSpeeds, regionId },
    hours.map((hour) => new Date(hour).toISOString().slice(0, 10)),
    new Date(at),
  )
}
