import type { CurbActivity } from '#contract/cds.ts'

/**
 * Priority of a derived rule by the published bands of Boston's method: blanket prohibitions, prohibitions at some times, allowances of
 * some users, of some times, and blanket allowances. The lowest number wins.
 */
export function priorityOf(
  activity: CurbActivity,
  { hasUsers, hasTimes, period }: { hasUsers: boolean; hasTimes: boolean; period?: string | undefined },
): number {
  if (activity.startsWith('no ')) {
    if (period === 'snow emergency') return 33
    if (hasUsers) return hasTimes ? 50 : 70
    if (hasTimes) return 37
    return activity === 'no stopping' ? 1 : activity === 'no parking' ? 3 : 2
  }
  if (hasUsers) return hasTimes ? 40 : 60
  return hasTimes ? 80 : 90
}
