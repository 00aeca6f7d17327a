import { dayMs } from '#contract/period.ts'
import { findBaseName } from './manifest.ts'

/** Numbers of days, weeks and months of which the newest full backup is retained. */
export interface Retention {
  daily: number
  weekly: number
  monthly: number
}

export const defaultRetention: Retention = { daily: 7, weekly: 4, monthly: 12 }

/** Returns the Monday (`YYYY-MM-DD`, UTC) of the week that contains a time. */
const toWeek = (time: Date): string =>
  new Date(time.getTime() - ((time.getUTCDay() + 6) % 7) * dayMs).toISOString().slice(0, 10)

/** The periods and the functions that name the period of a time. */
const periods: readonly [keyof Retention, (time: Date) => string][] = [
  ['daily', (time) => time.toISOString().slice(0, 10)],
  ['weekly', toWeek],
  ['monthly', (time) => time.toISOString().slice(0, 7)],
]

interface RetainedBackup {
  name: string
  started: Date
  isVerified: boolean
}

/**
 * Finds the backups that may be removed. Always retained are those of the 24 hours before the newest one, the
 * newest verified one, and their bases. Of days, weeks and months, only full backups are retained.
 */
export function findExpiredBackups<Backup extends RetainedBackup>(
  backups: readonly Backup[],
  retention: Retention = defaultRetention,
): Backup[] {
  const newestFirst = backups.toSorted((a, b) => b.started.getTime() - a.started.getTime())
  const newestStart = newestFirst[0]?.started.getTime() ?? 0
  const retained = new Set<Backup | undefined>([
    ...newestFirst.filter(({ started }) => newestStart - started.getTime() < dayMs),
    newestFirst.find((backup) => backup.isVerified),
  ])
  for (const [name, toPeriod] of periods) {
    const retainedPeriods = new Set<string>()
    for (const backup of newestFirst) {
      if (findBaseName(backup.name) !== null) continue
      const period = toPeriod(backup.started)
      if (retainedPeriods.has(period) || retainedPeriods.size === retention[name]) continue
      retainedPeriods.add(period)
      retained.add(backup)
    }
  }
  const bases = new Set([...retained].flatMap((backup) => (backup && findBaseName(backup.name)) ?? []))
  return newestFirst.filter((backup) => !retained.has(backup) && !bases.has(backup.name))
}
