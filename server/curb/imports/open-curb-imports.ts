import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import type { Job } from '#server/jobs/job.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import type { Log } from '#server/jobs/log.ts'
import type { Route } from '#server/http/route.ts'
import { publishImport } from '../store/publish-import.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import { settingsOf } from './import-store.ts'
import { removeImportFiles } from './manage-imports.ts'
import { feedUser, pullCurbFeedsJob } from './pull-curb-feeds.ts'
import { removeOldCurbFiles } from './remove-old-files.ts'
import { curbImportRoutes } from './routes.ts'
import { hasDueImport, stageImportsJob, stageJob, type Staging } from './stage-import.ts'

interface CurbImportsOptions {
  state: State
  jobs: Jobs
  box: SecretBox
  fetch: GuardedFetch
  dataDir: string
  blobs: BlobStore
  log: Log
  now: () => Date
}

export interface OpenCurbImports {
  routes: Route[]
  stage: Job
  pull: Job
  /** Stages again what a server left when it stopped. */
  resume(): Promise<void>
  removeOldFiles(): Promise<void>
}

/** Imports of curb data: their calls and jobs. */
export function openCurbImports(options: CurbImportsOptions): OpenCurbImports {
  const { state, jobs, blobs, log, now } = options
  const staging: Staging = {
    state,
    blobs,
    log,
    now,
    async onStaged(row, scope, counts) {
      if (row.created_by !== feedUser) return
      const inventory = await state
        .as(scope)
        .selectFrom('curb_inventory')
        .select('settings')
        .where('inventory_id', '=', row.inventory_id)
        .executeTakeFirst()
      const publishes = inventory !== undefined && settingsOf(inventory).feed?.publishes === true
      if (!publishes || counts.outcomes.refused > 0) return
      const at = now()
      await publishImport(
        state,
        { scope, email: feedUser },
        { regionId: row.region_id, importId: row.import_id },
        at,
        at,
      )
      await removeImportFiles({ state, blobs }, scope, row.import_id)
    },
  }
  const pull = pullCurbFeedsJob(options)
  return {
    routes: curbImportRoutes(options, pull),
    stage: stageImportsJob(staging),
    pull: pull as Job,
    async resume() {
      if (await hasDueImport(staging)) await jobs.send(stageJob, {})
    },
    removeOldFiles: () => removeOldCurbFiles({ state, blobs }, now()),
  }
}
