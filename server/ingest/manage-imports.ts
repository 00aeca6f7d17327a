import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import type { NodeReadable } from '#contract/endpoint.ts'
import { type Import, TripMapping } from '#contract/ingest.ts'
import type { Region } from '#contract/regions.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { Runner } from '#server/jobs/runner.ts'
import { findRegion } from '#server/regions/find-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { cancelImport, type TakenBack } from './cancel-import.ts'
import { readHeader } from './file-header.ts'
import type { FileGiven } from './files/file-kind.ts'
import { answerAsks, type Answers, contentHashOf, givenWith } from './files/given.ts'
import { recogniseFile } from './files/recognise-file.ts'
import { wakeImports } from './import-queue.ts'
import { TripFileError } from './open-trip-file.ts'
import { openQuestions, outsideRegion, placeColumns, timeColumns } from './open-questions.ts'
import { checkMapping, mappingProblems } from './preview-import.ts'
import { findImportRow, readImport } from './read-import.ts'
import { headerHash, receiveTripFile } from './receive-trip-file.ts'
import { surveyOnThread } from './read-trip-chunks.ts'
import { recogniseLayout } from './recognise-layout.ts'
import { civilClock } from '#contract/civil-clock.ts'

export interface Imports {
  state: State
  facts: Facts
  runner: Pick<Runner, 'send'>
  dataDir: string
  now: () => Date
}

/** The mapping of a header: by its layout, else as remembered. */
async function knownMapping({ state }: Imports, viewer: Viewer, header: string[], fileName: string): Promise<{ layout: string | null; mapping: TripMapping } | null> {
  const layout = recogniseLayout(header, fileName)
  if (layout) return layout
  const kept = await state.as(viewer.scope).selectFrom('import_mapping').select('mapping').where('header_hash', '=', headerHash(header)).executeTakeFirst()
  const mapping = kept && TripMapping.parse(kept.mapping)
  // Headers that differ in spelling only share a memory, but not their names.
  return mapping && mappingProblems(header, mapping).length === 0 ? { layout: null, mapping } : null
}

interface FileAsk extends Answers {
  file_name: string
  vehicle_type?: TripMapping['vehicle_type'] | undefined
}

const hasAnswers = (ask: FileAsk): boolean => Object.entries(ask).some(([name, answer]) => name !== 'file_name' && answer !== undefined)

/** Reads a received file as a whole: what it is, how its columns are to be read as far as that is known, and what its rows say. */
async function examine(imports: Imports, viewer: Viewer, region: Region, ask: FileAsk, filePath: string) {
  const recognised = await recogniseFile(filePath, ask.file_name, givenWith(ask), civilClock(region.timezone))
  const header = recognised ? [] : await readHeader(filePath)
  const known = recognised ? null : await knownMapping(imports, viewer, header, ask.file_name)
  const mapping = known && {
    ...known.mapping, date_order: ask.date_order ?? null, ...(ask.operator ? { operator: ask.operator } : {}), ...(ask.vehicle_type ? { vehicle_type: ask.vehicle_type } : {}),
  }
  const isTable = !recognised || recognised.table !== undefined
  const place = mapping ? placeColumns(mapping) : (recognised?.table?.place ?? null)
  const survey = await surveyOnThread({ filePath, isTable, place, centre: region })
  if (isTable && survey.rows === 0) throw new TripFileError('The file has column names, but no rows below them.')
  return { recognised, header, layout: recognised?.layout ?? known?.layout ?? null, mapping, survey: { ...survey, dates: recognised?.dates ?? survey.dates } }
}

/** Takes a file in. The same table again (packed or not) changes nothing; what is known starts at once, another waits for its mapping or for what else it does not tell. */
export async function takeTripFile(imports: Imports, viewer: Viewer, regionId: string, ask: FileAsk, body: NodeReadable, at: Date): Promise<Import> {
  const { state, dataDir } = imports
  const region = await findRegion(state, viewer.scope, regionId)
  const file = await receiveTripFile(dataDir, body, (filePath) => examine(imports, viewer, region, ask, filePath))
  const { recognised, mapping, survey } = file
  const contentHash = contentHashOf(survey.contentHash, recognised)
  const store = state.as(viewer.scope)
  const earlier = await store.selectFrom('import').selectAll().where('region_id', '=', regionId).where('content_hash', '=', contentHash).where('status', '!=', 'failed').executeTakeFirst()
  if (earlier?.status === 'canceling') throw new Problem('conflict', 'This file is being removed. Send it again in a moment.')
  // A file that waits for answers and is sent again with some is a new one.
  if (earlier?.status === 'needs_mapping' && hasAnswers(ask)) await deleteImport(imports, viewer, regionId, earlier.import_id)
  else if (earlier) {
    await fs.rm(file.filePath, { force: true })
    return readImport(earlier, at, earlier.import_id)
  }
  const given: FileGiven = { ...givenWith(ask), ...recognised?.given }
  const times = mapping ? timeColumns(mapping) : Object.keys(recognised?.dates ?? {}).concat(recognised?.table?.times ?? [])
  const open = openQuestions(survey, times, given, region)
  const asks = recognised ? [...recognised.asks, ...open.asks] : mapping ? open.asks : (['mapping'] as const)
  const isReady = asks.length === 0
  const row = await store
    .insertInto('import')
    .values({
      import_id: randomUUID(), region_id: regionId, file_name: ask.file_name, file_path: file.filePath, bytes: file.bytes, content_hash: contentHash,
      header_hash: recognised ? recognised.kind : headerHash(file.header), kind: recognised?.kind ?? 'trips', asks: JSON.stringify(asks), given: JSON.stringify(given),
      status: isReady ? 'queued' : 'needs_mapping', layout: file.layout, mapping: mapping && JSON.stringify(mapping), notes: JSON.stringify(isReady || !(mapping || recognised) ? [] : open.notes),
      survey: JSON.stringify({ rows: survey.rows, dates: survey.dates }), created_by: viewer.email, created_time: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (isReady) await wakeImports(imports)
  return readImport(row, at)
}

/** What a person answers about a waiting file. */
interface StartAsk extends Answers {
  mapping?: TripMapping | undefined
}

/** Starts an import with a mapping, which is remembered for files of the same header; or with what else was waited for. */
export async function startImport(imports: Imports, viewer: Viewer, regionId: string, importId: string, ask: StartAsk, at: Date): Promise<Import> {
  const { state } = imports
  const row = await findImportRow(state, viewer.scope, regionId, importId)
  if (row.status !== 'needs_mapping' && !(row.status === 'failed' && row.chunks === 0)) throw new Problem('conflict', 'This import has started already. Take it back and send the file again to map it anew.')
  if (row.kind !== 'trips') {
    await answerAsks(state, viewer.scope, row, givenWith(ask))
    await wakeImports(imports)
    return readImport(await findImportRow(state, viewer.scope, regionId, importId), at)
  }
  const wanted = ask.mapping ?? (row.mapping ? TripMapping.parse(row.mapping) : null)
  if (!wanted) throw new Problem('validation_error', 'Say which column means what.')
  const mapping = { ...wanted, date_order: ask.date_order ?? wanted.date_order }
  await checkMapping(state, viewer.scope, row, await readHeader(row.file_path), mapping)
  const region = await findRegion(state, viewer.scope, regionId)
  const survey = await surveyOnThread({ filePath: row.file_path, isTable: true, place: placeColumns(mapping), centre: region })
  const outside = ask.accept_outside ? null : outsideRegion(survey.places, region)
  if (outside) throw new Problem('conflict', `${outside} Check the columns, or confirm to import the rows all the same.`, undefined, { places: survey.places })
  const store = state.as(viewer.scope)
  const remembered = JSON.stringify({ ...mapping, date_order: null })
  await store.insertInto('import_mapping').values({ organization_id: viewer.organizationId, header_hash: row.header_hash, mapping: remembered, changed_time: at }).onConflict((clash) => clash.columns(['organization_id', 'header_hash']).doUpdateSet({ mapping: remembered, changed_time: at })).execute()
  await store
    .updateTable('import')
    .set({ mapping: JSON.stringify(mapping), survey: JSON.stringify({ rows: survey.rows, dates: survey.dates }), asks: '[]', notes: '[]', status: 'queued', problem: null })
    .where('import_id', '=', importId)
    .execute()
  await wakeImports(imports)
  return readImport(await findImportRow(state, viewer.scope, regionId, importId), at)
}

/** Goes on with a failed import where it stopped. */
export async function retryImport(imports: Imports, viewer: Viewer, regionId: string, importId: string, at: Date): Promise<Import> {
  const row = await findImportRow(imports.state, viewer.scope, regionId, importId)
  if (row.status !== 'failed' || (row.kind === 'trips' && !row.mapping)) throw new Problem('conflict', 'Only an import that failed can be tried again.')
  await imports.state.as(viewer.scope).updateTable('import').set({ status: 'queued', problem: null, finished_time: null, attempts: 0 }).where('import_id', '=', importId).execute()
  await wakeImports(imports)
  return readImport(await findImportRow(imports.state, viewer.scope, regionId, importId), at)
}

/** Cancels an import that waits or runs, or takes one back that has ended: what it brought, its set-aside rows, its file and its record. */
export async function deleteImport(imports: Imports, viewer: Viewer, regionId: string, importId: string): Promise<TakenBack> {
  const taken = await cancelImport(imports, viewer.scope, regionId, importId)
  // The region's next file could not start during the removal.
  await wakeImports(imports)
  return taken
}
