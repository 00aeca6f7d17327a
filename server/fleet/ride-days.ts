import { markDirty } from '#server/derived/dirty-spans.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { countFactDays } from './fact-days.ts'
import type { TelemetryPoint } from './events/telemetry-point.ts'

/** The speeds of rides among the derived products. Its spans are UTC days. */
export const rideSpeeds = 'ride_speeds'

const dayMs = 86_400_000

/** The maximum time between two places of a trip from which a speed is computed, ms. */
export const speedReachMs = 300_000

/** UTC days, as their begins (ms), on which some telemetry may change speeds of trips. No derivation marks them if the telemetry has no trip. */
function rideDays(places: readonly TelemetryPoint[]): number[] {
  const days = new Set<number>()
  for (const { time, tripIds } of places)
    if (tripIds.length) days.add(Math.floor(time / dayMs)).add(Math.floor((time + speedReachMs) / dayMs))
  return [...days].map((day) => day * dayMs)
}

/** Marks the days of telemetry once it is stored. */
export async function markRideDays(
  state: State,
  scope: Scope,
  regionId: string,
  places: readonly TelemetryPoint[],
  at: number,
): Promise<void> {
  const days = rideDays(places)
  if (!days.length) return
  await countFactDays(state, scope, regionId, days)
  await markDirty(
    state,
    scope,
    { product: rideSpeeds, regionId },
    days.map((day) => new Date(day).toISOString().slice(0, 10)),
    new Date(at),
  )
}
