import type { CurbActivity } from '#contract/cds.ts'

/**
 * Returns the priority of a derived rule by the published bands of Boston's method. In order of precedence:
 * prohibitions at all times, prohibitions at some times, permissions for some users, permissions at some
 * times, permissions at all times. A lower number precedes.
 */
export function derivePriority(
  activity: CurbActivity,
  { hasUsers, hasTimes, period }: { hasUsers: boolean; hasTimes: boolean; period?: string | undefined },
): number {
  if (activity.startsWith('no ')) {
    if (period === 'snow emergency') return 33
    if (hasUsers) return hasTimes ? 50 : 70
    if (hasTimes) return 37
    if (activity === 'no stopping') return 1
    return activity === 'no parking' ? 3 : 2
  }
  if (hasUsers) return hasTimes ? 40 : 60
  return hasTimes ? 80 : 90
}
