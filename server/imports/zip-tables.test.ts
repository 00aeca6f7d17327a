import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { zipSync, type Zippable } from 'fflate'
import { afterAll, describe, expect, it } from 'vitest'
import { createFolder } from '../../test/engines/open-stores.ts'
import { readFileBytes, readFullName } from './read-trip-file.ts'
import { readStations } from './stations/read-stations.ts'
import { surveyFile } from './survey-file.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import { describeContents, type ZipContents } from './zip-tables.ts'

const { folder, remove } = createFolder()
afterAll(() => remove())

let files = 0
function saved(bytes: Uint8Array): string {
  const filePath = path.join(folder, String(files++))
  fs.writeFileSync(filePath, bytes)
  return filePath
}
const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const makeZip = (entries: Record<string, string | Uint8Array>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(entries).map(([name, content]) => [
        name,
        typeof content === 'string' ? encode(content) : content,
      ]),
    ) as Zippable,
  )

async function read(bytes: Uint8Array): Promise<{ text: string; contents: ZipContents; packed: number }> {
  const contents: ZipContents = { read: [], ignored: [] }
  const parts: Buffer[] = []
  let packed = 0
  for await (const chunk of readFileBytes(saved(bytes), (byteCount) => (packed += byteCount), contents))
    parts.push(chunk)
  return { text: Buffer.concat(parts).toString(), contents, packed }
}
const refusal = async (bytes: Uint8Array): Promise<string> => {
  const error: unknown = await read(bytes).then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(TableFileError)
  return (error as Error).message
}
/** Returns the offset of the first entry of the table of contents. */
const directory = (zip: Uint8Array): number => new DataView(zip.buffer).getUint32(zip.length - 6, true)

describe('a zip archive of tables', () => {
  it('is read as its only table, without hidden files, notes and folders', async () => {
    const table = `a,b,c\n${'1,2,3\n'.repeat(90_000)}`
    const { text, contents, packed } = await read(
      makeZip({
        'data/': '',
        'data/trips.csv': table,
        '__MACOSX/data/._trips.csv': 'x',
        'README.txt': 'hello',
      }),
    )
    expect(text).toBe(table)
    expect(packed).toBeGreaterThan(100)
    expect(describeContents(contents)).toBe(
      'Read from the zip archive: data/trips.csv. Ignored: __MACOSX/data/._trips.csv, README.txt.',
    )
  })

  it('is read as joined tables, sorted by name, with the line at which each begins', async () => {
    const { text, contents } = await read(
      makeZip({
        '2026-02.csv': '\uFEFFTrip id,When\r\n3,c\r\n',
        '2026-01.csv': 'trip_id,when\n1,a\n2,b',
        '2026-03.csv': 'trip_id,when\n',
        '2026-04.csv': '',
        '2026-05.csv': '\ntrip_id,when\n4,d\n',
      }),
    )
    expect(text).toBe('trip_id,when\n1,a\n2,b\n3,c\n4,d\n')
    expect(contents).toEqual({
      read: [
        { name: '2026-01.csv', line: 2 },
        { name: '2026-02.csv', line: 4 },
        { name: '2026-03.csv', line: 5 },
        { name: '2026-05.csv', line: 5 },
      ],
      ignored: ['2026-04.csv'],
    })
    expect(describeContents(contents)).toMatch(/: 2026-01\.csv \(from line 2\), 2026-02\.csv \(from line 4\)/)
  })

  it('may contain tables with different encodings', async () => {
    const { text } = await read(
      makeZip({
        'a.csv': 'id,name\n1,é',
        'b.csv': Buffer.from('id,name\n2,Café X', 'latin1'),
        'c.csv': Buffer.from('\uFEFFid,name\n3,Ü', 'utf16le'),
      }),
    )
    expect(text).toBe('id,name\n1,é\n2,Café X\n3,Ü\n')
  })

  it('may contain tables of stations besides others, in any folder and order', async () => {
    const trips = 'trip_id,start_time,from_station_id\n1,a,1000\n'
    for (const name of ['Aa stations.csv', 'zz/places.csv']) {
      const zip = makeZip({
        [name]: 'id,name,latitude,longitude\n1000,Liberty,41.5,-72.5\n',
        'q2.csv': trips,
        'q3.csv': 'trip_id,start_time,from_station_id\n2,b,1000\n',
        'more stations.csv': 'Station ID;Lat;Lon\n1001;41.6;-72.6\n',
        'readme.txt': 'x',
      })
      const { text, contents } = await read(zip)
      expect(text).toBe(`${trips}2,b,1000\n`)
      expect(contents.stations?.toSorted()).toEqual([name, 'more stations.csv'].toSorted())
      expect(describeContents(contents)).toMatch(
        /^Read from the zip archive: q2\.csv \(from line 2\), q3\.csv \(from line 3\)\. Places of stations from: .*more stations\.csv.*\. Ignored: readme\.txt\.$/,
      )
      expect((await readStations(saved(zip))).stations.map(({ id }) => id).toSorted()).toEqual([
        '1000',
        '1001',
      ])
    }
  })

  it('is read like others if it contains only tables of stations', async () => {
    const stations = 'id,name,lat,lon\n1000,Liberty,41.5,-72.5\n'
    const zip = makeZip({ 'a.csv': stations, 'b.csv': 'id,name,lat,lon\n1001,Penn,41.6,-72.6\n' })
    expect(await read(zip)).toMatchObject({
      text: `${stations}1001,Penn,41.6,-72.6\n`,
      contents: { read: [{ name: 'a.csv' }, { name: 'b.csv' }] },
    })
    expect((await readStations(saved(zip))).stations).toHaveLength(2)
    expect(await refusal(makeZip({ 'a.csv': stations, 'b.csv': 'station_id,lat,lon\n1,41,-72\n' }))).toMatch(
      /^b\.csv in the zip archive: It has other columns than a\.csv/,
    )
  })

  it('has the content hash of the same table without compression, and its contents in the survey', async () => {
    const survey = (bytes: Uint8Array) =>
      surveyFile({ filePath: saved(bytes), isTable: true, placeColumns: null, center: { lon: 0, lat: 0 } })
    const table = 'a,b,c\n1,2,3\n'
    const zipped = await survey(makeZip({ 'trips.csv': table }))
    expect(zipped).toMatchObject({ rows: 1, zip: { read: [{ name: 'trips.csv' }] } })
    expect((await survey(gzipSync(table))).contentHash).toBe(zipped.contentHash)
    expect(await survey(encode(table))).not.toHaveProperty('zip')
  })

  it('is read as its tables rather than texts and JSON, with the name of the file', async () => {
    expect((await read(makeZip({ 'a.geojson': '{}', 'b.csv': 'a,b', 'c.txt': 'x' }))).text).toBe('a,b')
    expect((await read(makeZip({ 'a.geojson': '{}', 'readme.txt': 'x' }))).text).toBe('{}')
    expect((await read(makeZip({ 'data.txt': 'a,b,c', 'LICENSE.txt': 'x' }))).text).toBe('a,b,c')
    expect(await readFullName(saved(makeZip({ '202605-divvy.csv': 'a,b', 'x.pdf': 'x' })), 'May.zip')).toBe(
      'May.zip 202605-divvy.csv',
    )
    expect(await readFullName(saved(encode('a,b')), 'May.csv')).toBe('May.csv')
    const stations = { 'stations.csv': 'id,lat,lon\n1,41.5,-72.5' }
    expect(await readFullName(saved(makeZip({ ...stations, 'divvy.csv': 'a,b' })), 'May.zip')).toBe(
      'May.zip divvy.csv',
    )
    expect(await readFullName(saved(makeZip({ ...stations, 'a.csv': 'a,b', 'b.csv': 'a,b' })), 'x.zip')).toBe(
      'x.zip',
    )
  })

  it('may be Zip64', async () => {
    const plain = makeZip({ 'a.csv': 'a,b,c\n1,2,3\n' })
    const view = new DataView(plain.buffer)
    const start = directory(plain)
    const [packed, size] = [view.getUint32(start + 20, true), view.getUint32(start + 24, true)]
    // The sizes of an entry are in an extra field; where entries are, and how many, in a record before the end.
    const entry = Buffer.from(plain.subarray(start, plain.length - 22))
    entry.writeUInt32LE(0xffffffff, 20)
    entry.writeUInt32LE(0xffffffff, 24)
    const extra = Buffer.alloc(20)
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(16, 2)
    extra.writeBigUInt64LE(BigInt(size), 4)
    extra.writeBigUInt64LE(BigInt(packed), 12)
    entry.writeUInt16LE(extra.length, 30)
    const record = Buffer.alloc(56)
    record.writeUInt32LE(0x06064b50, 0)
    for (const [offset, value] of [
      [32, 1],
      [40, entry.length + extra.length],
      [48, start],
    ] as const)
      record.writeBigUInt64LE(BigInt(value), offset)
    const locator = Buffer.alloc(20)
    locator.writeUInt32LE(0x07064b50, 0)
    locator.writeBigUInt64LE(BigInt(start + entry.length + extra.length), 8)
    const end = Buffer.from(plain.subarray(plain.length - 22))
    end.writeUInt16LE(0xffff, 10)
    end.writeUInt32LE(0xffffffff, 12)
    end.writeUInt32LE(0xffffffff, 16)
    expect(
      (await read(Buffer.concat([plain.subarray(0, start), entry, extra, record, locator, end]))).text,
    ).toBe('a,b,c\n1,2,3\n')
  })
})

describe('a zip archive is rejected with a message', () => {
  const changed = (write: (view: DataView, at: number) => void): Uint8Array => {
    const zip = makeZip({ 'a.csv': `a,b\n${'1,2\n'.repeat(500)}` })
    write(new DataView(zip.buffer), directory(zip))
    return zip
  }
  it.each<[string, Uint8Array, RegExp]>([
    ['that is empty', makeZip({}), /contains no CSV, JSON or GeoJSON file: it is empty/],
    [
      'of pictures',
      makeZip({ 'a.jpg': 'x', 'b.png': 'x' }),
      /contains no CSV, JSON or GeoJSON file \(a\.jpg, b\.png\)/,
    ],
    [
      'of a spreadsheet',
      makeZip({ '[Content_Types].xml': 'x', 'xl/workbook.xml': 'x' }),
      /spreadsheet\. Save the sheet as CSV/,
    ],
    [
      'of boundaries',
      makeZip({ 'wards.shp': 'x', 'wards.dbf': 'x' }),
      /boundaries \(wards\.shp, wards\.dbf\)\. They are imported in Geographies/,
    ],
    [
      'in a zip',
      makeZip({ 'a.csv': 'a,b', 'more/2026.zip': makeZip({ 'b.csv': 'a,b' }) }),
      /other archives \(more\/2026\.zip\)\. Unpack it/,
    ],
    [
      'in a zip, named otherwise',
      makeZip({ 'a.csv': makeZip({ 'b.csv': 'a,b' }), 'b.csv': 'a,b' }),
      /^a\.csv in the zip archive: .*packed once more/,
    ],
    [
      'of tables with other columns',
      makeZip({ 'a.csv': 'a,b\n1,2', 'b.csv': 'a,c\n1,2' }),
      /^b\.csv in the zip archive: It has other columns than a\.csv/,
    ],
    [
      'of tables with other delimiters',
      makeZip({ 'a.csv': 'a,b\n1,2', 'b.csv': 'a;b\n1;2' }),
      /other columns than a\.csv/,
    ],
    [
      'of several JSON files',
      makeZip({ 'a.json': '[]', 'b.geojson': '{}' }),
      /contains 2 JSON files \(a\.json, b\.geojson\)\. Send them one by one/,
    ],
    [
      'with a password',
      changed((view, at) => view.setUint16(at + 8, 1, true)),
      /encrypted with a password \(a\.csv\)/,
    ],
    [
      'packed in an unusual way',
      changed((view, at) => view.setUint16(at + 10, 12, true)),
      /a\.csv is compressed with an unsupported method \(12\)/,
    ],
    [
      'that unpacks to more than it declares',
      changed((view, at) => view.setUint32(at + 24, 100, true)),
      /a\.csv is longer than declared/,
    ],
    [
      'that unpacks to less than it declares',
      changed((view, at) => view.setUint32(at + 24, 100_000, true)),
      /a\.csv is shorter than declared/,
    ],
    [
      'with a wrong checksum',
      changed((view, at) => view.setUint32(at + 16, 7, true)),
      /checksum of a\.csv is wrong/,
    ],
    [
      'with damage',
      changed((view) => {
        for (let at = 36; at < 42; at++) view.setUint8(at, 0xff)
      }),
      /a\.csv (cannot be decompressed|is shorter)/,
    ],
    [
      'without an entry',
      changed((view, at) => view.setUint32(at + 42, 3, true)),
      /a\.csv is missing from it/,
    ],
    ['that is cut off', makeZip({ 'a.csv': 'a,b,c\n1,2,3' }).slice(0, 60), /its end is missing/],
    [
      'of too many files',
      makeZip(Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`${index}.csv`, '']))),
      /contains 2,001 files; the limit is 2,000/,
    ],
    [
      'that declares more than any table',
      changed((view, at) => view.setUint32(at + 24, 2_000_000_000, true)),
      /decompresses to more than 250 times its size/,
    ],
    [
      'that unpacks to more than any table',
      zipSync({ 'a.csv': [new Uint8Array(80 * 1024 * 1024).fill(10), { level: 9 }] }),
      /decompresses to more than 250 times its size/,
    ],
  ])('%s', async (_name, bytes, sentence) => {
    expect(await refusal(bytes)).toMatch(sentence)
  })
})
