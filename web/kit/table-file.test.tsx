import fc from 'fast-check'
import Papa from 'papaparse'
import { strFromU8, unzipSync } from 'fflate'
import i18next from 'i18next'
import { expect, it } from 'vitest'
import { loadRoomTexts, startI18n } from '#web/i18n/start-i18n.ts'
import { column } from '#web/kit/table/table-column.ts'
import type { TableColumn } from './table/table-column.ts'
import { parseCsv, toTableFile, getTableFormats, toCsv } from './table-file.ts'

interface Row {
  name: string
  trips: number | null
}

const columns: TableColumn<Row>[] = [
  column('name', 'Name', (row) => row.name),
  column('trips', 'Trips, all', (row) => row.trips),
  column('edit', 'Actions', () => 'never', { isActions: true }),
]

it('writes titles and values, quoted if necessary, without action columns', () => {
  expect(
    toCsv(
      [
        { name: 'Old "Town"', trips: 3 },
        { name: 'a\nb', trips: null },
      ],
      columns,
    ),
  ).toBe('Name,"Trips, all"\r\n"Old ""Town""",3\r\n"a\nb",\r\n')
})

it('escapes formulas, but not negative numbers', () => {
  expect(
    toCsv(
      [
        { name: '=1+1', trips: -3 },
        { name: '-x', trips: 0 },
      ],
      columns,
    ),
  ).toContain("'=1+1,-3\r\n'-x,0")
})

it('survives a round trip with any text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'Z', '"', ',', '\n', '\r', ' ', ';', '=', '-', 'é') })
  fc.assert(
    fc.property(fc.array(fc.record({ name: text, trips: fc.option(fc.integer()) })), (rows) => {
      const { data } = Papa.parse<string[]>(toCsv(rows, columns), { newline: '\r\n', delimiter: ',' })
      expect(data[0]).toEqual(['Name', 'Trips, all'])
      const read = data.slice(1, -1).map(([name, trips]) => ({
        name: name!.replace(/^'(?=[=+\-@\t\r])/, ''),
        trips: trips === '' ? null : Number(trips),
      }))
      expect(read).toEqual(rows)
    }),
  )
})

it('a file never has a text or title that spreadsheets would treat as a formula', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('=', '+', '-', '@', '\t'),
      fc.string({ unit: 'grapheme-ascii', maxLength: 5 }),
      (sign, rest) => {
        fc.pre(!/^-\d+(?:\.\d+)?$/.test(sign + rest))
        const [title, value] = toCsv(
          [{ name: sign + rest, trips: null }],
          [{ ...columns[0]!, title: sign + rest }],
        ).split('\r\n')
        for (const cell of [title!, value!]) expect(cell.replace(/^"/, '').startsWith("'")).toBe(true)
      },
    ),
  )
})

it('writes numbers to XLSX as numbers, and refuses too many rows', async () => {
  await startI18n()
  await loadRoomTexts()
  const rows = [{ name: '=1+1', trips: 3 }]
  const load = () => toTableFile(rows, columns)
  const [csv, xlsx] = getTableFormats(i18next.t, { fileName: 'wards', load, name: 'Summary' })
  expect([csv?.fileName, csv?.label, xlsx?.fileName, xlsx?.label]).toEqual([
    'wards.csv',
    'Summary (CSV)',
    'wards.xlsx',
    'Summary (XLSX)',
  ])
  const blob = (await xlsx!.load!(() => undefined)) as Blob
  const parts = unzipSync(new Uint8Array(await blob.arrayBuffer()))
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml']!)
  expect(sheet).toContain('<v>3</v>')
  expect(sheet).not.toContain('<f>')

  const tooMany = { titles: ['n'], rows: Array.from({ length: 200_001 }, (_, index) => [index]) }
  const [, refused] = getTableFormats(i18next.t, { fileName: 'n', load: () => tooMany })
  await expect(refused!.load!(() => undefined)).rejects.toThrow(/at most 200,000 rows/)
})

it('parses a file of the server, and leaves ids unchanged', async () =>
  expect(await parseCsv('id,count\n007,3\n"a,b",\n')).toEqual({
    titles: ['id', 'count'],
    rows: [
      ['007', 3],
      ['a,b', ''],
    ],
  }))
