import { type LiveState, type LiveVehicles, placeSteps } from '#contract/vehicles.ts'
import type { VehicleType } from '#contract/mobility.ts'

/** For tests: a vehicle with readable fields. */
export interface TestVehicle {
  handle: number
  operator?: string
  type?: VehicleType
  id?: string
  state?: LiveState
  lon?: number | null
  lat?: number | null
  battery?: number | null
  /** Seconds before now. */
  since?: number
  seen?: number
}

/** For tests: the current time, in ms since 1970. */
export const testTime = Date.UTC(2026, 2, 8, 17)

/** For tests: a response of the server with one group per vehicle. */
export function liveVehicles(
  vehicles: readonly TestVehicle[],
  over: Partial<LiveVehicles> = {},
): LiveVehicles {
  const sorted = vehicles.toSorted((a, b) => a.handle - b.handle)
  const toSteps = (value: number | null | undefined, defaultPlace: number, from: number): number | null =>
    value === null ? null : Math.round(((value ?? defaultPlace) - from) * placeSteps)
  return {
    at: 1,
    time: testTime,
    origin: [-75, 37],
    states: sorted.map(({ state = 'available' }) => state),
    state: sorted.map((_, row) => row),
    group: sorted.map((_, row) => row),
    groups: sorted.map(({ operator = 'one', type = 'scooter' }) => ({
      operator,
      vehicle_type: type,
      source: 'events',
    })),
    handle: sorted.map(({ handle }, row) => handle - (sorted[row - 1]?.handle ?? 0)),
    vehicle_id: sorted.map(({ id, handle }) => id ?? `N-${handle}`),
    lon: sorted.map(({ lon }) => toSteps(lon, -75, -75)),
    lat: sorted.map(({ lat }) => toSteps(lat, 37, 37)),
    battery: sorted.map(({ battery = 50 }) => battery),
    since: sorted.map(({ since = 60 }) => since),
    seen: sorted.map(({ seen = 5 }) => seen),
    ...over,
  }
}
