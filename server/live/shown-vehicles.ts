import { appendTo } from '#contract/group-by.ts'
import { ChangeRing } from './change-ring.ts'
import { type LiveVehicle, isSameVehicle } from './live-vehicle.ts'

/** The vehicles that are visible on the map of a region, by handle, and their numbered changes. */
export class ShownVehicles {
  readonly #vehicles: (LiveVehicle | null)[] = []
  readonly #operators: string[] = []
  /** Free handles by operator. They are not reused for another one: its viewers must not learn about them. */
  readonly #free = new Map<string, number[]>()
  readonly #ring: ChangeRing
  readonly #listeners = new Set<(handle: number) => void>()

  constructor(first: number) {
    this.#ring = new ChangeRing(first)
  }

  get lastChange(): number {
    return this.#ring.last
  }

  /** Lists the vehicles, sorted by handle. */
  *all(): Iterable<LiveVehicle> {
    for (const vehicle of this.#vehicles) if (vehicle) yield vehicle
  }

  get size(): number {
    let freeCount = 0
    for (const handles of this.#free.values()) freeCount += handles.length
    return this.#vehicles.length - freeCount
  }

  get(handle: number): LiveVehicle | null {
    return this.#vehicles[handle] ?? null
  }

  /** Returns the operator that a handle is reserved for, even while no vehicle has it. */
  operatorFor(handle: number): string {
    return this.#operators[handle] ?? ''
  }

  changedSince(after: number): Set<number> | null {
    return this.#ring.getSince(after)
  }

  /** Shows a vehicle in place of its `previous` version, with the same handle. Returns the shown vehicle. */
  show(vehicle: Omit<LiveVehicle, 'handle'>, previous: LiveVehicle | null): LiveVehicle {
    if (previous && isSameVehicle(vehicle, previous)) return previous
    const handle = previous?.handle ?? this.#free.get(vehicle.operator)?.pop() ?? this.#vehicles.length
    const shownVehicle = { ...vehicle, handle }
    this.#vehicles[handle] = shownVehicle
    this.#operators[handle] = vehicle.operator
    this.#recordChange(handle)
    return shownVehicle
  }

  hide({ handle, operator }: LiveVehicle): void {
    this.#vehicles[handle] = null
    appendTo(this.#free, operator, handle)
    this.#recordChange(handle)
  }

  /** Calls the listener synchronously with the handle of every change. Returns a function that stops this. */
  watch(listener: (handle: number) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #recordChange(handle: number): void {
    this.#ring.add(handle)
    for (const listener of this.#listeners) listener(handle)
  }
}
