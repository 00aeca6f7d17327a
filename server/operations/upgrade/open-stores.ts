import { getErrorMessage } from '#contract/problem-text.ts'
import type { Config } from '#server/config.ts'
import type { Log } from '#server/jobs/log.ts'
import { openBlobStore } from '#server/stores/blobs/open-blob-store.ts'
import type { Facts } from '#server/stores/facts.ts'
import { openUnmigratedFacts } from '#server/stores/open-facts.ts'
import { migrateState, openUnmigratedState, type State } from '#server/stores/state.ts'
import { makeBackup } from '../backup/back-up.ts'
import { BackupError } from '../backup/manifest.ts'
import { isUpgrade, readMigrationPlan, checkPlan, type MigrationPlan } from './migration-plan.ts'

type StoreConfig = Pick<
  Config,
  | 'databaseUrl'
  | 'clickhouseUrl'
  | 'clickhouseCluster'
  | 'blobUrl'
  | 'dataDir'
  | 'backups'
  | 'backupBeforeUpgrade'
>

interface OpenStores {
  state: State
  facts: Facts
  plan: MigrationPlan
}

/** Opens both stores without migrating them, and reads which migrations are missing. */
export async function openUnmigratedStores(
  config: StoreConfig,
): Promise<OpenStores & { migrate: () => Promise<void> }> {
  const state = await openUnmigratedState(config)
  try {
    const { facts, migrate } = openUnmigratedFacts(config)
    try {
      return {
        state,
        facts,
        plan: await readMigrationPlan(state, facts),
        migrate: async () => {
          await migrateState(state)
          await migrate()
        },
      }
    } catch (error) {
      await facts.close()
      throw error
    }
  } catch (error) {
    await state.close()
    throw error
  }
}

/**
 * Opens both stores and applies the missing migrations under a lock. Existing data is backed up before it is
 * changed.
 * @throws UpgradeRefused if this version cannot open the data.
 */
export async function openStores(config: StoreConfig, log: Log, now: () => Date): Promise<OpenStores> {
  const { state, facts, plan, migrate } = await openUnmigratedStores(config)
  try {
    checkPlan(plan)
    if (plan.state.pending.length + plan.facts.pending.length > 0)
      await state.maintenance.withLock(async () => {
        if (isUpgrade(plan)) await backUpBeforeUpgrade(config, { state, facts, plan }, log, now)
        await migrate()
      })
    return { state, facts, plan }
  } catch (error) {
    await facts.close()
    await state.close()
    throw error
  }
}

/** Makes a backup to which one can return if the new version does not work. */
async function backUpBeforeUpgrade(
  config: StoreConfig,
  { state, facts, plan }: OpenStores,
  log: Log,
  now: () => Date,
): Promise<void> {
  const pending = [...plan.state.pending, ...plan.facts.pending]
  const isPossible = facts.maintenance.isEmbedded || config.backups.factsTarget !== null
  if (!config.backupBeforeUpgrade || !isPossible)
    return log('upgrade', { migrations: pending, backup: null, isPossible })
  try {
    const { folder } = await makeBackup({
      state,
      facts,
      blobs: openBlobStore(config, now),
      dataDir: config.dataDir,
      ...config.backups,
      now,
    })
    log('upgrade', { migrations: pending, backup: folder })
  } catch (error) {
    throw new BackupError(
      `The backup before the upgrade failed, and nothing was changed: ${getErrorMessage(error)} To upgrade without it, set BACKUP_BEFORE_UPGRADE=off.`,
    )
  }
}
