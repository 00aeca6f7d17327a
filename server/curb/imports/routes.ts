import { Readable } from 'node:stream'
import * as contract from '#contract/curb-imports.ts'
import { publishImport } from '../store/publish-import.ts'
import { undoImport } from '../store/undo-import.ts'
import { Problem } from '#server/http/problem.ts'
import { RawResponse, type Route, route } from '#server/http/route.ts'
import type { Job } from '#server/jobs/job.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import { findImport, listImports, listRows, readImport, readImportMap } from './import-store.ts'
import { findInventory, listInventories, readSettings } from './inventory-store.ts'
import { createInventory, updateInventory } from './save-inventory.ts'
import {
  deleteImport,
  type Importing,
  removeImportFiles,
  previewImport,
  receiveCurbFile,
  startImport,
} from './manage-imports.ts'
import { toRowsCsv } from './rows-csv.ts'

interface ImportRouteOptions extends Importing {
  secretBox: SecretBox
  jobs: Pick<Jobs, 'send'>
}

export const curbImportRoutes = (
  options: ImportRouteOptions,
  pullJob: Job<{ inventoryId?: string }>,
): Route[] => {
  const { state, jobs } = options
  return [
    route(contract.listCurbInventories, async ({ viewer, params, at }) => {
      await findRegion(state, viewer.scope, params.region_id)
      return { items: await listInventories(state.as(viewer.scope), params.region_id, at) }
    }),
    route(contract.createCurbInventory, (call) => createInventory(options, call)),
    route(contract.updateCurbInventory, (call) => updateInventory(options, call)),
    route(contract.pullCurbFeed, async ({ viewer, params }) => {
      const row = await findInventory(state.as(viewer.scope), params.region_id, params.inventory_id)
      if (!readSettings(row).feed) throw new Problem('conflict', 'This source has no feed.')
      await jobs.send(pullJob, { inventoryId: row.inventory_id })
      return { queued: true as const }
    }),
    route(contract.uploadCurbFile, (call) => receiveCurbFile(options, call)),
    route(contract.previewCurbImport, (call) => previewImport(options, call)),
    route(contract.startCurbImport, (call) => startImport(options, call)),
    route(contract.listCurbImports, async ({ viewer, params, query }) => {
      await findRegion(state, viewer.scope, params.region_id)
      return listImports(state.as(viewer.scope), params.region_id, query)
    }),
    route(contract.getCurbImport, ({ viewer, params }) =>
      readImport(state.as(viewer.scope), params.region_id, params.import_id),
    ),
    route(contract.listCurbImportRows, async ({ viewer, params, query }) => {
      await findImport(state.as(viewer.scope), params.region_id, params.import_id)
      return listRows(state.as(viewer.scope), params.import_id, query)
    }),
    route(contract.downloadCurbImportRows, async ({ viewer, params, query }) => {
      const row = await findImport(state.as(viewer.scope), params.region_id, params.import_id)
      const name = row.file_name.replace(/[^\w.-]+/g, '_').slice(0, 100)
      return new RawResponse(Readable.from(toRowsCsv(state.as(viewer.scope), params.import_id, query)), {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="curb-import_${name}.csv"`,
      })
    }),
    route(contract.getCurbImportMap, async ({ viewer, params }) => {
      await findImport(state.as(viewer.scope), params.region_id, params.import_id)
      return readImportMap(state.as(viewer.scope), params.import_id)
    }),
    route(contract.publishCurbImport, async ({ viewer, params, body, at }) => {
      await publishImport(state, viewer, {
        regionId: params.region_id,
        importId: params.import_id,
        effective: body.effective_time === undefined ? at : new Date(body.effective_time),
        at,
      })
      await removeImportFiles(options, viewer.scope, params.import_id)
      return readImport(state.as(viewer.scope), params.region_id, params.import_id)
    }),
    route(contract.undoCurbImport, async ({ viewer, params, at }) => {
      await undoImport(state, viewer, { regionId: params.region_id, importId: params.import_id, at })
      return readImport(state.as(viewer.scope), params.region_id, params.import_id)
    }),
    route(contract.deleteCurbImport, (call) => deleteImport(options, call)),
  ]
}
