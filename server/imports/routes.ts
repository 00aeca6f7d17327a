import { Readable } from 'node:stream'
import * as contract from '#contract/imports.ts'
import { Problem } from '#server/http/problem.ts'
import { RawResponse, type Route, route } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { deleteImport, type ImportServices, retryImport, uploadTrips } from './manage-imports.ts'
import { startImport, sendStations } from './start-import.ts'
import { previewImport } from './preview-import.ts'
import { findImportRow, listImports, readImport } from './read-import.ts'
import { readHeader } from './file-header.ts'
import { findLocalTripFile } from './trip-uploads.ts'
import { writeRejectedRows } from './rejected-rows-csv.ts'

export const importRoutes = (imports: ImportServices): Route[] => [
  route(contract.uploadTrips, (call) => uploadTrips(imports, call)),
  route(contract.listImports, async ({ viewer, params, query, at }) => {
    await findRegion(imports.state, viewer.scope, params.region_id)
    return listImports(imports.state.as(viewer.scope), params.region_id, query, at)
  }),
  route(contract.getImport, async ({ viewer, params, at }) =>
    readImport(await findImportRow(imports.state.as(viewer.scope), params.region_id, params.import_uuid), at),
  ),
  route(contract.previewImport, async ({ viewer, params, body }) => {
    const row = await findImportRow(imports.state.as(viewer.scope), params.region_id, params.import_uuid)
    if (row.status !== 'needs_mapping' && row.status !== 'failed')
      throw new Problem('conflict', 'This import has started. Its columns can no longer be mapped.')
    if (row.kind !== 'trips')
      throw new Problem('conflict', 'This file does not contain trips, so it has no columns to map.')
    const header = await readHeader(await findLocalTripFile(imports.blobs, row))
    return previewImport(imports, viewer.scope, { row, header, requestedMapping: body.mapping })
  }),
  route(contract.sendStations, (call) => sendStations(imports, call)),
  route(contract.startImport, (call) => startImport(imports, call)),
  route(contract.retryImport, (call) => retryImport(imports, call)),
  route(contract.deleteImport, (call) => deleteImport(imports, call)),
  route(contract.downloadSetAside, async ({ viewer, params }) => {
    const row = await findImportRow(imports.state.as(viewer.scope), params.region_id, params.import_uuid)
    const name = row.file_name.replace(/[^\w.-]+/g, '_')
    return new RawResponse(Readable.from(writeRejectedRows(imports.facts, viewer.scope, row.import_id)), {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="set-aside_${name}.csv"`,
    })
  }),
]
