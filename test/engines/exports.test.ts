// How exports end (canceled, stopped, failed, given up), and which files remain.
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ExportQuestion } from '#contract/exports.ts'
import { localDay } from '#contract/period.ts'
import { systemScope } from '#server/identity/scope.ts'
import { cancelExportRow, findNextExport } from '#server/reporting/exports/export-store.ts'
import { ExportFiles } from '#server/reporting/exports/export-files.ts'
import { type ExportingContext, runExport } from '#server/reporting/exports/write-exports-job.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { openDirectoryBlobs } from '#server/stores/blobs/directory-blobs.ts'
import { makeReportCity } from './report-city.ts'
import { useStores } from './use-stores.ts'

let facts: Facts
let state: State
// oxlint-disable-next-line rules-of-hooks
useStores((...opened) => void ([facts, state] = opened))

let city: Awaited<ReturnType<typeof makeReportCity>>
let tripCount = 0
const folder = fs.mkdtempSync(path.join(tmpdir(), 'publicway-exports-'))
const blobs = openDirectoryBlobs(folder)
const files = new ExportFiles(folder, blobs)
/** Lists complete files, then those in progress. */
const listFiles = async (): Promise<string[]> => {
  const keys: string[] = []
  for await (const { key } of blobs.list('exports/')) keys.push(key.slice('exports/'.length))
  return [...keys, ...(fs.existsSync(files.folder) ? fs.readdirSync(files.folder) : [])]
}
const logged: string[] = []
const userId = 'planner'
const timezone = 'America/New_York'

beforeAll(async () => {
  city = await makeReportCity(state, facts, timezone)
  tripCount = city.trips.filter(({ start }) => city.days.includes(localDay(new Date(start), timezone))).length
  const { organization_id: organizationId } = await state
    .as(systemScope)
    .selectFrom('region')
    .select('organization_id')
    .executeTakeFirstOrThrow()
  await state
    .as(systemScope)
    .insertInto('user')
    .values({
      id: userId,
      name: 'P',
      email: 'p@x',
      emailVerified: true,
      organizationId,
      permissionKeys: 'edit_policy',
    })
    .execute()
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const createContext = (
  write?: Facts['write'],
  getFreeBytes?: ExportingContext['getFreeBytes'],
): ExportingContext => ({
  compliance: { state, facts: write ? { ...facts, write } : facts } as ExportingContext['compliance'],
  files,
  log: (line, details) => void logged.push(`${line} ${JSON.stringify(details)}`),
  now: () => new Date(),
  ...(getFreeBytes ? { getFreeBytes } : {}),
})

/** Queues an export of all trips and returns its ID. */
async function queueExport(overrides: object = {}): Promise<string> {
  const question: ExportQuestion = {
    start_date: city.days[0] ?? '',
    end_date: city.days.at(-1) ?? '',
    operators: [],
    vehicle_types: [],
    shape_layer_uuid: null,
    columns: [],
  }
  const exportId = randomUUID()
  await state
    .as(systemScope)
    .insertInto('export')
    .values({
      export_id: exportId,
      region_id: city.regionId,
      user_id: userId,
      table_name: 'trips',
      format: 'csv',
      question: JSON.stringify(question),
      is_exact: true,
      status: 'queued',
      created_time: new Date(),
      ...overrides,
    })
    .execute()
  return exportId
}
const findExport = (exportId: string) =>
  state
    .as(systemScope)
    .selectFrom('export')
    .selectAll()
    .where('export_id', '=', exportId)
    .executeTakeFirstOrThrow()

/** Runs the export, which must be the next one in the queue, and returns its row. */
async function run(
  exportId: string,
  context: ExportingContext = createContext(),
  stop = new AbortController().signal,
) {
  const task = await findNextExport(state, new Date())
  expect(task?.exportId).toBe(exportId)
  if (task) await runExport(context, task, stop)
  return findExport(exportId)
}

const writtenRows = 7

/** Writes a part of a file and waits until it is stopped. */
const writeSlowly =
  (onBegin: () => void): Facts['write'] =>
  async (_scope, _query, target, options) => {
    fs.writeFileSync(target.path, 'half')
    options?.onProgress?.(writtenRows)
    await new Promise((_resolve, reject) => {
      options?.signal?.addEventListener('abort', () => reject(new Error('killed')))
      onBegin()
    })
    return 0
  }

test('an export writes all rows of the facts', async () => {
  const exportId = await queueExport()
  const row = await run(exportId)
  expect([row.status, Number(row.rows), row.lease_owner]).toEqual(['ready', tripCount, null])
  expect(await listFiles()).toEqual([exportId])
  await files.remove(exportId)
})

test('an export stops within seconds when it is canceled, shows its progress, and leaves nothing behind', async () => {
  const exportId = await queueExport()
  let canceledAt = 0
  const row = await run(
    exportId,
    createContext(
      writeSlowly(() => {
        setTimeout(() => {
          canceledAt = Date.now()
          void cancelExportRow(state.as(systemScope), exportId, new Date())
        }, 1200)
      }),
    ),
  )
  expect(Date.now() - canceledAt).toBeLessThan(4000)
  expect([row.status, Number(row.rows), Number(row.total_rows)]).toEqual(['canceled', writtenRows, tripCount])
  expect(await listFiles()).toEqual([])
  expect(await findNextExport(state, new Date())).toBe(null)
})

test('an export waits for the next start when the server stops', async () => {
  const exportId = await queueExport()
  const stop = new AbortController()
  const row = await run(exportId, createContext(writeSlowly(() => stop.abort())), stop.signal)
  expect([row.status, row.attempts, row.lease_until]).toEqual(['queued', 0, null])
  expect(await listFiles()).toEqual([])
  expect((await run(exportId)).status).toBe('ready')
  await files.remove(exportId)
})

test('an export fails with a reason: full disk before and during, an unknown error, lost access', async () => {
  const failWith = (error: Error): Facts['write'] => {
    return async (_scope, _query, target) => {
      fs.writeFileSync(target.path, 'half')
      throw error
    }
  }
  const diskIsFull = /disk of the server is full/
  const catchProblem = async (context: ExportingContext, overrides: object = {}): Promise<string> => {
    const row = await run(await queueExport(overrides), context)
    expect([row.status, await listFiles()]).toEqual(['failed', []])
    return row.problem ?? ''
  }
  expect(await catchProblem(createContext(undefined, () => Promise.resolve(1000)))).toMatch(diskIsFull)
  const noSpace = Object.assign(new Error('no'), { code: 'ENOSPC' })
  expect(await catchProblem(createContext(failWith(noSpace)))).toMatch(diskIsFull)
  expect(await catchProblem(createContext(failWith(new Error('secret text of the store'))))).toBe(
    'The server could not write this file. Try again, or choose a shorter period.',
  )
  expect(logged.join('\n')).toContain('secret text')
  expect(await catchProblem(createContext(), { attempts: 3 })).toBe(
    'The server stopped each time it wrote this file.',
  )
  await state.as(systemScope).updateTable('user').set({ permissionKeys: '' }).execute()
  expect(await catchProblem(createContext())).toMatch(/may no longer see single trips/)
  await state.as(systemScope).updateTable('user').set({ disabled: true }).execute()
  expect(await catchProblem(createContext())).toMatch(/no longer have access/)
})
