import { randomUUID } from 'node:crypto'
import { minuteMs } from '#contract/period.ts'
import { getErrorMessage } from '#contract/problem-text.ts'
import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import type { Job } from '#server/jobs/job.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import type { Log } from '#server/jobs/log.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { removeCurbFiles, type StoredFile } from './curb-files.ts'
import { type InventoryRow, readSettings, type StoredFeed } from './inventory-store.ts'
import { tokenPurpose } from './save-inventory.ts'
import { removeSuperseded } from './manage-imports.ts'
import { FeedProblem, pullCdsFeed } from './pull-cds-feed.ts'
import { stageJob } from './stage-import.ts'

interface PullServices {
  state: State
  secretBox: SecretBox
  fetch: GuardedFetch
  jobs: Pick<Jobs, 'send'>
  dataDir: string
  blobs: BlobStore
  log: Log
  now: () => Date
}

/** Stored as the user who made the imports of feeds. */
export const feedUser = 'feed'

/** How often due feeds are looked for. */
const checkSeconds = 60

/** Creates the job that pulls due feeds or, if sent with an inventory, the feed of that one at once. */
export function createPullCurbFeedsJob(services: PullServices): Job<{ inventoryId?: string }> {
  return {
    name: 'pull-curb-feeds',
    description: 'Requests CDS feeds of curb data that are due',
    every: { seconds: checkSeconds, on: 'one server' },
    async run(stop, { inventoryId }) {
      for (const { row, organizationId } of await listFeeds(services.state)) {
        const feed = readSettings(row).feed
        if (!feed || stop.aborted) continue
        const dueMs = (feed.last_pull_ms ?? 0) + feed.every_minutes * minuteMs
        const shouldPull =
          inventoryId === undefined ? dueMs <= services.now().getTime() : row.inventory_id === inventoryId
        if (shouldPull)
          await pullFeed(services, { row, feed, scope: regionScope(organizationId, row.region_id) }, stop)
      }
    },
  }
}

async function listFeeds(state: State): Promise<{ row: InventoryRow; organizationId: string }[]> {
  const rows = await state
    .as(systemScope)
    .selectFrom('curb_inventory')
    .innerJoin('region', 'region.region_id', 'curb_inventory.region_id')
    .selectAll('curb_inventory')
    .select('region.organization_id')
    .where('curb_inventory.kind', '=', 'cds')
    .execute()
  return rows.map(({ organization_id: organizationId, ...row }) => ({ row, organizationId }))
}

/** An inventory with the feed that is pulled, and the Scope of its region. */
interface PulledInventory {
  row: InventoryRow
  feed: StoredFeed
  scope: Scope
}

/** Pulls a feed. If its records have changed, they become an import, which is staged. */
async function pullFeed(
  services: PullServices,
  inventory: PulledInventory,
  stop: AbortSignal,
): Promise<void> {
  const { state, secretBox, fetch, jobs, dataDir, blobs, log, now } = services
  const { row, feed } = inventory
  const at = now()
  try {
    const token = feed.sealed_token === undefined ? null : secretBox.open(tokenPurpose, feed.sealed_token)
    const { files, hash } = await pullCdsFeed({ url: feed.url, token }, { fetch, dataDir, blobs, stop })
    const isSame = hash === feed.last_hash
    if (isSame) await removeCurbFiles(blobs, files)
    else await addImport(services, inventory, { files, hash, at })
    await recordPull(state, inventory, { last_pull_ms: at.getTime(), last_problem: null, last_hash: hash })
    if (!isSame) await jobs.send(stageJob, {})
  } catch (error) {
    if (stop.aborted) return
    if (!(error instanceof FeedProblem))
      log('curb feed could not be pulled', { inventoryId: row.inventory_id, error: getErrorMessage(error) })
    await recordPull(state, inventory, {
      last_pull_ms: at.getTime(),
      last_problem: error instanceof FeedProblem ? error.message : 'The feed could not be pulled.',
    })
  }
}

/** Adds an import of pulled files, in place of earlier ones that were not published. */
async function addImport(
  { state, blobs }: PullServices,
  { row, feed, scope }: PulledInventory,
  { files, hash, at }: { files: readonly StoredFile[]; hash: string; at: Date },
): Promise<void> {
  await removeSuperseded({ state, blobs }, scope, row.inventory_id, feedUser)
  await state
    .as(scope)
    .insertInto('curb_import')
    .values({
      import_id: randomUUID(),
      region_id: row.region_id,
      inventory_id: row.inventory_id,
      file_name: `${new URL(feed.url).host} ${at.toISOString()}`,
      file_hash: hash,
      status: 'staging',
      created_by: feedUser,
      created_time: at,
      files: JSON.stringify(files),
    })
    .execute()
}

/** Stores the result of a pull in the settings of its inventory, unless the feed was replaced meanwhile. */
async function recordPull(
  state: State,
  { row, feed, scope }: PulledInventory,
  result: Partial<StoredFeed>,
): Promise<void> {
  // Read the settings again, because they may have changed during the pull.
  const currentRow = await state
    .as(scope)
    .selectFrom('curb_inventory')
    .select('settings')
    .where('inventory_id', '=', row.inventory_id)
    .executeTakeFirst()
  const settings = currentRow && readSettings(currentRow)
  if (!settings?.feed || settings.feed.url !== feed.url) return
  await state
    .as(scope)
    .updateTable('curb_inventory')
    .set({ settings: JSON.stringify({ ...settings, feed: { ...settings.feed, ...result } }) })
    .where('inventory_id', '=', row.inventory_id)
    .execute()
}
