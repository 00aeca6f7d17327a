import { baseOfName } from './manifest.ts'

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

interface RetainedBackup {
  name: string
  started: Date
  isVerified: boolean
}

/**
 * The backups that may be removed. Those of the last 24 hours, the newest verified one and their bases always stay. Of days, weeks and
 * months, full ones are retained.
 */
export function expiredBackups<Backup extends RetainedBackup>(
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
      if (baseOfName(backup.name) !== null) continue
      const period = periodOf(backup.started)
      if (seen.has(period) || seen.size === retention[name]) continue
      seen.add(period)
      retained.add(backup)
    }
  }
  const bases = new Set([...retained].flatMap((backup) => (backup && baseOfName(backup.name)) ?? []))
  return newestFirst.filter((backup) => !retained.has(backup) && !bases.has(backup.name))
}
