import fs from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { TripMapping } from '#contract/imports.ts'
import type { Region } from '#contract/regions.ts'
import { createFolder } from '../../../test/engines/open-stores.ts'
import { openDirectoryBlobs } from '#server/stores/blobs/directory-blobs.ts'
import { ReadAhead, createReadTask } from './read-ahead.ts'
import type { ImportRow } from '../read-import.ts'
import { recognizeLayout } from '../recognize-layout.ts'

const { folder: root, remove } = createFolder()
const folder = path.join(root, 'trip-files')
fs.mkdirSync(folder)
const blobs = openDirectoryBlobs(root)
const ahead = new ReadAhead(blobs, 2)
afterAll(async () => {
  await ahead.closeAll()
  remove()
})

const columns =
  'ride_id,rideable_type,started_at,ended_at,start_station_name,start_station_id,end_station_name,end_station_id,start_lat,start_lng,end_lat,end_lng,member_casual'
const mapping = recognizeLayout(columns.split(','), '202605-divvy-tripdata.csv')?.mapping as TripMapping
/** Long enough for a busy machine. */
const soon = { timeout: 120_000 }
/** More than one chunk, so that a reader waits after the first one with its file open. */
const rows = 50_000
const row = (at: number): string =>
  `${at},electric_bike,2026-05-01 10:00:00,2026-05-01 10:20:00,,,,,41.49,-72.5,41.48,-72.49,member\n`
const text = `${columns}\n${Array.from({ length: rows }, (_, index) => row(index)).join('')}`

const region = (region_id: string) =>
  ({ regionId: region_id, timezone: 'America/New_York', lat: 41.5, lon: -72.5 }) as Region

function makeImport(region_id: string, import_id: string): ImportRow {
  const file_path = path.join(folder, import_id)
  fs.writeFileSync(file_path, text)
  return {
    region_id,
    import_id,
    file_path,
    mapping,
    survey: { dates: {} },
    rows_read: '0',
    chunks: 0,
  } as unknown as ImportRow
}
/** Lists the files of imports that are open in this process. */
const openFiles = (): string[] =>
  fs.readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = fs.readlinkSync(`/proc/self/fd/${fd}`)
      return path.dirname(target) === folder ? [path.basename(target)] : []
    } catch {
      return []
    }
  })

async function readAhead(row: ImportRow): Promise<void> {
  await ahead.start(region(row.region_id), async () => row)
  await expect.poll(openFiles, soon).toContain(row.import_id)
}

describe('reading ahead', () => {
  it('starts the next file of a region once, and returns its reader to the import with the same task', async () => {
    const next = makeImport('alder', 'taken')
    await readAhead(next)
    await readAhead(next)
    const reader = ahead.claim(await createReadTask(blobs, next, region('alder')))
    const read: number[] = []
    for await (const chunk of reader.chunks(
      new AbortController().signal,
      () => undefined,
      () => undefined,
    ))
      read.push(chunk.rowsRead)
    expect(read).toEqual([40_000, 10_000])
    const again = ahead.claim(await createReadTask(blobs, next, region('alder')))
    expect(again).not.toBe(reader)
    await again.close()
  })

  it('closes a reader whose task differs from that of its import', async () => {
    const next = makeImport('alder', 'changed')
    await readAhead(next)
    const reader = ahead.claim({ ...(await createReadTask(blobs, next, region('alder'))), skipRows: 49_999 })
    const read: number[] = []
    for await (const chunk of reader.chunks(
      new AbortController().signal,
      () => undefined,
      () => undefined,
    ))
      read.push(chunk.rowsRead)
    expect(read).toEqual([1])
    await expect.poll(openFiles, soon).toEqual([])
  })

  it('reads one file per region, up to the maximum', async () => {
    const [first, second, third] = [
      makeImport('alder', 'first'),
      makeImport('birch', 'second'),
      makeImport('cedar', 'third'),
    ]
    await readAhead(first)
    await readAhead(second)
    await ahead.start(region('cedar'), async () => third)
    expect(openFiles().toSorted()).toEqual(['first', 'second'])
    await readAhead(makeImport('birch', 'fourth'))
    expect(openFiles().toSorted()).toEqual(['first', 'fourth'])
    await ahead.closeAll()
    await expect.poll(openFiles, soon).toEqual([])
  })

  it('closes the file of a canceled import immediately, and no other', async () => {
    await readAhead(makeImport('alder', 'canceled'))
    await readAhead(makeImport('birch', 'other'))
    await ahead.drop('canceled')
    await expect.poll(openFiles, soon).toEqual(['other'])
    await ahead.closeAll()
  })

  it('does not read a file that was canceled during the lookup', async () => {
    const found = [makeImport('alder', 'vanished')]
    await ahead.start(region('alder'), async () => found.pop())
    await expect.poll(openFiles, soon).toEqual([])
    await ahead.start(region('alder'), async () => undefined)
    expect(openFiles()).toEqual([])
  })
})
