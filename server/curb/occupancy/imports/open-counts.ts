import * as contract from '#contract/curb-counts.ts'
import { type Route, route, withCheck } from '#server/http/route.ts'
import type { Job } from '#server/jobs/job.ts'
import type { Log } from '#server/jobs/log.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { refuseOperators } from '../../sessions/query-curb-metrics.ts'
import {
  findCountImport,
  listCountImports,
  listFindings,
  listPlaces,
  readCountImport,
} from './import-store.ts'
import {
  matchCountPlaces,
  type CountImporter,
  deleteCountImport,
  uploadCounts,
  startCountImport,
  setCountStatus,
} from './manage-counts.ts'
import { hasDueCounts, createStageCountsJob, stageCountsJob } from './stage-job.ts'

export interface OpenCounts {
  routes: Route[]
  stage: Job
  /** Continues imports that were being staged when a server stopped. */
  resume(): Promise<void>
}

/** Opens imports of counts at the curb: their routes and their job. */
export function openCounts(options: CountImporter & { log: Log; now: () => Date }): OpenCounts {
  return {
    routes: countRoutes(options),
    stage: createStageCountsJob(options),
    async resume() {
      if (await hasDueCounts(options)) await options.jobs.send(stageCountsJob, {})
    },
  }
}

/** Declares the routes of imports of counts. Accounts of operators are refused. */
function countRoutes(importer: CountImporter): Route[] {
  const { state } = importer
  const routes = [
    route(contract.listCountImports, async ({ viewer: { scope }, params, query }) => {
      await findRegion(state, scope, params.region_id)
      return listCountImports(state.as(scope), params.region_id, query)
    }),
    route(contract.uploadCounts, (call) => uploadCounts(importer, call)),
    route(contract.getCountImport, ({ viewer: { scope }, params }) =>
      readCountImport(state.as(scope), params.region_id, params.import_id),
    ),
    route(contract.listCountFindings, async ({ viewer: { scope }, params, query }) => {
      await findCountImport(state.as(scope), params.region_id, params.import_id)
      return (await listFindings(state.as(scope), params.import_id, query)) as never
    }),
    route(contract.listCountPlaces, async ({ viewer: { scope }, params, query }) => {
      await findCountImport(state.as(scope), params.region_id, params.import_id)
      return listPlaces(state.as(scope), params.import_id, query)
    }),
    route(contract.matchCountPlaces, (call) => matchCountPlaces(importer, call)),
    route(contract.startCountImport, (call) => startCountImport(importer, call)),
    route(contract.publishCounts, (call) => setCountStatus(importer, call, 'published')),
    route(contract.undoCounts, (call) => setCountStatus(importer, call, 'undone')),
    route(contract.deleteCountImport, (call) => deleteCountImport(importer, call)),
  ]
  return withCheck(routes, ({ viewer }) => refuseOperators(viewer.scope))
}
