import { ChangeRing } from './change-ring.ts'
import type { LiveVehicle } from './live-vehicle.ts'
import type { ShownVehicles } from './shown-vehicles.ts'

/** The vehicles that a viewer may see: all, or those of some operators. */
export interface VisibleVehicles extends Pick<ShownVehicles, 'lastChange' | 'all' | 'get' | 'changedSince'> {
  watch(listener: () => void): () => void
}

/** Smaller than for all vehicles: there is one ring for each set of operators that viewers are limited to. */
const ringSize = 50_000

/** Vehicles of some operators, with handles and change numbers that reveal nothing about others. */
export class OperatorVehicles implements VisibleVehicles {
  readonly #all: ShownVehicles
  readonly #operators: ReadonlySet<string>
  /** Handles of this view by handles of all vehicles, and the reverse. */
  readonly #localHandles = new Map<number, number>()
  readonly #sharedHandles: number[] = []
  readonly #ring: ChangeRing
  readonly #listeners = new Set<() => void>()

  /** @param first as in ChangeRing, and higher than any change number of `allVehicles` so far. */
  constructor(allVehicles: ShownVehicles, operators: readonly string[], first: number) {
    this.#all = allVehicles
    this.#operators = new Set(operators)
    this.#ring = new ChangeRing(first, ringSize)
    for (const vehicle of allVehicles.all())
      if (this.#operators.has(vehicle.operator)) this.#getLocalHandle(vehicle.handle)
    allVehicles.watch((handle) => {
      if (!this.#operators.has(allVehicles.operatorFor(handle))) return
      this.#ring.add(this.#getLocalHandle(handle))
      for (const listener of this.#listeners) listener()
    })
  }

  get lastChange(): number {
    return this.#ring.last
  }

  /** Lists the vehicles, sorted by handle. */
  *all(): Iterable<LiveVehicle> {
    for (const handle of this.#sharedHandles.keys()) {
      const vehicle = this.get(handle)
      if (vehicle) yield vehicle
    }
  }

  get(handle: number): LiveVehicle | null {
    const sharedHandle = this.#sharedHandles[handle]
    const vehicle = sharedHandle === undefined ? null : this.#all.get(sharedHandle)
    return vehicle && { ...vehicle, handle }
  }

  changedSince(after: number): Set<number> | null {
    return this.#ring.getSince(after)
  }

  watch(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Returns or creates the local handle of a shared one; for good, as its operator never changes. */
  #getLocalHandle(sharedHandle: number): number {
    const existingHandle = this.#localHandles.get(sharedHandle)
    if (existingHandle !== undefined) return existingHandle
    const localHandle = this.#sharedHandles.push(sharedHandle) - 1
    this.#localHandles.set(sharedHandle, localHandle)
    return localHandle
  }
}
