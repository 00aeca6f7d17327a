import { type LiveState, type LiveVehicles, liveStateNames, placeSteps } from '#contract/vehicles.ts'

export type FleetGroup = LiveVehicles['groups'][number]

/** Value of an unknown battery level. */
export const unknownBattery = -1

/** All vehicles of a region in columns indexed by handle. No object is created per vehicle. */
export class FleetColumns {
  /** Upper bound of the handles, exclusive. */
  size = 0
  /** The number of vehicles. */
  count = 0
  /** Sequence number of the last applied change. */
  at = 0
  /** 1 for handles of existing vehicles, else 0. */
  isThere = new Uint8Array(0)
  /** Degrees; NaN if unknown. */
  lon = new Float64Array(0)
  lat = new Float64Array(0)
  /** Index into `groups`. */
  group = new Uint16Array(0)
  /** Index into `liveStateNames`. */
  state = new Uint8Array(0)
  /** Percent, or `unknownBattery`. */
  battery = new Int16Array(0)
  /** Since when the vehicle is in its state, in ms since 1970. */
  since = new Float64Array(0)
  /** The last contact, in ms since 1970. */
  seen = new Float64Array(0)
  readonly vehicleIds: string[] = []
  readonly groups: FleetGroup[] = []
  readonly #groupIndexes = new Map<string, number>()

  /** Replaces all vehicles with those of a list. */
  load(list: LiveVehicles): void {
    this.isThere.fill(0)
    this.size = 0
    this.count = 0
    this.vehicleIds.length = 0
    this.apply(list)
  }

  /** Applies changed vehicles. */
  apply(update: LiveVehicles): void {
    const groups = update.groups.map((group) => this.#groupIndex(group))
    const states = update.states.map((state) => liveStateNames.indexOf(state))
    const [originLon, originLat] = update.origin
    // Handles are sent as differences from the previous one.
    let handle = 0
    this.#grow(update.handle.reduce((sum, step) => sum + step, 0) + 1)
    for (let row = 0; row < update.handle.length; row++) {
      handle += update.handle[row]!
      if (this.isThere[handle] === 0) this.count += 1
      this.isThere[handle] = 1
      this.lon[handle] = originLon + (update.lon[row] ?? Number.NaN) / placeSteps
      this.lat[handle] = originLat + (update.lat[row] ?? Number.NaN) / placeSteps
      this.group[handle] = groups[update.group[row]!]!
      this.state[handle] = states[update.state[row]!]!
      this.battery[handle] = update.battery[row] ?? unknownBattery
      this.since[handle] = update.time - update.since[row]! * 1000
      this.seen[handle] = update.time - update.seen[row]! * 1000
      this.vehicleIds[handle] = update.vehicle_id[row]!
    }
    for (const removedHandle of update.gone ?? []) {
      if (this.isThere[removedHandle] !== 1) continue
      this.isThere[removedHandle] = 0
      this.count -= 1
    }
    this.at = update.at
  }
  getGroup(handle: number): FleetGroup {
    return this.groups[this.group[handle]!]!
  }
  getState(handle: number): LiveState {
    return liveStateNames[this.state[handle]!]!
  }

  /** The id of a vehicle in the URL: operator and number, which do not change when handles do. */
  getId(handle: number): string {
    return `${this.getGroup(handle).operator}:${this.vehicleIds[handle]!}`
  }

  /** The handle of a vehicle; -1 if there is none. */
  find(id: string): number {
    const colon = id.indexOf(':')
    const operator = id.slice(0, colon)
    const vehicleId = id.slice(colon + 1)
    for (let handle = 0; handle < this.size; handle++)
      if (
        this.isThere[handle] === 1 &&
        this.vehicleIds[handle] === vehicleId &&
        this.getGroup(handle).operator === operator
      )
        return handle
    return -1
  }

  #groupIndex(group: FleetGroup): number {
    const key = `${group.operator} ${group.vehicle_type} ${group.source}`
    const existing = this.#groupIndexes.get(key)
    if (existing !== undefined) return existing
    this.#groupIndexes.set(key, this.groups.length)
    return this.groups.push(group) - 1
  }

  /** Makes room for handles below `size`, with a reserve. */
  #grow(size: number): void {
    this.size = Math.max(this.size, size)
    if (size <= this.isThere.length) return
    const capacity = Math.max(1024, Math.ceil(size * 1.25))
    const enlarge = <T extends Uint8Array | Uint16Array | Int16Array | Float64Array>(column: T): T => {
      const enlarged = new (column.constructor as new (length: number) => T)(capacity)
      enlarged.set(column)
      return enlarged
    }
    this.isThere = enlarge(this.isThere)
    this.lon = enlarge(this.lon)
    this.lat = enlarge(this.lat)
    this.group = enlarge(this.group)
    this.state = enlarge(this.state)
    this.battery = enlarge(this.battery)
    this.since = enlarge(this.since)
    this.seen = enlarge(this.seen)
  }
}
