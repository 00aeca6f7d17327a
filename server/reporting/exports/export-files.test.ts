import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createSecretBox } from '#server/stores/secret-box.ts'
import { computeChecksum, ExportLinks, getFileName, getMediaType } from './export-files.ts'
import { getDueMonth } from './queue-monthly-zips.ts'

const id = 'aaaaaaaa-0000-4000-8000-000000000001'
const links = new ExportLinks(createSecretBox('ab'.repeat(32)))
const at = new Date('2026-03-01T12:00:00Z')

const splitLink = (link: string): [expires: string, signature: string] => {
  const { searchParams } = new URL(link, 'https://x')
  return [searchParams.get('expires') ?? '', searchParams.get('signature') ?? '']
}

test('Links are valid for one export until they expire, with one key', () => {
  const expires = new Date(at.getTime() + 1000)
  const link = links.createLink(id, expires)
  expect(link).toMatch(new RegExp(`^/v2/public/exports/${id}\\?expires=1772366401&signature=[\\w-]{43}$`))
  const [until, signature] = splitLink(link)
  expect(links.check(id, until, signature, at)).toBe('valid')
  expect(links.check(id, until, signature, expires)).toBe('expired')
  expect(links.check(id, String(Number(until) + 1), signature, at)).toBe('altered')
  expect(links.check(id.replace('1', '2'), until, signature, at)).toBe('altered')
  expect(links.check(id, until, '', at)).toBe('altered')
  const other = new ExportLinks(createSecretBox('cd'.repeat(32)))
  expect(other.check(id, until, signature, at)).toBe('altered')
})

test('Files are named by table, region and period', () => {
  const file = {
    table_name: 'trips',
    format: 'csv',
    region_id: 'alder',
    month: null,
    operator: null,
    version: null,
    question: {},
  }
  const period = { start_date: '2026-03-01', end_date: '2026-03-31' }
  expect(getFileName({ ...file, question: period })).toBe('trips_alder_2026-03-01_2026-03-31.csv.gz')
  expect(getFileName({ ...file, table_name: 'shapes', format: 'geojson' })).toBe('shapes_alder.geojson')
  const zip = { ...file, table_name: null, format: null, month: '2026-02', version: 1 }
  expect([getFileName(zip), getFileName({ ...zip, version: 3 })]).toEqual([
    'alder_2026-02.zip',
    'alder_2026-02_v3.zip',
  ])
  expect([getMediaType(file), getMediaType(zip)]).toEqual(['application/gzip', 'application/zip'])
})

test.each([
  ['2026-03-02', null],
  ['2026-03-03', '2026-02'],
  ['2026-01-31', '2025-12'],
])('On %s the month that is due is %s', (today, month) => {
  expect(getDueMonth(today)).toBe(month)
})

test('computeChecksum computes the checksum of a file of any size, and fails without one', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'publicway-checksum-'))
  const file = path.join(folder, 'export')
  for (const size of [0, 1, (1 << 20) + 7]) {
    const content = Buffer.alloc(size, 'trip')
    fs.writeFileSync(file, content)
    expect(await computeChecksum(file)).toEqual({
      sha256: createHash('sha256').update(content).digest('hex'),
      bytes: size,
    })
  }
  fs.rmSync(folder, { recursive: true })
  await expect(computeChecksum(file)).rejects.toThrow('ENOENT')
})
