import { ChangeRing } from './change-ring.ts'
import type { LiveVehicle } from './live-vehicle.ts'
import type { ShownVehicles } from './shown-vehicles.ts'

/** Shown vehicles as a viewer sees them: all, or those of some operators. */
export interface VisibleVehicles extends Pick<ShownVehicles, 'at' | 'all' | 'of' | 'changedSince'> {
  watch(listener: () => void): () => void
}

/** The latest changes, for streams that resume. */
const ringSize = 50_000

/** The vehicles of some operators as if there were no others: with handles and numbers of changes of their own, which reveal nothing about the others. */
export class OperatorVehicles implements VisibleVehicles {
  readonly #all: ShownVehicles
  readonly #operators: ReadonlySet<string>
  /** Own handles by shared ones, and vice versa. */
  readonly #ours = new Map<number, number>()
  readonly #theirs: number[] = []
  readonly #ring: ChangeRing
  readonly #listeners = new Set<() => void>()

  /** `first`: as in ChangeRing; also higher than any number sent for all vehicles so far. */
  constructor(all: ShownVehicles, operators: readonly string[], first: number) {
    this.#all = all
    this.#operators = new Set(operators)
    this.#ring = new ChangeRing(first, ringSize)
    for (const vehicle of all.all()) if (this.#operators.has(vehicle.operator)) this.#number(vehicle.handle)
    all.watch((handle) => {
      if (!this.#operators.has(all.operatorOf(handle))) return
      this.#ring.add(this.#number(handle))
      for (const listener of this.#listeners) listener()
    })
  }

  get at(): number {
    return this.#ring.at
  }

  /** In the order of their handles. */
  *all(): Iterable<LiveVehicle> {
    for (const handle of this.#theirs.keys()) {
      const vehicle = this.of(handle)
      if (vehicle) yield vehicle
    }
  }

  of(handle: number): LiveVehicle | null {
    const theirs = this.#theirs[handle]
    const vehicle = theirs === undefined ? null : this.#all.of(theirs)
    return vehicle && { ...vehicle, handle }
  }

  changedSince(after: number): Set<number> | null {
    return this.#ring.since(after)
  }

  watch(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** A shared handle is only used for vehicles of one operator, so the own handle can be reused. */
  #number(theirs: number): number {
    const known = this.#ours.get(theirs)
    if (known !== undefined) return known
    const made = this.#theirs.push(theirs) - 1
    this.#ours.set(theirs, made)
    return made
  }
}
