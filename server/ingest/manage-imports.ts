import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import type { NodeReadable } from '#contract/endpoint.ts'
import { type Import, TripMapping } from '#contract/ingest.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { Runner } from '#server/jobs/runner.ts'
import { importedHours } from '#server/mobility/cubes/note-derived-hours.ts'
import { countFactsVersion } from '#server/regions/facts-version.ts'
import { findRegion } from '#server/regions/find-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import { bind, facts, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { answerAsks, contentHashOf, givenWith } from './files/given.ts'
import { fileKindOf } from './files/file-kinds.ts'
import { recogniseFile } from './files/recognise-file.ts'
import { importTrips } from './import-trips-job.ts'
import { checkMapping } from './preview-import.ts'
import { findImportRow, readImport } from './read-import.ts'
import { readHeader, receiveTripFile } from './receive-trip-file.ts'
import { recogniseLayout } from './recognise-layout.ts'
import { removeChunks } from './store-trip-chunk.ts'
import { civilClock } from '#contract/civil-clock.ts'

export interface Imports {
  state: State
  facts: Facts
  runner: Pick<Runner, 'send'>
  dataDir: string
}

/** Wakes the job that imports what waits. */
export const wakeImports = ({ runner }: Pick<Imports, 'runner'>): Promise<void> => runner.send(importTrips, {})

/** The mapping of a header: by its layout, else as remembered. */
async function knownMapping({ state }: Imports, viewer: Viewer, header: string[], headerHash: string, fileName: string): Promise<{ layout: string | null; mapping: TripMapping } | null> {
  const layout = recogniseLayout(header, fileName)
  if (layout) return layout
  const kept = await state.as(viewer.scope).selectFrom('import_mapping').select('mapping').where('header_hash', '=', headerHash).executeTakeFirst()
  return kept ? { layout: null, mapping: TripMapping.parse(kept.mapping) } : null
}

interface FileAsk {
  file_name: string
  operator?: string | undefined
  vehicle_type?: TripMapping['vehicle_type'] | undefined
  snapshot_time?: string | undefined
}

/** Takes a file in. The same table again (packed or not) changes nothing; what is known starts at once, another waits for its mapping or for what else it does not tell. */
export async function takeTripFile(imports: Imports, viewer: Viewer, regionId: string, ask: FileAsk, body: NodeReadable, at: Date): Promise<Import> {
  const { state, dataDir } = imports
  const { timezone } = await findRegion(state, viewer.scope, regionId)
  const file = await receiveTripFile(dataDir, body, (filePath) => recogniseFile(filePath, ask.file_name, givenWith(ask), civilClock(timezone)))
  const { recognised } = file
  const contentHash = contentHashOf(file)
  const store = state.as(viewer.scope)
  const earlier = await store.selectFrom('import').selectAll().where('region_id', '=', regionId).where('content_hash', '=', contentHash).where('status', '!=', 'failed').executeTakeFirst()
  if (earlier) {
    await fs.rm(file.filePath, { force: true })
    return readImport(earlier, at, earlier.import_id)
  }
  const known = recognised ? null : await knownMapping(imports, viewer, file.header, file.headerHash, ask.file_name)
  const mapping = known && { ...known.mapping, ...(ask.operator ? { operator: ask.operator } : {}), ...(ask.vehicle_type ? { vehicle_type: ask.vehicle_type } : {}) }
  const isReady = recognised ? recognised.asks.length === 0 : mapping !== null
  const row = await store
    .insertInto('import')
    .values({
      import_id: randomUUID(), region_id: regionId, file_name: ask.file_name, file_path: file.filePath, bytes: file.bytes, content_hash: contentHash, header_hash: file.headerHash,
      kind: recognised?.kind ?? 'trips', asks: JSON.stringify(recognised?.asks ?? []), given: JSON.stringify(recognised?.given ?? {}),
      status: isReady ? 'queued' : 'needs_mapping', layout: recognised?.layout ?? known?.layout ?? null, mapping: mapping && JSON.stringify(mapping), created_by: viewer.email, created_time: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (isReady) await wakeImports(imports)
  return readImport(row, at)
}

/** Starts an import with a mapping, which is remembered for files of the same header; or with what else was waited for. */
export async function startImport(imports: Imports, viewer: Viewer, regionId: string, importId: string, { mapping, ...said }: { mapping?: TripMapping | undefined; snapshot_time?: string | undefined; operator?: string | undefined }, at: Date): Promise<Import> {
  const { state } = imports
  const row = await findImportRow(state, viewer.scope, regionId, importId)
  if (row.status !== 'needs_mapping' && !(row.status === 'failed' && row.chunks === 0)) throw new Problem('conflict', 'This import has started already. Take it back and send the file again to map it anew.')
  if (row.kind !== 'trips') {
    await answerAsks(state, viewer.scope, row, givenWith(said))
    await wakeImports(imports)
    return readImport(await findImportRow(state, viewer.scope, regionId, importId), at)
  }
  if (!mapping) throw new Problem('validation_error', 'Say which column means what.')
  await checkMapping(state, viewer.scope, row, await readHeader(row.file_path), mapping)
  const text = JSON.stringify(mapping)
  const store = state.as(viewer.scope)
  await store.insertInto('import_mapping').values({ organization_id: viewer.organizationId, header_hash: row.header_hash, mapping: text, changed_time: at }).onConflict((clash) => clash.columns(['organization_id', 'header_hash']).doUpdateSet({ mapping: text, changed_time: at })).execute()
  await store.updateTable('import').set({ mapping: text, status: 'queued', problem: null }).where('import_id', '=', importId).execute()
  await wakeImports(imports)
  return readImport(await findImportRow(state, viewer.scope, regionId, importId), at)
}

/** Goes on with a failed import where it stopped. */
export async function retryImport(imports: Imports, viewer: Viewer, regionId: string, importId: string, at: Date): Promise<Import> {
  const row = await findImportRow(imports.state, viewer.scope, regionId, importId)
  if (row.status !== 'failed' || (row.kind === 'trips' && !row.mapping)) throw new Problem('conflict', 'Only an import that failed can be tried again.')
  await imports.state.as(viewer.scope).updateTable('import').set({ status: 'queued', problem: null, finished_time: null }).where('import_id', '=', importId).execute()
  await wakeImports(imports)
  return readImport(await findImportRow(imports.state, viewer.scope, regionId, importId), at)
}

/** Takes an import back: what it brought, its set-aside rows, its file and its record. */
export async function deleteImport(imports: Imports, viewer: Viewer, regionId: string, importId: string, at: Date): Promise<{ deleted_trips: number; deleted_rows: number }> {
  const row = await findImportRow(imports.state, viewer.scope, regionId, importId)
  if (row.status === 'running') throw new Problem('conflict', 'This import is running. Wait until it has ended, then take it back.')
  const [found] = await imports.facts.rows<{ n: string }>(viewer.scope, sql`select count() as n from ${facts('trips')} where import_id = ${bind('UUID', importId)}`)
  const { timezone } = await findRegion(imports.state, viewer.scope, regionId)
  const noteHours = await importedHours({ state: imports.state, facts: imports.facts, now: () => at.getTime() }, viewer.scope, regionId, timezone, importId)
  // The record goes first: a queued run finds nothing to do then.
  await imports.state.as(viewer.scope).deleteFrom('import').where('import_id', '=', importId).execute()
  const rows = (await fileKindOf(row.kind)?.takeBack({ state: imports.state, facts: imports.facts, scope: viewer.scope, regionId, importId })) ?? Number(found?.n ?? 0)
  await removeChunks(imports.facts, viewer.scope, importId, 0)
  await noteHours()
  await fs.rm(row.file_path, { force: true })
  await countFactsVersion(imports.state, viewer.scope, regionId)
  return { deleted_trips: Number(found?.n ?? 0), deleted_rows: rows }
}
