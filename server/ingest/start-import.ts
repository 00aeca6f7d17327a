import fs from 'node:fs/promises'
import type { NodeReadable } from '#contract/endpoint.ts'
import { type Import, TripMapping } from '#contract/ingest.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { readHeader } from './file-header.ts'
import type { FileGiven } from './files/file-kind.ts'
import { answerAsks, type Answers, givenWith } from './files/given.ts'
import { wakeImports } from './import-queue.ts'
import { outsideRegion, placeColumns } from './open-questions.ts'
import { checkMapping } from './preview-import.ts'
import { findImportRow, type ImportRow, readImport } from './read-import.ts'
import { receiveTripFile } from './receive-trip-file.ts'
import { readStations } from './stations/read-stations.ts'
import { givenStations, saveStations } from './stations/station-places.ts'
import type { StoredSurvey } from './survey-file.ts'
import type { Imports } from './manage-imports.ts'

/** What a person answers about a waiting file. */
interface StartAsk extends Answers {
  mapping?: TripMapping | undefined
}

/** Whether an import waits for answers, or failed before it stored anything. */
const isWaiting = (row: ImportRow): boolean =>
  row.status === 'needs_mapping' || (row.status === 'failed' && row.chunks === 0)

/** Starts an import with a mapping, which is remembered for files of the same header; or with what else was waited for. */
export async function startImport(
  imports: Imports,
  viewer: Viewer,
  regionId: string,
  importId: string,
  ask: StartAsk,
  at: Date,
): Promise<Import> {
  const { state } = imports
  const row = await findImportRow(state, viewer.scope, regionId, importId)
  if (!isWaiting(row))
    throw new Problem(
      'conflict',
      'This import has started already. Take it back and send the file again to map it differently.',
    )
  if (row.kind !== 'trips') {
    await answerAsks(state, viewer.scope, row, givenWith(ask))
    await wakeImports(imports)
    return readImport(await findImportRow(state, viewer.scope, regionId, importId), at)
  }
  const wanted = ask.mapping ?? (row.mapping ? TripMapping.parse(row.mapping) : null)
  if (!wanted) throw new Problem('validation_error', 'Say which column means what.')
  const mapping = { ...wanted, date_order: ask.date_order ?? wanted.date_order }
  const survey = await checkStart(imports, viewer, row, mapping, ask)
  const store = state.as(viewer.scope)
  const remembered = JSON.stringify({ ...mapping, date_order: null })
  await store
    .insertInto('import_mapping')
    .values({
      organization_id: viewer.organizationId,
      header_hash: row.header_hash,
      mapping: remembered,
      changed_time: at,
    })
    .onConflict((clash) =>
      clash
        .columns(['organization_id', 'header_hash'])
        .doUpdateSet({ mapping: remembered, changed_time: at }),
    )
    .execute()
  const given: FileGiven = {
    ...(row.given as FileGiven),
    ...(ask.accept_outside ? { acceptOutside: true } : {}),
  }
  await store
    .updateTable('import')
    .set({
      mapping: JSON.stringify(mapping),
      given: JSON.stringify(given),
      survey: JSON.stringify(survey),
      asks: '[]',
      notes: '[]',
      status: 'queued',
      problem: null,
    })
    .where('import_id', '=', importId)
    .execute()
  await wakeImports(imports)
  return readImport(await findImportRow(state, viewer.scope, regionId, importId), at)
}

/**
 * Refuses a mapping that does not fit the file, and places outside the region that nobody confirmed. A request reads the first
 * rows only; where the places of the whole file are not known for these columns, the import counts them before it stores rows.
 */
async function checkStart(
  { state }: Imports,
  viewer: Viewer,
  row: ImportRow,
  mapping: TripMapping,
  ask: StartAsk,
): Promise<StoredSurvey> {
  const firstRows = await checkMapping(state, viewer.scope, row, await readHeader(row.file_path), mapping)
  const region = await findRegion(state, viewer.scope, row.region_id)
  const given = row.given as FileGiven
  const known = (row.survey as StoredSurvey | null) ?? {
    rows: 0,
    dates: {},
    places: null,
    placeColumns: null,
  }
  const place = placeColumns(mapping)
  const isSame = known.placeColumns?.lon === place?.lon && known.placeColumns?.lat === place?.lat
  const counted = isSame ? (known.places ?? null) : null
  const [places, what] =
    place === null && given.stations
      ? [given.stations.places, 'stations']
      : counted
        ? [counted, 'rows']
        : [firstRows, 'first rows']
  const outside = ask.accept_outside || given.acceptOutside ? null : outsideRegion(places, region, what)
  if (outside)
    throw new Problem(
      'conflict',
      `${outside} Check the columns, or confirm to import the rows all the same.`,
      undefined,
      { places },
    )
  return { ...known, places: counted, placeColumns: place }
}

/** Bytes that a stations file may have. */
const maxStationsBytes = 20 * 1024 * 1024

/** Takes the stations of a trip file that waits: its rows get their places from them. */
export async function takeStations(
  { state, dataDir }: Imports,
  viewer: Viewer,
  regionId: string,
  importId: string,
  fileName: string,
  body: NodeReadable,
) {
  const row = await findImportRow(state, viewer.scope, regionId, importId)
  if (!isWaiting(row) || row.kind !== 'trips')
    throw new Problem('conflict', 'This import does not wait for stations.')
  const region = await findRegion(state, viewer.scope, regionId)
  const { stations, skipped, filePath } = await receiveTripFile(dataDir, body, readStations, maxStationsBytes)
  await fs.rm(filePath, { force: true })
  await saveStations(row.file_path, stations)
  const given: FileGiven = {
    ...(row.given as FileGiven),
    stations: givenStations([fileName], stations, region),
  }
  await state
    .as(viewer.scope)
    .updateTable('import')
    .set({ given: JSON.stringify(given) })
    .where('import_id', '=', importId)
    .execute()
  return { stations: stations.length, skipped }
}
