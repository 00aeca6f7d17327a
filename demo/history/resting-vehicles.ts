import { restRules } from '../live/rest-times.ts'
import type { TripLog } from '../live/trip-log.ts'
import { localDays } from '../trips/local-days.ts'

/** Vehicles that are in the workshop, or on their way there, when a local day begins: their next trip is far off. */
export function restingVehicles(log: TripLog, timezone: string, day: number): string[] {
  const { trips, end } = log.around(day)
  const midnight = localDays(timezone)
  return log.fleet.flatMap(({ id, index }) => {
    const own = trips[index] ?? []
    const last = own.findLast(({ localDate }) => localDate < day)
    const next = own.find(({ localDate }) => localDate >= day)
    return !last || (next?.startMs ?? midnight(end).startMs) - last.endMs >= restRules.workshopMs ? [id] : []
  })
}
