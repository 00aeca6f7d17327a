import {
  getExportColumns,
  exportDefinitionsVersion,
  exportTableNames,
  exportTables,
} from '#contract/export-tables.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import * as contract from '#contract/exports.ts'
import type { Compliance } from '#server/compliance/days/find-records.ts'
import { Busy, Problem } from '#server/http/problem.ts'
import { type Call, RawResponse, type Route, route } from '#server/http/route.ts'
import { canSeeSingleTrips, type Viewer } from '#server/http/viewer.ts'
import type { Job } from '#server/jobs/job.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import type { Log } from '#server/jobs/log.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { Notifications } from '#server/notifications/open-notifications.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import { checkFields, checkNames, toSelection, getToday } from './check-question.ts'
import { ExportFiles, ExportLinks, getFileName, getMediaType } from './export-files.ts'
import { createExportNotifications } from './export-mail.ts'
import {
  cancelExportRow,
  countOpenExports,
  expireExports,
  exportJob,
  type ExportOwner,
  findExportRow,
  freeExportLeases,
  insertExport,
  listExportRows,
  listOperatorZipRows,
  listMonthlyZipRows,
  toExport,
  toMonthlyZip,
  toOperatorZip,
  removeOldExports,
} from './export-store.ts'
import { checkZipMonth, queueDueZips, queueZip } from './queue-monthly-zips.ts'
import { resumeExports, writeExportsJob } from './write-exports-job.ts'
import { countRows, listFormats } from './write-table.ts'

interface ExportOptions {
  compliance: Compliance
  jobs: Pick<Jobs, 'send'>
  notifications: Pick<Notifications, 'add'>
  secretBox: SecretBox
  dataDir: string
  blobs: BlobStore
  /** Whether this is the only server of its stores. */
  isAlone: boolean
  log: Log
  now: () => Date
}

export interface OpenExports {
  routes: Route[]
  /** The job that writes files. */
  write: Job
  /** Restarts exports of processes that have ended. */
  resume(): Promise<void>
  /** Removes expired files and those that no export needs. */
  removeOld(): Promise<void>
  /** Queues monthly zips that are due. */
  queueZips(): Promise<void>
}

/** Validity of redirects to the blob store; short, as browsers follow them immediately. */
const directLinkSeconds = 60
/** Maximum number of a user's exports that are waiting or running. */
const maxOpenExports = 10
const splitList = (text: string): string[] => text.split(',').flatMap((item) => item.trim() || [])

/** Opens routes and jobs of exports and zips. Removes what a previous process left behind. */
export async function openExports(options: ExportOptions): Promise<OpenExports> {
  const { compliance, notifications, secretBox, dataDir, blobs, isAlone, log, now, jobs } = options
  const { state } = compliance
  const files = new ExportFiles(dataDir, blobs)
  const links = new ExportLinks(secretBox)
  notifications.add(createExportNotifications(state, links))
  const removeFiles = async (): Promise<void> => {
    const removed = await files.removeStray(() => expireExports(state, now()))
    if (removed) log('exports', { removed })
    await removeOldExports(state, now())
  }
  if (isAlone) await freeExportLeases(state)
  await removeFiles()
  return {
    routes: exportRoutes({ compliance, jobs, files, links }),
    write: writeExportsJob({ compliance, files, log, now }),
    resume: () => resumeExports({ compliance, now }, jobs),
    removeOld: removeFiles,
    queueZips: () => queueDueZips(state, jobs, now()),
  }
}

/** Whether a viewer may see monthly zips, which contain single trips of all operators. */
const canSeeZips = (viewer: Viewer): boolean => viewer.scope.operators === null && canSeeSingleTrips(viewer)

const toOwner = ({ userId, apiKey }: Viewer, regionId: string): ExportOwner => ({
  regionId,
  userId,
  onlyOperator: apiKey?.operator ?? null,
})

/**
 * Limits a question to the operator of the API key, if the key has one, because the file is written with the
 * rights of the key's owner.
 * @throws Problem if the question asks for more.
 */
function limitToKeyOperator<Question extends Pick<contract.ExportQuestion, 'operators'>>(
  { apiKey }: Viewer,
  table: contract.Export['table'],
  question: Question,
): Question {
  const operator = apiKey?.operator ?? null
  if (operator === null) return question
  if (!exportTables[table].filters.some((filter) => filter === 'operators'))
    throw new Problem(
      'forbidden',
      'The API key is for one operator, and this table is not divided by operator.',
    )
  if (question.operators.some((requested) => requested !== operator))
    throw new Problem('forbidden', `The API key is for the operator ${operator} only.`)
  return { ...question, operators: [operator] }
}

/** What the routes of exports work with. */
interface Exports {
  compliance: Compliance
  jobs: Pick<Jobs, 'send'>
  files: ExportFiles
  links: ExportLinks
}

/** Returns the tables that can be exported, with the rows that the viewer may see. */
async function getRawData(
  { compliance }: Exports,
  { viewer, params, at, signal }: Call<typeof contract.getRawData>,
): Promise<EndpointOutput<typeof contract.getRawData>> {
  const { scope } = viewer
  const region = await findRegion(compliance.state, scope, params.region_id)
  const isExact = canSeeSingleTrips(viewer)
  const context = { ...compliance, scope, at, signal }
  const allRows = toSelection(region, contract.ExportQuestion.parse({}))
  const tables = await Promise.all(
    exportTableNames.map(async (table) => {
      const { description, filters, time, columns } = exportTables[table]
      const { days, first_day, last_day } = await countRows(context, table, allRows)
      return {
        table,
        description,
        formats: listFormats(table),
        filters: [...filters],
        has_period: time !== null,
        columns: getExportColumns(table, isExact).flatMap((name) => {
          const column = columns[name]
          return column
            ? [{ name, type: column.type, unit: column.unit, description: column.description }]
            : []
        }),
        days,
        first_day,
        last_day,
      }
    }),
  )
  return { is_exact: isExact, definitions_version: exportDefinitionsVersion, tables }
}

/** Counts the rows that an export would have. */
async function countRawData(
  { compliance }: Exports,
  { viewer: { scope }, params, query, at, signal }: Call<typeof contract.countRawData>,
): Promise<EndpointOutput<typeof contract.countRawData>> {
  const region = await findRegion(compliance.state, scope, params.region_id)
  const question = contract.ExportQuestion.parse({
    ...query,
    operators: splitList(query.operators),
    vehicle_types: splitList(query.vehicle_types),
  })
  checkFields(params.table, question, { isExact: true, today: getToday(region, at) })
  await checkNames(compliance, scope, region.regionId, question)
  return countRows({ ...compliance, scope, at, signal }, params.table, toSelection(region, question))
}

/** Queues an export. @throws Problem if it is not valid, or if the user has too many unfinished ones. */
async function startExport(
  { compliance, jobs, links }: Exports,
  { viewer, params, body: { format, ...request }, at }: Call<typeof contract.startExport>,
): Promise<contract.Export> {
  const { scope, userId } = viewer
  const { state } = compliance
  const question = limitToKeyOperator(viewer, params.table, request)
  const region = await findRegion(state, scope, params.region_id)
  const isExact = canSeeSingleTrips(viewer)
  checkFields(params.table, question, { isExact, today: getToday(region, at), format })
  await checkNames(compliance, scope, region.regionId, question)
  if ((await countOpenExports(state.as(scope), userId)) >= maxOpenExports)
    throw new Busy('too_many_requests', 'You have ten exports that wait or run. Wait until one is ready.', 60)
  const row = await insertExport(state.as(scope), {
    region_id: region.regionId,
    user_id: userId,
    table_name: params.table,
    format,
    question: JSON.stringify(question),
    is_exact: isExact,
    created_time: at,
  })
  await jobs.send(exportJob, {})
  return toExport(row, links, at)
}

/** Returns a page of the viewer's exports. */
async function listExports(
  { compliance: { state }, links }: Exports,
  { viewer, params, query, at }: Call<typeof contract.listExports>,
): Promise<EndpointOutput<typeof contract.listExports>> {
  const { scope } = viewer
  await findRegion(state, scope, params.region_id)
  const owner = toOwner(viewer, params.region_id)
  const { rows, total } = await listExportRows(state.as(scope), { ...query, ...owner })
  return { items: rows.map((row) => toExport(row, links, at)), total, ...query }
}

/** Queues the zip of a month again, as a new version. */
async function buildMonthlyZip(
  { compliance: { state }, jobs, links }: Exports,
  { viewer: { scope }, params, body: { month }, at }: Call<typeof contract.buildMonthlyZip>,
): Promise<contract.MonthlyZip> {
  const region = await findRegion(state, scope, params.region_id)
  const { regionId } = region
  if (!region.hasMonthlyZip) throw new Problem('conflict', 'Monthly zips are off in this region.')
  await checkZipMonth(state.as(scope), { regionId, month, today: getToday(region, at) })
  const row = await queueZip(state.as(scope), { regionId, month, at })
  await jobs.send(exportJob, {})
  return toMonthlyZip(row, links, at)
}

/** Queues a zip with everything about an operator. */
async function buildOperatorZip(
  { compliance, jobs, links }: Exports,
  { viewer, params, body: { operator }, at }: Call<typeof contract.buildOperatorZip>,
): Promise<contract.OperatorZip> {
  const { scope, userId } = viewer
  const { state } = compliance
  const { regionId } = await findRegion(state, scope, params.region_id)
  if (!canSeeZips(viewer)) throw new Problem('forbidden', 'This has single trips of an operator.')
  const question = contract.ExportQuestion.parse({ operators: [operator] })
  await checkNames(compliance, scope, regionId, question)
  const row = await insertExport(state.as(scope), {
    region_id: regionId,
    user_id: userId,
    question: JSON.stringify(question),
    is_exact: true,
    operator,
    created_time: at,
  })
  await jobs.send(exportJob, {})
  return toOperatorZip(row, links, at)
}

function exportRoutes(exports: Exports): Route[] {
  const { links } = exports
  const { state } = exports.compliance
  return [
    route(contract.getRawData, (call) => getRawData(exports, call)),
    route(contract.countRawData, (call) => countRawData(exports, call)),
    route(contract.startExport, (call) => startExport(exports, call)),
    route(contract.listExports, (call) => listExports(exports, call)),
    route(contract.getExport, async ({ viewer, params, at }) => {
      const ref = { ...toOwner(viewer, params.region_id), exportId: params.export_id }
      return toExport(await findExportRow(state.as(viewer.scope), ref), links, at)
    }),
    route(contract.cancelExport, async ({ viewer, params, at }) => {
      const store = state.as(viewer.scope)
      const ref = { ...toOwner(viewer, params.region_id), exportId: params.export_id }
      const { export_id: exportId } = await findExportRow(store, ref)
      return toExport(await cancelExportRow(store, exportId, at), links, at)
    }),
    route(contract.downloadExport, (call) => downloadExport(exports, call)),
    route(contract.listMonthlyZips, async ({ viewer, params, at }) => {
      const { regionId } = await findRegion(state, viewer.scope, params.region_id)
      const rows = canSeeZips(viewer) ? await listMonthlyZipRows(state.as(viewer.scope), regionId) : []
      return { items: rows.map((row) => toMonthlyZip(row, links, at)) }
    }),
    route(contract.buildMonthlyZip, (call) => buildMonthlyZip(exports, call)),
    route(contract.listOperatorZips, async ({ viewer, params, at }) => {
      const { regionId } = await findRegion(state, viewer.scope, params.region_id)
      const rows = canSeeZips(viewer) ? await listOperatorZipRows(state.as(viewer.scope), regionId) : []
      return { items: rows.map((row) => toOperatorZip(row, links, at)) }
    }),
    route(contract.buildOperatorZip, (call) => buildOperatorZip(exports, call)),
  ]
}

/** Returns the file of a signed link, or a redirect to the blob store. */
async function downloadExport(
  { compliance: { state }, files, links }: Exports,
  { params, query, at }: Call<typeof contract.downloadExport>,
): Promise<RawResponse> {
  const exportId = params.export_id
  const verdict = links.check(exportId, query.expires, query.signature, at)
  if (verdict === 'altered')
    throw new Problem(
      'forbidden',
      'This link is not valid. Copy the whole link, or download the file on the Export page.',
    )
  const goneProblem = new Problem(
    'gone',
    'This link has expired, or the file was removed. Start the export again.',
  )
  if (verdict === 'expired') throw goneProblem
  const row = await state
    .as(systemScope)
    .selectFrom('export')
    .selectAll()
    .where('export_id', '=', exportId)
    .where('status', '=', 'ready')
    .executeTakeFirst()
  if (!row) throw goneProblem
  const contentType = getMediaType(row)
  const contentDisposition = `attachment; filename="${getFileName(row)}"`
  const file = await files.open(exportId, { seconds: directLinkSeconds, contentType, contentDisposition })
  if (!file) throw goneProblem
  if ('url' in file) return new RawResponse(null, { location: file.url, 'cache-control': 'no-store' }, 302)
  return new RawResponse(file.body, {
    'content-type': contentType,
    'content-length': String(file.bytes),
    'content-disposition': contentDisposition,
  })
}
