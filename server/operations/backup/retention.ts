/** Backups that are kept: the newest of each of the last days, weeks and months that have one. */
export interface Retention {
  daily: number
  weekly: number
  monthly: number
}

export const defaultRetention: Retention = { daily: 7, weekly: 4, monthly: 12 }

const dayMs = 86_400_000

/** The Monday of a time's week, UTC. */
const weekOf = (time: Date): string =>
  new Date(time.getTime() - ((time.getUTCDay() + 6) % 7) * dayMs).toISOString().slice(0, 10)

const periods: readonly [keyof Retention, (time: Date) => string][] = [
  ['daily', (time) => time.toISOString().slice(0, 10)],
  ['weekly', weekOf],
  ['monthly', (time) => time.toISOString().slice(0, 7)],
]

/** The backups that may be removed. Those of the last 24 hours and the newest verified one always stay. */
export function expiredBackups<Backup extends { started: Date; isVerified: boolean }>(
  backups: readonly Backup[],
  retention: Retention = defaultRetention,
): Backup[] {
  const newestFirst = backups.toSorted((a, b) => b.started.getTime() - a.started.getTime())
  const newest = newestFirst[0]?.started.getTime() ?? 0
  const retained = new Set<Backup | undefined>([
    ...newestFirst.filter(({ started }) => newest - started.getTime() < dayMs),
    newestFirst.find((each) => each.isVerified),
  ])
  for (const [name, periodOf] of periods) {
    const seen = new Set<string>()
    for (const backup of newestFirst) {
      const period = periodOf(backup.started)
      if (seen.has(period) || seen.size === retention[name]) continue
      seen.add(period)
      retained.add(backup)
    }
  }
  return newestFirst.filter((backup) => !retained.has(backup))
}
