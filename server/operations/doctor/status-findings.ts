import { hourMs } from '#contract/period.ts'
import type { ServerStatus } from '#contract/server-status.ts'
import type { MigrationPlan } from '../upgrade/migration-plan.ts'
import { checkPlan } from '../upgrade/migration-plan.ts'
import type { CheckResult } from './machine-checks.ts'

/** Age of the newest backup after which daily backups are late. */
const maxBackupAgeHours = 26
/** Time without a successful pull after which a feed is silent. */
const silentAfterHours = 24

/** Checks a running server by its status. */
export function checkStatus(status: ServerStatus, at: Date): CheckResult[] {
  return [
    {
      check: 'server',
      result: status.status === 'ready' ? 'ok' : 'failed',
      detail: `${status.status}, version ${status.version}, ${Math.round(status.memory_bytes / 1e6)} MB of memory`,
    },
    ...status.stores.map(({ store, ok, version, pending, problem, bytes, is_embedded: isEmbedded }) => ({
      check: `store: ${store}`,
      result: ok ? ('ok' as const) : ('failed' as const),
      detail:
        problem ??
        (pending.length
          ? `missing migrations: ${pending.join(', ')}`
          : `${isEmbedded ? 'embedded' : 'server'} ${version}, ${Math.round(bytes / 1e6)} MB`),
    })),
    checkFeeds(status, at),
    checkNewestBackup(status, at),
  ]
}

/** Checks that no feed has a problem or is silent. */
function checkFeeds({ feeds }: ServerStatus, at: Date): CheckResult {
  const failingFeeds = feeds.filter(
    ({ problem, last_success: success }) =>
      problem !== null ||
      (success !== null && at.getTime() - Date.parse(success) > silentAfterHours * hourMs),
  )
  const examples = failingFeeds
    .slice(0, 3)
    .map(({ name, region_id: region, problem }) => `${name} of ${region}: ${problem ?? 'silent'}`)
  return {
    check: 'feeds',
    result: failingFeeds.length ? 'warning' : 'ok',
    detail: `${feeds.length - failingFeeds.length} of ${feeds.length} work${examples.length ? `; ${examples.join('; ')}` : ''}`,
  }
}

export function checkNewestBackup({ backups }: Pick<ServerStatus, 'backups'>, at: Date): CheckResult {
  const [newest] = backups.items
  const check = 'backups'
  if (!newest)
    return {
      check,
      result: 'warning',
      detail: backups.scheduled_hour === null ? 'there is none: set BACKUP_HOUR' : 'there is none yet',
    }
  const ageHours = (at.getTime() - Date.parse(newest.ended)) / hourMs
  if (newest.verify_problem) return { check, result: 'failed', detail: newest.verify_problem }
  return {
    check,
    result: ageHours > maxBackupAgeHours ? 'warning' : 'ok',
    detail: `the newest is ${Math.round(ageHours)} h old and ${newest.verified ? 'was checked' : 'was not checked yet'}`,
  }
}

/** Checks the stores while no server runs. */
export function checkMigrationPlan(
  plan: MigrationPlan,
  versions: Record<'state' | 'facts', string>,
): CheckResult[] {
  let problem: string | null = null
  // `checkPlan` throws the reason.
  try {
    checkPlan(plan)
  } catch (error) {
    problem = (error as Error).message
  }
  const stores = (['state', 'facts'] as const).map((store): CheckResult => {
    const { done, pending } = plan[store]
    const migrations = done.length && pending.length ? `, ${pending.length} migrations at the next start` : ''
    return {
      check: `store: ${store}`,
      result: 'ok',
      detail: `${versions[store]}${done.length ? migrations : ', empty'}`,
    }
  })
  return problem ? [...stores, { check: 'migrations', result: 'failed', detail: problem }] : stores
}
