import type { ServerStatus } from '#contract/server-status.ts'
import { appVersion, type Config } from '#server/config.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { type Backups, presentBackup } from './backup/backups.ts'
import type { Readiness } from './health/readiness.ts'
import { readVolume } from './health/volumes.ts'

interface StatusSources {
  config: Config
  state: State
  facts: Facts
  readiness: Readiness
  backups: Backups
}

type StoreStatus = ServerStatus['stores'][number]

/** Reads the status of a store, or its problem if it does not respond. */
async function readStoreStatus(
  store: StoreStatus['store'],
  maintenance: State['maintenance'] | Facts['maintenance'],
): Promise<StoreStatus> {
  try {
    const [version, migrations, pending, bytes] = await Promise.all([
      maintenance.version(),
      maintenance.migrations(),
      maintenance.pendingMigrations(),
      maintenance.size(),
    ])
    return {
      store,
      is_embedded: maintenance.isEmbedded,
      version,
      migrations: migrations.length,
      pending,
      bytes,
      ok: pending.length === 0,
      problem: null,
    }
  } catch (error) {
    return {
      store,
      is_embedded: maintenance.isEmbedded,
      version: '',
      migrations: 0,
      pending: [],
      bytes: 0,
      ok: false,
      problem: error instanceof Error ? error.message.slice(0, 300) : String(error),
    }
  }
}

async function readFeedStatuses(store: Store): Promise<ServerStatus['feeds']> {
  const feeds = await store
    .selectFrom('feed')
    .select(['feed_id', 'region_id', 'operator', 'name', 'kind'])
    .select(['last_success_time', 'last_record_time', 'problem'])
    .where('enabled', '=', true)
    .orderBy('region_id')
    .orderBy('operator')
    .orderBy('name')
    .execute()
  return feeds.map(({ last_success_time: success, last_record_time: record, ...feed }) => ({
    ...feed,
    last_success: success?.toISOString() ?? null,
    newest_record: record?.toISOString() ?? null,
  }))
}

async function readVolumes({ dataDir, backups }: Config): Promise<ServerStatus['volumes']> {
  const folders = { data: dataDir, backups: backups.directory } as const
  return Promise.all(
    (['data', 'backups'] as const).map(async (volume) => {
      const { free, total } = await readVolume(folders[volume])
      return { volume, free_bytes: free, total_bytes: total }
    }),
  )
}

/** Reads the status of the server, with the feeds of the Scope's regions. */
export async function readServerStatus(
  { config, state, facts, readiness, backups }: StatusSources,
  scope: Scope,
  at: Date,
): Promise<ServerStatus> {
  const [{ status }, stores, volumes, feeds, storedBackups] = await Promise.all([
    readiness.read(),
    Promise.all([readStoreStatus('state', state.maintenance), readStoreStatus('facts', facts.maintenance)]),
    readVolumes(config),
    readFeedStatuses(state.as(scope)).catch(() => []),
    backups.list(),
  ])
  return {
    status,
    version: appVersion,
    node_version: process.version,
    started: new Date(at.getTime() - process.uptime() * 1000).toISOString(),
    memory_bytes: process.memoryUsage().rss,
    time_zone_data: process.versions['tz'] ?? '',
    stores,
    volumes,
    feeds,
    backups: {
      scheduled_hour: config.backups.hour,
      is_encrypted: config.backups.passphrase !== null,
      last_problem: backups.lastProblem,
      items: storedBackups.map(presentBackup),
    },
  }
}
