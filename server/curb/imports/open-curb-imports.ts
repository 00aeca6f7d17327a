import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import type { Job } from '#server/jobs/job.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import type { Log } from '#server/jobs/log.ts'
import type { Route } from '#server/http/route.ts'
import { publishImport } from '../store/publish-import.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import { readSettings } from './inventory-store.ts'
import { removeImportFiles } from './manage-imports.ts'
import { feedUser, createPullCurbFeedsJob } from './pull-curb-feeds.ts'
import { removeOldCurbFiles } from './remove-old-files.ts'
import { curbImportRoutes } from './routes.ts'
import { hasDueImport, createStageImportsJob, stageJob, type Staging } from './stage-import.ts'

interface CurbImportsOptions {
  state: State
  jobs: Jobs
  secretBox: SecretBox
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
  /** Stages imports that were left unfinished when a server stopped. */
  resume(): Promise<void>
  removeOldFiles(): Promise<void>
}

/** Opens the imports of curb data: their endpoints and jobs. */
export function openCurbImports(options: CurbImportsOptions): OpenCurbImports {
  const { state, jobs, blobs, log, now } = options
  const staging: Staging = {
    state,
    blobs,
    log,
    now,
    // Publishes imports of feeds if their settings say so, unless a record was refused.
    async onStaged(row, scope, counts) {
      if (row.created_by !== feedUser) return
      const inventory = await state
        .as(scope)
        .selectFrom('curb_inventory')
        .select('settings')
        .where('inventory_id', '=', row.inventory_id)
        .executeTakeFirst()
      const publishes = inventory !== undefined && readSettings(inventory).feed?.publishes === true
      if (!publishes || counts.outcomes.refused > 0) return
      const at = now()
      await publishImport(
        state,
        { scope, email: feedUser },
        { regionId: row.region_id, importId: row.import_id, effective: at, at },
      )
      await removeImportFiles({ state, blobs }, scope, row.import_id)
    },
  }
  const pullJob = createPullCurbFeedsJob(options)
  return {
    routes: curbImportRoutes(options, pullJob),
    stage: createStageImportsJob(staging),
    pull: pullJob as Job,
    async resume() {
      if (await hasDueImport(staging)) await jobs.send(stageJob, {})
    },
    removeOldFiles: () => removeOldCurbFiles({ state, blobs }, now()),
  }
}
