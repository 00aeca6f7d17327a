import type { TripMapping } from '#contract/imports.ts'
import { getErrorMessage } from '#contract/problem-text.ts'
import type { Region } from '#contract/regions.ts'
import { collectImportedHours } from '#server/fleet/cubes/mark-derived-hours.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import { acknowledgeChunk } from './acknowledge-chunk.ts'
import type { FileAnswers } from './files/file-kind.ts'
import { type Claim, findFollowingTripFile, findNextImport, type RunEnd } from './import-queue.ts'
import { askOutsideRegion, getPlaceColumns } from './import-questions.ts'
import type { ImportRow } from './read-import.ts'
import type { StoredSurvey } from './survey-file.ts'
import { findLocalTripFile } from './trip-uploads.ts'
import { createReadTask } from './trips/read-ahead.ts'
import { surveyOnThread } from './trips/read-trip-chunks.ts'
import { removeChunks, storeTripChunk } from './trips/store-trip-chunk.ts'
import type { ImportJobServices, RunWatch } from './watch-run.ts'

/** An import yields to another waiting region after this time, or twice the time that its start took. */
const sliceMs = 20_000

/**
 * Counts the locations of all rows before any row is stored, if the user chose the columns after the upload.
 * A request would take too long to read the complete file. Returns a question if most rows are outside of the
 * region; null otherwise.
 */
async function surveyPlaces(
  { state, blobs, owner }: ImportJobServices,
  scope: Scope,
  {
    row,
    region,
    watch: { signal, onSurveyed },
  }: { row: ImportRow; region: Region; watch: Pick<RunWatch, 'signal' | 'onSurveyed'> },
): Promise<string | null> {
  const survey = row.survey as StoredSurvey | null
  const placeColumns = getPlaceColumns(row.mapping as TripMapping)
  if (!survey || survey.places || !placeColumns || row.chunks > 0 || (row.given as FileAnswers).acceptOutside)
    return null
  const { places } = await surveyOnThread(
    { filePath: await findLocalTripFile(blobs, row), isTable: true, placeColumns, center: region },
    signal,
    onSurveyed,
  )
  row.survey = { ...survey, places, placeColumns }
  await state
    .as(scope)
    .updateTable('import')
    .set({ survey: JSON.stringify(row.survey) })
    .where('import_id', '=', row.import_id)
    .where('lease_owner', '=', owner)
    .execute()
  return askOutsideRegion(places, region)
}

/** Stores the trips of a file chunk by chunk. Ends as `queued` if another region is waiting. */
export async function storeTrips(
  services: ImportJobServices,
  scope: Scope,
  { row, isRepeat }: Claim,
  { signal, onBytes, onSurveyed }: RunWatch,
): Promise<RunEnd> {
  const { state, facts, now, log, ahead } = services
  const { region_id: regionId, import_id: importId } = row
  const region = await findRegion(state, scope, regionId)
  const question = await surveyPlaces(services, scope, { row, region, watch: { signal, onSurveyed } })
  if (question)
    return { status: 'needs_mapping', problem: null, question: { ask: 'outside_region', note: question } }
  if (isRepeat) await removeChunks(facts, scope, importId, row.chunks)
  const startReadingNext = (): void =>
    void ahead
      .start(region, () => findFollowingTripFile(state.as(scope), row))
      .catch((error: unknown) =>
        log('import could not be read ahead', { importId, error: getErrorMessage(error) }),
      )
  const startMs = now().getTime()
  let firstChunkMs: number | null = null
  const reader = ahead.claim(await createReadTask(services.blobs, row, region))
  for await (const chunk of reader.chunks(signal, onBytes, startReadingNext)) {
    signal.throwIfAborted()
    firstChunkMs ??= now().getTime()
    await acknowledgeChunk(services, scope, {
      row,
      chunk,
      outcome: await storeTripChunk(facts, scope, { regionId, importId, chunk }),
    })
    const isSliceOver = now().getTime() - firstChunkMs > Math.max(sliceMs, 2 * (firstChunkMs - startMs))
    if (isSliceOver && (await findNextImport(state, now()))) return { status: 'queued', problem: null }
  }
  return { status: 'done', problem: null }
}

/** Marks the hours of an import's trips as dirty. */
export async function markHours(
  { state, facts, now }: ImportJobServices,
  scope: Scope,
  row: ImportRow,
): Promise<void> {
  if (row.kind !== 'trips') return
  const { timezone } = await findRegion(state, scope, row.region_id)
  const markCollectedHours = await collectImportedHours(
    { state, facts, nowMs: () => now().getTime() },
    scope,
    { regionId: row.region_id, timezone },
    row.import_id,
  )
  await markCollectedHours()
}
