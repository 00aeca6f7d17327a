import type * as contract from '#contract/imports.ts'
import { type Import, TripMapping } from '#contract/imports.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { readHeader } from './file-header.ts'
import type { FileAnswers } from './files/file-kind.ts'
import { applyAnswers, toFileAnswers } from './files/file-answers.ts'
import { wakeImports } from './import-queue.ts'
import { askOutsideRegion, getPlaceColumns } from './import-questions.ts'
import { checkMapping } from './preview-import.ts'
import { findImportRow, type ImportRow, readImport } from './read-import.ts'
import { receiveTripFile } from './receive-trip-file.ts'
import { readStations } from './stations/read-stations.ts'
import { summarizeStations, writeStations } from './stations/station-places.ts'
import { findLocalTripFile, removeTripFile, getStationsKey } from './trip-uploads.ts'
import type { StoredSurvey } from './survey-file.ts'
import type { ImportServices } from './manage-imports.ts'

/** A user's answers about a waiting file. */
type StartAnswers = Call<typeof contract.startImport>['body']

/** Returns whether an import waits for answers, or failed before it stored anything. */
const isWaiting = (row: ImportRow): boolean =>
  row.status === 'needs_mapping' || (row.status === 'failed' && row.chunks === 0)

/** Starts a waiting import with answers. A mapping is remembered for files with the same header. */
export async function startImport(
  imports: ImportServices,
  {
    viewer,
    params: { region_id: regionId, import_uuid: importId },
    body: answers,
    at,
  }: Pick<Call<typeof contract.startImport>, 'viewer' | 'params' | 'body' | 'at'>,
): Promise<Import> {
  const store = imports.state.as(viewer.scope)
  const row = await findImportRow(store, regionId, importId)
  if (!isWaiting(row))
    throw new Problem(
      'conflict',
      'This import has started already. Delete it and send the file again to map it differently.',
    )
  if (row.kind === 'trips') await queueTrips(imports, { viewer, row, answers, at })
  else await applyAnswers(store, row, toFileAnswers(answers))
  await wakeImports(imports)
  return readImport(await findImportRow(store, regionId, importId), at)
}

/**
 * Queues a trip file with its mapping, which is remembered.
 * @throws Problem unless the mapping fits the file.
 */
async function queueTrips(
  imports: ImportServices,
  { viewer, row, answers, at }: { viewer: Viewer; row: ImportRow; answers: StartAnswers; at: Date },
): Promise<void> {
  const chosenMapping = answers.mapping ?? (row.mapping ? TripMapping.parse(row.mapping) : null)
  if (!chosenMapping) throw new Problem('validation_error', 'Choose what each column means.')
  const mapping = { ...chosenMapping, date_order: answers.date_order ?? chosenMapping.date_order }
  const survey = await checkStart(imports, viewer, { row, mapping, answers })
  const store = imports.state.as(viewer.scope)
  const rememberedMapping = JSON.stringify({ ...mapping, date_order: null })
  await store
    .insertInto('import_mapping')
    .values({
      organization_id: viewer.organizationId,
      header_hash: row.header_hash,
      mapping: rememberedMapping,
      changed_time: at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'header_hash'])
        .doUpdateSet({ mapping: rememberedMapping, changed_time: at }),
    )
    .execute()
  const storedAnswers: FileAnswers = {
    ...(row.given as FileAnswers),
    ...(answers.accept_outside ? { acceptOutside: true } : {}),
  }
  await store
    .updateTable('import')
    .set({
      mapping: JSON.stringify(mapping),
      given: JSON.stringify(storedAnswers),
      survey: JSON.stringify(survey),
      asks: '[]',
      notes: '[]',
      status: 'queued',
      problem: null,
    })
    .where('import_id', '=', row.import_id)
    .execute()
}

/**
 * Checks that a mapping fits the file and returns the survey to store. Only the first rows are read here; if
 * the locations of all rows were not counted for these columns, the import counts them before it stores rows.
 * @throws Problem if the mapping does not fit, or if locations outside of the region are not confirmed.
 */
async function checkStart(
  { state, blobs }: ImportServices,
  viewer: Viewer,
  { row, mapping, answers }: { row: ImportRow; mapping: TripMapping; answers: StartAnswers },
): Promise<StoredSurvey> {
  const header = await readHeader(await findLocalTripFile(blobs, row))
  const firstRows = await checkMapping({ state, blobs }, viewer.scope, { row, header, mapping })
  const region = await findRegion(state, viewer.scope, row.region_id)
  const storedAnswers = row.given as FileAnswers
  const survey = (row.survey as StoredSurvey | null) ?? {
    rows: 0,
    dates: {},
    places: null,
    placeColumns: null,
  }
  const placeColumns = getPlaceColumns(mapping)
  const hasSameColumns =
    survey.placeColumns?.lon === placeColumns?.lon && survey.placeColumns?.lat === placeColumns?.lat
  const countedPlaces = hasSameColumns ? (survey.places ?? null) : null
  let places = countedPlaces ?? firstRows
  let noun = countedPlaces ? 'rows' : 'first rows'
  if (placeColumns === null && storedAnswers.stations) {
    places = storedAnswers.stations.places
    noun = 'stations'
  }
  const outsideQuestion =
    answers.accept_outside || storedAnswers.acceptOutside ? null : askOutsideRegion(places, region, noun)
  if (outsideQuestion)
    throw new Problem(
      'conflict',
      `${outsideQuestion} Check the columns, or confirm to import the rows all the same.`,
      undefined,
      { places },
    )
  return { ...survey, places: countedPlaces, placeColumns }
}

/** The maximum size of a stations file. */
const maxStationsBytes = 20 * 1024 * 1024

/** Adds a stations file to a waiting trip file without coordinates. */
export async function sendStations(
  { state, dataDir, blobs }: ImportServices,
  {
    viewer,
    params: { region_id: regionId, import_uuid: importId },
    query,
    body,
  }: Pick<Call<typeof contract.sendStations>, 'viewer' | 'params' | 'query' | 'body'>,
) {
  const row = await findImportRow(state.as(viewer.scope), regionId, importId)
  if (!isWaiting(row) || row.kind !== 'trips')
    throw new Problem('conflict', 'This import does not wait for stations.')
  const region = await findRegion(state, viewer.scope, regionId)
  const { stations, skipped, filePath } = await receiveTripFile(
    { dataDir, blobs },
    body,
    readStations,
    maxStationsBytes,
  )
  await removeTripFile(blobs, filePath)
  await blobs.put(getStationsKey(row.file_path), writeStations(stations))
  const storedAnswers: FileAnswers = {
    ...(row.given as FileAnswers),
    stations: summarizeStations([query.file_name], stations, region),
  }
  await state
    .as(viewer.scope)
    .updateTable('import')
    .set({ given: JSON.stringify(storedAnswers) })
    .where('import_id', '=', importId)
    .execute()
  return { stations: stations.length, skipped }
}
