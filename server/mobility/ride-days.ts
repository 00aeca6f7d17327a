import type { TelemetryPoint } from './fleet/telemetry-point.ts'

const dayMs = 86_400_000

/** So long after a place of a ride the next one still takes its speed from it, ms. */
export const speedReachMs = 300_000

/** UTC days, as their begins (ms), on which some telemetry may change speeds of trips. No derivation marks them if the telemetry has no trip. */
export function rideDays(places: readonly TelemetryPoint[]): number[] {
  const days = new Set<number>()
  for (const { time, tripIds } of places)
    if (tripIds.length) days.add(Math.floor(time / dayMs)).add(Math.floor((time + speedReachMs) / dayMs))
  return [...days].map((day) => day * dayMs)
}
