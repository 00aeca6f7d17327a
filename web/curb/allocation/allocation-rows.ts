import type { z } from 'zod'
import type { CurbAllocation } from '#contract/curb-map.ts'
import { type CurbState, curbStates } from '#contract/curb-rules.ts'

export type Allocation = z.output<typeof CurbAllocation>

/** Returns the hours of the week without the empty one that a clock change skips. */
const getHours = ({ hours }: Allocation) => hours.filter((hour) => Object.keys(hour).length > 0)

/** Returns the average length of a state over the hours of the week, in meters. */
export function meanMeters(allocation: Allocation, state: CurbState): number {
  const hours = getHours(allocation)
  if (!hours.length) return 0
  return hours.reduce((sum, hour) => sum + (hour[state] ?? 0), 0) / hours.length
}

export interface AllocationRow {
  state: CurbState
  meters: number
  /** Share of all curb; null if there is none. */
  share: number | null
  before: number | null
  change: number | null
}

/** One row per state that occurs in either of the two allocations. */
export function allocationRows({
  now,
  compared,
}: {
  now: Allocation
  compared: Allocation | null
}): AllocationRow[] {
  return curbStates.flatMap((state) => {
    const meters = meanMeters(now, state)
    const before = compared && meanMeters(compared, state)
    if (meters === 0 && !before) return []
    return {
      state,
      meters,
      share: now.length_m ? meters / now.length_m : null,
      before,
      change: before === null ? null : meters - before,
    }
  })
}

/** Finds the states with the largest decrease and increase, and the meters that moved between them. */
export function largestMove(
  rows: readonly AllocationRow[],
): { from: CurbState; to: CurbState; meters: number } | null {
  const changes = rows.filter((row) => row.change !== null && row.change !== 0)
  const lost = changes.toSorted((a, b) => (a.change ?? 0) - (b.change ?? 0))[0]
  const gained = changes.toSorted((a, b) => (b.change ?? 0) - (a.change ?? 0))[0]
  if (!lost?.change || !gained?.change || lost.change >= 0 || gained.change <= 0) return null
  return { from: lost.state, to: gained.state, meters: Math.min(-lost.change, gained.change) }
}
