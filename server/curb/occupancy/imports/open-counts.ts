import * as contract from '#contract/curb-counts.ts'
import { type Route, route } from '#server/http/route.ts'
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
  choosePlaces,
  type CountImporter,
  deleteCounts,
  receiveCounts,
  startCounts,
  setCountStatus,
} from './manage-counts.ts'
import { hasDueCounts, stageCounts, stageCountsJob } from './stage-job.ts'

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
    stage: stageCounts(options),
    async resume() {
      if (await hasDueCounts(options)) await options.jobs.send(stageCountsJob, {})
    },
  }
}

/** Routes of imports of counts. Accounts of operators are refused. */
function countRoutes(importer: CountImporter): Route[] {
  const { state } = importer
  return [
    route(contract.listCountImports, async ({ viewer: { scope }, params, query }) => {
      refuseOperators(scope)
      await findRegion(state, scope, params.region_id)
      return listCountImports(state.as(scope), params.region_id, query)
    }),
    route(contract.uploadCounts, (call) => {
      refuseOperators(call.viewer.scope)
      return receiveCounts(importer, call)
    }),
    route(contract.getCountImport, ({ viewer: { scope }, params }) => {
      refuseOperators(scope)
      return readCountImport(state.as(scope), params.region_id, params.import_id)
    }),
    route(contract.listCountFindings, async ({ viewer: { scope }, params, query }) => {
      refuseOperators(scope)
      await findCountImport(state.as(scope), params.region_id, params.import_id)
      return (await listFindings(state.as(scope), params.import_id, query)) as never
    }),
    route(contract.listCountPlaces, async ({ viewer: { scope }, params, query }) => {
      refuseOperators(scope)
      await findCountImport(state.as(scope), params.region_id, params.import_id)
      return listPlaces(state.as(scope), params.import_id, query)
    }),
    route(contract.matchCountPlaces, (call) => {
      refuseOperators(call.viewer.scope)
      return choosePlaces(importer, call)
    }),
    route(contract.startCountImport, (call) => {
      refuseOperators(call.viewer.scope)
      return startCounts(importer, call)
    }),
    route(contract.publishCounts, (call) => {
      refuseOperators(call.viewer.scope)
      return setCountStatus(importer, call, 'published')
    }),
    route(contract.undoCounts, (call) => {
      refuseOperators(call.viewer.scope)
      return setCountStatus(importer, call, 'undone')
    }),
    route(contract.deleteCountImport, (call) => {
      refuseOperators(call.viewer.scope)
      return deleteCounts(importer, call)
    }),
  ]
}
