import { type LiveState, type LiveVehicles, placeSteps } from '#contract/vehicles.ts'
import type { LiveVehicle } from './live-vehicle.ts'

/** The distinct groups of vehicles in order of occurrence. Nested maps avoid a key string per vehicle. */
class Groups {
  readonly values: LiveVehicles['groups'] = []
  readonly #indexes = new Map<string, Map<string, Map<string, number>>>()

  getIndex({ operator, vehicleType, source }: LiveVehicle): number {
    let byType = this.#indexes.get(operator)
    if (!byType) this.#indexes.set(operator, (byType = new Map()))
    let bySource = byType.get(vehicleType)
    if (!bySource) byType.set(vehicleType, (bySource = new Map()))
    const existingIndex = bySource.get(source)
    if (existingIndex !== undefined) return existingIndex
    bySource.set(source, this.values.length)
    return this.values.push({ operator, vehicle_type: vehicleType, source }) - 1
  }
}

/** All values are below two billion, so `| 0` is safe and makes small integers, which need no allocation. */
const round = (value: number): number => Math.round(value) | 0
const roundOrNull = (value: number): number | null => (!Number.isNaN(value) ? round(value) : null)

interface LiveColumnsOptions {
  /** The number of the last change that the vehicles include. */
  at: number
  /** Milliseconds since 1970. */
  time: number
  /** Whether the response contains device ids. */
  ids?: boolean
  /** Handles of vehicles that are no longer shown. */
  gone?: number[]
}

/**
 * Returns the response format for vehicles: one array per attribute. Vehicles must be sorted by handle.
 * Handles are sent as differences, coordinates relative to the first vehicle, and times relative to `time`,
 * which keeps numbers short.
 */
export function toLiveColumns(
  vehicles: Iterable<LiveVehicle>,
  { at, time: now, ids = false, gone }: LiveColumnsOptions,
): LiveVehicles {
  // Times are sent as seconds before `time`, which is rounded so that unchanged times decode to the same value.
  const time = Math.floor(now / 1000) * 1000
  const groups = new Groups()
  const states: LiveState[] = []
  const stateIndexes = new Map<LiveState, number>()
  const findStateIndex = (state: LiveState): number => {
    const existingIndex = stateIndexes.get(state)
    if (existingIndex !== undefined) return existingIndex
    stateIndexes.set(state, states.length)
    return states.push(state) - 1
  }
  let origin: [number, number] | null = null
  let lastHandle = 0
  const handle: number[] = []
  const group: number[] = []
  const state: number[] = []
  const since: number[] = []
  const lastSeen: number[] = []
  const lon: (number | null)[] = []
  const lat: (number | null)[] = []
  const battery: (number | null)[] = []
  const vehicleIds: string[] = []
  const deviceIds: string[] = []
  for (const vehicle of vehicles) {
    if (!origin && !Number.isNaN(vehicle.lon + vehicle.lat))
      origin = [Math.floor(vehicle.lon * 100) / 100, Math.floor(vehicle.lat * 100) / 100]
    handle.push(vehicle.handle - lastHandle)
    lastHandle = vehicle.handle
    group.push(groups.getIndex(vehicle))
    state.push(findStateIndex(vehicle.state))
    vehicleIds.push(vehicle.vehicleId)
    lon.push(origin ? roundOrNull((vehicle.lon - origin[0]) * placeSteps) : null)
    lat.push(origin ? roundOrNull((vehicle.lat - origin[1]) * placeSteps) : null)
    battery.push(roundOrNull(vehicle.battery))
    since.push(round((time - vehicle.since) / 1000))
    lastSeen.push(round((time - vehicle.seen) / 1000))
    if (ids) deviceIds.push(vehicle.deviceId)
  }
  return {
    at,
    time,
    groups: groups.values,
    states,
    origin: origin ?? [0, 0],
    handle,
    group,
    state,
    vehicle_id: vehicleIds,
    lon,
    lat,
    battery,
    since,
    seen: lastSeen,
    ...(ids ? { device_id: deviceIds } : {}),
    ...(gone ? { gone } : {}),
  }
}
