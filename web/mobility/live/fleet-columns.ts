import { type LiveState, type LiveVehicles, liveStateNames, placeSteps } from '#contract/vehicles.ts'

export type FleetGroup = LiveVehicles['groups'][number]

/** Battery of which nothing is known. */
export const unknownBattery = -1

/** Every vehicle of a region in columns by handle, as the server tells them. Nothing here is made for each vehicle but its number. */
export class FleetColumns {
  /** Handles are below this. */
  size = 0
  /** How many vehicles there are. */
  count = 0
  /** Number of the last change in it. */
  at = 0
  isThere = new Uint8Array(0)
  /** Degrees; NaN: not known. */
  lon = new Float64Array(0)
  lat = new Float64Array(0)
  /** Index into `groups`. */
  group = new Uint16Array(0)
  /** Index into liveStateNames. */
  state = new Uint8Array(0)
  /** Percent, or unknownBattery. */
  battery = new Int16Array(0)
  /** Ms since 1970. */
  since = new Float64Array(0)
  seen = new Float64Array(0)
  readonly vehicleIds: string[] = []
  readonly groups: FleetGroup[] = []
  readonly #groupIndexes = new Map<string, number>()

  /** Forgets all, and takes the whole list. */
  load(told: LiveVehicles): void {
    this.isThere.fill(0)
    this.size = 0
    this.count = 0
    this.vehicleIds.length = 0
    this.take(told)
  }

  /** Takes those that changed. */
  take(told: LiveVehicles): void {
    const groups = told.groups.map((group) => this.#groupIndex(group))
    const states = told.states.map((state) => liveStateNames.indexOf(state))
    const [lon0, lat0] = told.origin
    let handle = 0
    this.#grow(told.handle.reduce((sum, step) => sum + step, 0) + 1)
    for (let row = 0; row < told.handle.length; row++) {
      handle += told.handle[row]!
      if (this.isThere[handle] === 0) this.count += 1
      this.isThere[handle] = 1
      const [lon, lat] = [told.lon[row] ?? Number.NaN, told.lat[row] ?? Number.NaN]
      this.lon[handle] = lon0 + lon / placeSteps
      this.lat[handle] = lat0 + lat / placeSteps
      this.group[handle] = groups[told.group[row]!]!
      this.state[handle] = states[told.state[row]!]!
      this.battery[handle] = told.battery[row] ?? unknownBattery
      this.since[handle] = told.time - told.since[row]! * 1000
      this.seen[handle] = told.time - told.seen[row]! * 1000
      this.vehicleIds[handle] = told.vehicle_id[row]!
    }
    for (const gone of told.gone ?? []) {
      if (this.isThere[gone] !== 1) continue
      this.isThere[gone] = 0
      this.count -= 1
    }
    this.at = told.at
  }

  groupOf(handle: number): FleetGroup {
    return this.groups[this.group[handle]!]!
  }

  stateOf(handle: number): LiveState {
    return liveStateNames[this.state[handle]!]!
  }

  /** What a vehicle is called in the address bar: operator and number, which stay the same when handles change. */
  idOf(handle: number): string {
    return `${this.groupOf(handle).operator}:${this.vehicleIds[handle]!}`
  }

  /** The handle of a vehicle; -1 where there is none. */
  find(id: string): number {
    const colon = id.indexOf(':')
    const [operator, number] = [id.slice(0, colon), id.slice(colon + 1)]
    for (let handle = 0; handle < this.size; handle++)
      if (
        this.isThere[handle] === 1 &&
        this.vehicleIds[handle] === number &&
        this.groupOf(handle).operator === operator
      )
        return handle
    return -1
  }

  #groupIndex(group: FleetGroup): number {
    const key = `${group.operator} ${group.vehicle_type} ${group.source}`
    const known = this.#groupIndexes.get(key)
    if (known !== undefined) return known
    this.#groupIndexes.set(key, this.groups.length)
    return this.groups.push(group) - 1
  }

  #grow(size: number): void {
    this.size = Math.max(this.size, size)
    if (size <= this.isThere.length) return
    const room = Math.max(1024, Math.ceil(size * 1.25))
    const larger = <T extends Uint8Array | Uint16Array | Int16Array | Float64Array>(old: T): T => {
      const grown = new (old.constructor as new (length: number) => T)(room)
      grown.set(old)
      return grown
    }
    this.isThere = larger(this.isThere)
    this.lon = larger(this.lon)
    this.lat = larger(this.lat)
    this.group = larger(this.group)
    this.state = larger(this.state)
    this.battery = larger(this.battery)
    this.since = larger(this.since)
    this.seen = larger(this.seen)
  }
}
