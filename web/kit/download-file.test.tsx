import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { downloadFile, toCsv } from './download-file.ts'
import fc from 'fast-check'
import Papa from 'papaparse'
import type { TableColumn } from './table-column.ts'

const blobs: Blob[] = []
const revoked: string[] = []

beforeEach(() => {
  vi.useFakeTimers()
  blobs.length = revoked.length = 0
  vi.stubGlobal(
    'URL',
    Object.assign(URL, {
      createObjectURL: (blob: Blob) => `blob:${blobs.push(blob)}`,
      revokeObjectURL: (address: string) => void revoked.push(address),
    }),
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('downloads a file with name, type and text', async () => {
  const clicked: { href: string; name: string }[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    clicked.push({ href: this.href, name: this.download })
  })
  downloadFile('layers.csv', 'Name\r\nÉcole\r\n', 'text/csv')
  expect(clicked).toEqual([{ href: 'blob:1', name: 'layers.csv' }])
  expect(blobs[0]!.type).toBe('text/csv;charset=utf-8')
  expect(blobs[0]!.size).toBe(new TextEncoder().encode('Name\r\nÉcole\r\n').length)
})

it('revokes the URL, but not before the download has started', () => {
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  downloadFile('a.csv', 'a', 'text/csv')
  vi.advanceTimersByTime(5000)
  expect(revoked).toEqual([])
  vi.advanceTimersByTime(5001)
  expect(revoked).toEqual(['blob:1'])
})

interface Row {
  name: string
  trips: number | null
}

const columns: TableColumn<Row>[] = [
  { key: 'name', title: 'Name', value: (row) => row.name },
  { key: 'trips', title: 'Trips, all', value: (row) => row.trips },
  { key: 'edit', title: 'Actions', isActions: true, value: () => 'never' },
]

it('writes titles and values with quotes if needed, without action columns', () => {
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

it('never starts a text like a formula, including titles', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('=', '+', '-', '@', '\t'),
      fc.string({ unit: 'grapheme-ascii', maxLength: 5 }),
      (sign, rest) => {
        const [title, value] = toCsv(
          [{ name: sign + rest, trips: null }],
          [{ ...columns[0]!, title: sign + rest }],
        ).split('\r\n')
        for (const cell of [title!, value!]) expect(cell.replace(/^"/, '').startsWith("'")).toBe(true)
      },
    ),
  )
})
