import type { CurbAllocation } from '#contract/curb-map.ts'
import { type CurbState, curbStates } from '#contract/curb-rules.ts'
import type { z } from 'zod'

export type Allocation = z.output<typeof CurbAllocation>

/** Hours that the week has: a clock that skips an hour leaves it empty. */
const hoursOf = ({ hours }: Allocation) => hours.filter((hour) => Object.keys(hour).length > 0)

/** Meters of a state, averaged over the hours of the week. */
export function meanMeters(allocation: Allocation, state: CurbState): number {
  const hours = hoursOf(allocation)
  if (!hours.length) return 0
  return hours.reduce((sum, hour) => sum + (hour[state] ?? 0), 0) / hours.length
}

export interface AllocationRow {
  state: CurbState
  meters: number
  /** Of all curb; null without any. */
  share: number | null
  before: number | null
  change: number | null
}

/** One row per state that the curb has now or had before. */
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

/** The states that lost and gained most: what moved from where to where, in meters. */
export function largestMove(
  rows: readonly AllocationRow[],
): { from: CurbState; to: CurbState; meters: number } | null {
  const changes = rows.filter((row) => row.change !== null && row.change !== 0)
  const lost = changes.toSorted((a, b) => (a.change ?? 0) - (b.change ?? 0))[0]
  const gained = changes.toSorted((a, b) => (b.change ?? 0) - (a.change ?? 0))[0]
  if (!lost?.change || !gained?.change || lost.change >= 0 || gained.change <= 0) return null
  return { from: lost.state, to: gained.state, meters: Math.min(-lost.change, gained.change) }
}
