import { dayFromNumber } from '#contract/period.ts'
import { routeColumns } from '#server/mobility/trip-routes/route-line.ts'
import { computeSegmentVolumes } from '#server/mobility/trip-routes/volumes/compute-segment-volumes.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { City } from '../city.ts'
import { operators } from '../operators.ts'
import type { DemoTrip } from '../trips/demo-trip.ts'
import { wayLines } from './way-line.ts'

/** Days before today of which the history has ways: a whole month lies within, whatever the day. More would hold up the first start. */
export const wayDays = 61

/** Operators that tell telemetry. */
const telling = new Set(operators.filter(({ providerId }) => providerId).map(({ slug }) => slug))
/** Days whose volumes are counted at once. */
const daysAtOnce = 20

export interface WaysWanted {
  regionId: string
  city: Pick<City, 'streets' | 'layers'>
  /** The first local day (days since 1970-01-01) with ways. */
  from: number
  version: bigint
}

/** Gathers the ways of trips as they are made, stores them in portions, and counts their volumes at the end. */
export function demoWays({ regionId, city, from, version }: WaysWanted) {
  let line: ReturnType<typeof wayLines> | null = null
  let parts: Buffer[] = []
  let lines: string[] = []
  const days = new Set<number>()
  const pack = (): void => {
    parts.push(Buffer.from(lines.join('')))
    lines = []
  }
  return {
    take(trip: DemoTrip): void {
      if (trip.localDate < from || !telling.has(trip.operator)) return
      line ??= wayLines(city)
      const found = line(trip, { regionId, version })
      if (found === null) return
      days.add(trip.localDate)
      lines.push(found)
      // Packed early, the texts are gone before they grow old.
      if (lines.length === 2000) pack()
    },
    /** What was gathered since the last time. */
    async store(facts: Facts, scope: Scope): Promise<void> {
      pack()
      const bytes = Buffer.concat(parts)
      parts = []
      if (bytes.length) await facts.insert(scope, 'trip_routes', routeColumns, regionId, bytes)
    },
    async count(facts: Facts, scope: Scope): Promise<void> {
      const all = [...days].sort((a, b) => a - b).map(dayFromNumber)
      for (let at = 0; at < all.length; at += daysAtOnce)
        await computeSegmentVolumes(facts, scope, regionId, all.slice(at, at + daysAtOnce))
    },
  }
}
