import { getErrorMessage } from '#contract/problem-text.ts'
import { getServerStatus } from '../../contract/server-status.ts'
import { type Config, readConfig } from '../../server/config.ts'
import { presentBackup } from '../../server/operations/backup/backups.ts'
import { listBackups } from '../../server/operations/backup/manifest.ts'
import { sendCommand } from '../../server/operations/control/control-server.ts'
import {
  checkBlobs,
  checkClock,
  checkDisk,
  checkFolder,
  checkMail,
  checkNode,
  checkPort,
  checkSecretKey,
  checkTimeZones,
  type CheckResult,
} from '../../server/operations/doctor/machine-checks.ts'
import {
  checkNewestBackup,
  checkMigrationPlan,
  checkStatus,
} from '../../server/operations/doctor/status-findings.ts'
import { openUnmigratedStores } from '../../server/operations/upgrade/open-stores.ts'
import { DirectoryInUse, lockDirectory } from '../../server/stores/lock-directory.ts'
import { type Command, type Outcome, formatTable } from './command.ts'

const failedFinding = (check: string, error: unknown): CheckResult => ({
  check,
  result: 'failed',
  detail: getErrorMessage(error),
})

/** Asks the running server for its status. If none runs, checks the stores without changing them. */
async function checkStores(config: Config, at: Date): Promise<CheckResult[]> {
  let unlock: () => void
  try {
    unlock = lockDirectory(config.dataDir)
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) return [failedFinding('data directory', error)]
    const status = await sendCommand(config.dataDir, 'status', {})
    return checkStatus(getServerStatus.response.parse(status), at)
  }
  try {
    const { state, facts, plan: migrationPlan } = await openUnmigratedStores(config)
    const versions = {
      state: `PostgreSQL ${await state.maintenance.version()}`,
      facts: `ClickHouse ${await facts.maintenance.version()}`,
    }
    await facts.close()
    await state.close()
    const items = (await listBackups(config.backups.directory)).map(presentBackup)
    return [
      { check: 'server', result: 'ok', detail: 'not running' },
      await checkPort(config),
      ...checkMigrationPlan(migrationPlan, versions),
      checkNewestBackup(
        {
          backups: {
            items,
            scheduled_hour: config.backups.hour,
            is_encrypted: config.backups.passphrase !== null,
            last_problem: null,
          },
        },
        at,
      ),
    ]
  } finally {
    unlock()
  }
}

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check settings, disk, clock, time zones, versions, stores, feeds, backups and mail',
  async run(): Promise<Outcome> {
    const at = new Date()
    const findings: CheckResult[] = [checkNode(process.version), checkClock(at), checkTimeZones()]
    try {
      const config = readConfig(process.env)
      findings.push(
        { check: 'settings', result: 'ok', detail: 'valid' },
        checkFolder('data directory', config.dataDir),
        checkSecretKey(config),
        await checkBlobs(config, () => new Date()),
        await checkDisk('data', config.dataDir),
        await checkDisk('backups', config.backups.directory),
        await checkMail(config),
        ...(await checkStores(config, at).catch((error: unknown) => [failedFinding('stores', error)])),
      )
    } catch (error) {
      findings.push(failedFinding('settings', error))
    }
    const hasFailed = findings.some(({ result }) => result === 'failed')
    return {
      lines: formatTable(findings.map(({ check, result, detail }) => [result, check, detail])),
      data: { findings },
      ...(hasFailed ? { status: 'problems' as const } : {}),
    }
  },
}
