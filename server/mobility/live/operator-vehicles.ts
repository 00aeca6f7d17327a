import { ChangeRing } from './change-ring.ts'
import type { LiveVehicle } from './live-vehicle.ts'
import type { ShownVehicles } from './shown-vehicles.ts'

/** Shown vehicles as somebody sees them: all, or some operators'. */
export interface VisibleVehicles extends Pick<ShownVehicles, 'at' | 'all' | 'of' | 'changedSince'> {
  watch(listener: () => void): () => void
}

/** Changes that can be asked for again. */
const ringSize = 50_000

/** The vehicles of some operators as if there were no others: handles and numbers of changes of their own, which do not tell how many others there are or what those do. */
export class OperatorVehicles implements VisibleVehicles {
  readonly #all: ShownVehicles
  readonly #operators: ReadonlySet<string>
  /** Our handles by those of all, and the other way round. */
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

  /** A handle of all goes to vehicles of one operator only: it may keep ours. */
  #number(theirs: number): number {
    const known = this.#ours.get(theirs)
    if (known !== undefined) return known
    const made = this.#theirs.push(theirs) - 1
    this.#ours.set(theirs, made)
    return made
  }
}
