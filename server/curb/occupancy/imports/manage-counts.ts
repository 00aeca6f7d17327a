import { randomUUID } from 'node:crypto'
import type { CountImport, CountOptions } from '#contract/curb-counts.ts'
import type { NodeReadable } from '#contract/endpoint.ts'
import { markDirty } from '#server/derived/dirty-spans.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { type CurbFileStore, openCurbFile, removeCurbFiles, storeCurbFile } from '../../imports/curb-files.ts'
import { CurbFileError } from '../../imports/curb-format.ts'
import { curbOccupancy } from '../../product-names.ts'
import {
  type CountImportRow,
  filesOf,
  findCountImport,
  noReport,
  optionsOf,
  readCountImport,
  reportOf,
} from './import-store.ts'
import { removeStaged, stageCountsJob } from './stage-job.ts'
import { surveyCounts } from './stage-counts.ts'

export interface CountImporting extends CurbFileStore {
  state: State
  facts: Facts
  jobs: Pick<Jobs, 'send'>
}

/** Takes a file of counts and stages it, unless it waits for a date. */
export async function receiveCounts(
  { state, jobs, blobs, dataDir }: CountImporting,
  { scope, email }: Viewer,
  regionId: string,
  { file_name: fileName, ...options }: CountOptions & { file_name: string },
  body: NodeReadable,
  at: Date,
): Promise<CountImport> {
  await findRegion(state, scope, regionId)
  const { hash, ...file } = await storeCurbFile({ blobs, dataDir }, body, fileName)
  try {
    const { columns, needsDate } = await surveyCounts(await openCurbFile(blobs, file))
    const waits = needsDate && options.date === undefined
    // A survey has parts of plates: its file is not retained while it waits.
    if (waits && columns.layout === 'survey')
      throw new Problem(
        'validation_error',
        'The survey has no date. Send it again with the day on which it was made.',
      )
    const importId = randomUUID()
    await state
      .as(scope)
      .insertInto('curb_count_import')
      .values({
        import_id: importId,
        region_id: regionId,
        file_name: fileName,
        file_hash: hash,
        status: waits ? 'waiting' : 'staging',
        layout: columns.layout,
        options: JSON.stringify(options),
        report: JSON.stringify({ ...noReport(), needs: waits ? ['date'] : [] }),
        files: JSON.stringify([file]),
        created_by: email,
        created_time: at,
      })
      .execute()
    if (!waits) await jobs.send(stageCountsJob, {})
    return await readCountImport(state.as(scope), regionId, importId)
  } catch (error) {
    await removeCurbFiles(blobs, [file])
    throw error instanceof CurbFileError ? new Problem('validation_error', error.message) : error
  }
}

/** Stages an import that waits or failed, or again with other options. */
export async function startCounts(
  { state, jobs }: CountImporting,
  { scope }: Viewer,
  regionId: string,
  importId: string,
  options: CountOptions,
): Promise<CountImport> {
  const row = await findCountImport(state.as(scope), regionId, importId)
  if (!['waiting', 'staged', 'failed'].includes(row.status))
    throw new Problem('conflict', `This import is ${row.status}; it cannot be staged again.`)
  if (!filesOf(row).length)
    throw new Problem('conflict', 'The received file is no longer on the server. Send it again.')
  const chosen = { ...optionsOf(row), ...options }
  if (reportOf(row).needs.includes('date') && chosen.date === undefined)
    throw new Problem('validation_error', 'Choose the week that the averages of this file represent.')
  await state
    .as(scope)
    .updateTable('curb_count_import')
    .set({
      status: 'staging',
      problem: null,
      options: JSON.stringify(chosen),
      report: JSON.stringify(noReport()),
      lease_until: null,
    })
    .where('import_id', '=', importId)
    .where('status', '=', row.status)
    .execute()
  await jobs.send(stageCountsJob, {})
  return readCountImport(state.as(scope), regionId, importId)
}

const markDays = (
  state: State,
  scope: Scope,
  row: Pick<CountImportRow, 'region_id' | 'report'>,
): Promise<void> =>
  markDirty(state, scope, { product: curbOccupancy, regionId: row.region_id }, reportOf(row).days)

/** Publishes or undoes an import as one: its days are derived again. */
export async function switchCounts(
  { state, blobs }: Pick<CountImporting, 'state' | 'blobs'>,
  { scope, email }: Viewer,
  regionId: string,
  importId: string,
  to: 'published' | 'undone',
  at: Date,
): Promise<CountImport> {
  const row = await findCountImport(state.as(scope), regionId, importId)
  const from = to === 'published' ? 'staged' : 'published'
  const { numUpdatedRows } = await state
    .as(scope)
    .updateTable('curb_count_import')
    .set(
      to === 'published'
        ? { status: to, published_by: email, published_time: at, files: '[]' }
        : { status: to, undone_by: email, undone_time: at },
    )
    .where('import_id', '=', importId)
    .where('status', '=', from)
    .executeTakeFirst()
  if (numUpdatedRows === 0n)
    throw new Problem(
      'conflict',
      `This import is ${row.status}; only one that is ${from} can be ${to === 'published' ? 'published' : 'undone'}.`,
    )
  await markDays(state, scope, row)
  if (to === 'published') await removeCurbFiles(blobs, filesOf(row))
  return readCountImport(state.as(scope), regionId, importId)
}

/** Removes an import that is not published. */
export async function deleteCounts(
  options: Pick<CountImporting, 'state' | 'facts' | 'blobs'>,
  { scope }: Viewer,
  regionId: string,
  importId: string,
): Promise<{ deleted: true }> {
  const row = await findCountImport(options.state.as(scope), regionId, importId)
  if (row.status === 'published') throw new Problem('conflict', 'This import is published. Undo it first.')
  await options.state
    .as(scope)
    .deleteFrom('curb_count_import')
    .where('import_id', '=', importId)
    .where('status', '!=', 'published')
    .execute()
  await removeStaged(options, scope, importId)
  await removeCurbFiles(options.blobs, filesOf(row))
  return { deleted: true }
}

/** Stores which zones places are, for this import and later ones. */
export async function choosePlaces(
  { state }: Pick<CountImporting, 'state'>,
  { scope, email }: Viewer,
  regionId: string,
  importId: string,
  places: readonly { place: string; zone_ids: readonly string[] }[],
  at: Date,
): Promise<CountImport> {
  const row = await findCountImport(state.as(scope), regionId, importId)
  const wanted = [...new Set(places.flatMap((each) => each.zone_ids))]
  const found = wanted.length
    ? await state
        .as(scope)
        .selectFrom('curb_zone')
        .select('curb_zone_id')
        .where('region_id', '=', regionId)
        .where('curb_zone_id', 'in', wanted)
        .execute()
    : []
  const known = new Set(found.map((zone) => zone.curb_zone_id))
  const missing = wanted.find((id) => !known.has(id))
  if (missing !== undefined) throw new Problem('validation_error', `There is no curb zone ${missing}.`)
  await state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      for (const { place, zone_ids: zoneIds } of places) {
        const choice = { zone_ids: JSON.stringify(zoneIds), chosen_by: email, chosen_time: at }
        await store
          .insertInto('curb_place_choice')
          .values({ region_id: regionId, place, ...choice })
          .onConflict((conflict) => conflict.columns(['region_id', 'place']).doUpdateSet(choice))
          .execute()
        await store
          .updateTable('curb_count_place')
          .set({
            zone_ids: choice.zone_ids,
            match: zoneIds.length ? 'hand' : 'none',
            distance_m: null,
          })
          .where('import_id', '=', importId)
          .where('place', '=', place)
          .execute()
      }
    })
  if (row.status === 'published') await markDays(state, scope, row)
  return readCountImport(state.as(scope), regionId, importId)
}
