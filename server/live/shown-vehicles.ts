import { ChangeRing } from './change-ring.ts'
import { type LiveVehicle, isSameVehicle } from './live-vehicle.ts'

/** The vehicles that a region shows, by handle, with the numbers of their changes. */
export class ShownVehicles {
  readonly #vehicles: (LiveVehicle | null)[] = []
  readonly #operators: string[] = []
  /** A free handle is reused for the same operator only: viewers of others must not learn about it. */
  readonly #free = new Map<string, number[]>()
  readonly #ring: ChangeRing
  readonly #listeners = new Set<(handle: number) => void>()

  constructor(first: number) {
    this.#ring = new ChangeRing(first)
  }

  get at(): number {
    return this.#ring.at
  }

  /** In the order of their handles. */
  *all(): Iterable<LiveVehicle> {
    for (const vehicle of this.#vehicles) if (vehicle) yield vehicle
  }

  get size(): number {
    let free = 0
    for (const handles of this.#free.values()) free += handles.length
    return this.#vehicles.length - free
  }

  of(handle: number): LiveVehicle | null {
    return this.#vehicles[handle] ?? null
  }

  /** Whose a handle is, also while no vehicle has it. */
  operatorOf(handle: number): string {
    return this.#operators[handle] ?? ''
  }

  changedSince(after: number): Set<number> | null {
    return this.#ring.since(after)
  }

  /** Shows a vehicle as it is now, under its handle if it has one. Returns the shown vehicle. */
  show(vehicle: Omit<LiveVehicle, 'handle'>, before: LiveVehicle | null): LiveVehicle {
    if (before && isSameVehicle(vehicle, before)) return before
    const handle = before?.handle ?? this.#free.get(vehicle.operator)?.pop() ?? this.#vehicles.length
    const shown = { ...vehicle, handle }
    this.#vehicles[handle] = shown
    this.#operators[handle] = vehicle.operator
    this.#changed(handle)
    return shown
  }

  hide({ handle, operator }: LiveVehicle): void {
    this.#vehicles[handle] = null
    const free = this.#free.get(operator)
    if (free) free.push(handle)
    else this.#free.set(operator, [handle])
    this.#changed(handle)
  }

  /** Calls the listener with the handle of every change, synchronously. Returns a function that stops this. */
  watch(listener: (handle: number) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #changed(handle: number): void {
    this.#ring.add(handle)
    for (const listener of this.#listeners) listener(handle)
  }
}
