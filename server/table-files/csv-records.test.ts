import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { type CsvRecord, readCsvRecords, detectDelimiter } from './csv-records.ts'
import { maxLineLength } from './text-lines.ts'

/** Returns the records of lines in batches of the given sizes. */
async function readRecords(
  lines: readonly string[],
  batchSizes: readonly number[] = [lines.length || 1],
): Promise<CsvRecord[]> {
  async function* batches() {
    for (let start = 0, turn = 0; start < lines.length; turn++) {
      const size = batchSizes[turn % batchSizes.length] ?? 1
      yield lines.slice(start, start + size)
      start += size
    }
  }
  const records: CsvRecord[] = []
  for await (const batch of readCsvRecords(batches())) for (const record of batch) records.push(record)
  return records
}

const anyBatchSizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 })
const anyField = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom('"', ',', ';', '\t', '|', '\n', ' ', 'a', 'é', '\\', "'"),
    maxLength: 8,
  }),
  fc.constantFrom('', ' ', '""', '\n\n', '0', '1,234.5', '"quoted"'),
)
const anyTable = fc
  .integer({ min: 2, max: 6 })
  .chain((width) =>
    fc
      .array(fc.array(anyField, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 25 })
      .map((rows) => [Array.from({ length: width }, (_, index) => `column ${index}`), ...rows]),
  )

describe('readCsvRecords', () => {
  it('returns the records of any table with their lines, whatever the batches', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyTable,
        anyBatchSizes,
        fc.constantFrom(',' as const, ';' as const, '\t' as const, '|' as const),
        async (rows, batchSizes, delimiter) => {
          const plainRows = rows.map((row) => row.map((text) => text.replaceAll('\r', '')))
          const lines = Papa.unparse(plainRows, { delimiter, newline: '\n' }).split('\n')
          const startLines: number[] = []
          let line = 1
          for (const fields of plainRows) {
            startLines.push(line)
            line += fields.join('').split('\n').length
          }
          const records = await readRecords(lines, batchSizes)
          expect(records.map(({ fields }) => fields)).toEqual(plainRows)
          expect(records.map(({ line }) => line)).toEqual(startLines)
        },
      ),
      { numRuns: 400 },
    )
  })

  it('rejects only the line of a quotation mark that is never closed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(99), fc.nat(99), fc.nat(99)), { minLength: 1, maxLength: 120 }),
        fc.nat(),
        anyBatchSizes,
        async (rows, brokenRow, batchSizes) => {
          const lines = ['a,b,c', ...rows.map((row) => row.join(','))]
          const brokenIndex = 1 + (brokenRow % rows.length)
          lines[brokenIndex] = '1,"open,3'
          const records = await readRecords(lines, batchSizes)
          expect(records.map(({ fields }) => fields?.join(',') ?? null)).toEqual(
            lines.map((text, index) => (index === brokenIndex ? null : text)),
          )
          expect(records.map(({ line }) => line)).toEqual(lines.map((_, index) => index + 1))
          expect(records[brokenIndex]?.raw).toBe('1,"open,3')
        },
      ),
      { numRuns: 150 },
    )
  })

  it('parses the records between two lines with unclosed quotes', async () => {
    const lines = ['a,b,c', '1,"x,3', '4,5,6', '7,"y,9', '10,11,12']
    expect((await readRecords(lines)).map(({ fields }) => fields)).toEqual([
      ['a', 'b', 'c'],
      null,
      ['4', '5', '6'],
      null,
      ['10', '11', '12'],
    ])
  })

  it('does not join two invalid lines to a row with another number of fields than the header', async () => {
    expect((await readRecords(['a,b,c', '1,"x', 'y",2,3,4', '5,6,7'])).map(({ fields }) => fields)).toEqual([
      ['a', 'b', 'c'],
      null,
      null,
      ['5', '6', '7'],
    ])
    expect((await readRecords(['a,b,c', '1,"x', 'y",2', '5,6,7'])).map(({ fields }) => fields)).toEqual([
      ['a', 'b', 'c'],
      ['1', 'x\ny', '2'],
      ['5', '6', '7'],
    ])
  })

  it('does not join lines to a row that is too long, and rejects only the first of them', async () => {
    const halfLine = 'x'.repeat(maxLineLength / 2)
    const readLengths = async (lines: readonly string[], sizes: readonly number[]) =>
      (await readRecords(lines, sizes)).map((record) => record.fields?.map((text) => text.length) ?? null)
    for (const sizes of [[1], [10]]) {
      expect(await readLengths(['a,b', `1,"${halfLine}`, `"`, '2,z'], sizes)).toEqual([
        [1, 1],
        [1, halfLine.length + 1],
        [1, 1],
      ])
      expect(await readLengths(['a,b', `1,"${halfLine}`, halfLine, halfLine, '2,z'], sizes)).toEqual([
        [1, 1],
        null,
        [halfLine.length],
        [halfLine.length],
        [1, 1],
      ])
      expect(await readLengths(['a,b', `1,"${halfLine}`, `${halfLine}"`, '2,z'], sizes)).toEqual([
        [1, 1],
        null,
        null,
        [1, 1],
      ])
    }
  })

  it('joins a quoted field of many lines, up to a limit', async () => {
    const makeLong = (count: number): string[] => ['a,b', ...`1,"${'x\n'.repeat(count)}y"`.split('\n'), '2,z']
    expect((await readRecords(makeLong(48), [3])).map(({ fields }) => fields?.[1])).toEqual([
      'b',
      'x\n'.repeat(48) + 'y',
      'z',
    ])
    const records = await readRecords(makeLong(60), [7])
    expect(records[1]).toEqual({ line: 2, fields: null, raw: '1,"x' })
    expect(records.at(-1)).toEqual({ line: 63, fields: ['2', 'z'], raw: '2,z' })
  })

  it('skips blank lines but counts them', async () => {
    expect(await readRecords(['', 'a,b', '', '', '1,2', ''])).toEqual([
      { line: 2, fields: ['a', 'b'], raw: 'a,b' },
      { line: 5, fields: ['1', '2'], raw: '1,2' },
    ])
    expect(await readRecords([])).toEqual([])
  })

  it('rejects a file with too many consecutive empty rows, and accepts as many as spreadsheets have', async () => {
    for (const emptyRow of ['', ',', ' ; ']) {
      const rows = Array.from({ length: 100_000 }, () => emptyRow)
      expect((await readRecords(['a,b', ...rows, '1,2', ...rows, '3,4'])).at(-1)).toMatchObject({
        line: 200_003,
      })
      await expect(readRecords(['a,b', ...rows, emptyRow, '1,2'])).rejects.toThrow(
        /more than 100,000 empty rows in succession \(up to line 100002\)/,
      )
    }
  })

  it('returns rows with another number of fields unchanged', async () => {
    expect((await readRecords(['a,b', '1', '1,2,3', ',,,'])).map(({ fields }) => fields)).toEqual([
      ['a', 'b'],
      ['1'],
      ['1', '2', '3'],
      ['', '', '', ''],
    ])
  })

  it('never throws and never loses a line with content, whatever the text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: fc.constantFrom('"', ',', 'a', ' ', ';'), maxLength: 8 }), {
          maxLength: 90,
        }),
        anyBatchSizes,
        async (lines, batchSizes) => {
          const expected = await readRecords(lines)
          expect(await readRecords(lines, batchSizes)).toEqual(expected)
          expect(
            expected
              .map(({ raw }) => raw)
              .join('\n')
              .split('\n')
              .filter(Boolean)
              .sort(),
          ).toEqual(lines.filter(Boolean).sort())
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('detectDelimiter', () => {
  it.each([
    ['a,b,c', ','],
    ['a;b;c', ';'],
    ['a\tb', '\t'],
    ['a|b|c,d', '|'],
    ['"a,b,c,d";e;f', ';'],
    ['a', ','],
    ['', ','],
  ])('detects of %j: %j', (header, delimiter) => expect(detectDelimiter(header)).toBe(delimiter))
})
