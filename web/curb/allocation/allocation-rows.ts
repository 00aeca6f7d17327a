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
  /** Average length over the hours of the week. */
  meters: number
  /** Share of all curb; null if there is no curb. */
  share: number | null
  /** In meters; null without a comparison. */
  metersBefore: number | null
  /** Increase since the compared day, in meters; null without a comparison. */
  change: number | null
}

/** One row per state that occurs in either of the two allocations. */
export function getAllocationRows({
  now,
  compared,
}: {
  now: Allocation
  compared: Allocation | null
}): AllocationRow[] {
  return curbStates.flatMap((state) => {
    const meters = meanMeters(now, state)
    const metersBefore = compared && meanMeters(compared, state)
    if (meters === 0 && !metersBefore) return []
    return {
      state,
      meters,
      share: now.length_m ? meters / now.length_m : null,
      metersBefore,
      change: metersBefore === null ? null : meters - metersBefore,
    }
  })
}

/** Finds the states with the largest decrease and increase, and the meters that moved; null if none did. */
export function findLargestMove(
  rows: readonly AllocationRow[],
): { from: CurbState; to: CurbState; meters: number } | null {
  const changes = rows.filter((row) => row.change !== null && row.change !== 0)
  const loss = changes.toSorted((a, b) => (a.change ?? 0) - (b.change ?? 0))[0]
  const gain = changes.toSorted((a, b) => (b.change ?? 0) - (a.change ?? 0))[0]
  if (!loss?.change || !gain?.change || loss.change >= 0 || gain.change <= 0) return null
  return { from: loss.state, to: gain.state, meters: Math.min(-loss.change, gain.change) }
}
