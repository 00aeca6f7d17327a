import { describe, expect, it } from 'vitest'
import { readDbfRows } from './dbf-rows.ts'
import { shapefileForTest } from './shapefile-for-test.ts'

const { dbf } = shapefileForTest
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (sign) => sign.charCodeAt(0))
const text = (length = 10): { name: string; type: 'C'; length: number } => ({
  name: 'NAME',
  type: 'C',
  length,
})
const values = (file: Uint8Array, cpg: string | null = null): unknown[] =>
  readDbfRows(file, cpg, 'a.dbf').map((row) => row.values)

describe('readDbfRows', () => {
  it('reads every kind of field', () => {
    const file = dbf(
      [
        text(),
        { name: 'POP', type: 'N', length: 12 },
        { name: 'SHARE', type: 'F', length: 8 },
        { name: 'OPEN', type: 'L', length: 1 },
        { name: 'SINCE', type: 'D', length: 8 },
      ],
      [
        ['Harbour', '  1200', '0.25', 'T', '20190801'],
        ['', '', '***', '?', ''],
        ['x', '-3', '1,5', 'n', 'soon'],
      ],
    )
    expect(values(file)).toEqual([
      { NAME: 'Harbour', POP: 1200, SHARE: 0.25, OPEN: true, SINCE: '2019-08-01' },
      { NAME: null, POP: null, SHARE: null, OPEN: null, SINCE: null },
      { NAME: 'x', POP: -3, SHARE: 1.5, OPEN: false, SINCE: 'soon' },
    ])
  })

  it('reads long codes as text', () => {
    expect(values(dbf([{ name: 'GEOID', type: 'N', length: 19 }], [['4105100010120000001']]))).toEqual([
      { GEOID: '4105100010120000001' },
    ])
  })

  it('marks deleted rows', () => {
    expect(
      readDbfRows(dbf([text()], [['*gone'], ['here']]), null, 'a.dbf').map((row) => row.deleted),
    ).toEqual([true, false])
  })

  it.each([
    ['no word about it, but UTF-8', dbf([text()], [['Zürich']]), null],
    ['no word about it, Latin-1', dbf([text()], [['Zürich']], latin1), null],
    ['.cpg UTF-8', dbf([text()], [['Zürich']]), 'UTF-8\n'],
    ['.cpg 1252', dbf([text()], [['Zürich']], latin1), '1252'],
    ['.cpg ANSI 1252', dbf([text()], [['Zürich']], latin1), 'ANSI 1252'],
    ['.cpg ISO 88591', dbf([text()], [['Zürich']], latin1), 'ISO 88591'],
    ['.cpg 65001', dbf([text()], [['Zürich']]), '65001'],
    ['.cpg unknown', dbf([text()], [['Zürich']], latin1), 'no such thing'],
    ['header Windows', dbf([text()], [['Zürich']], latin1, 0x57), null],
  ])('reads text: %s', (_, file, cpg) => {
    expect(values(file, cpg)).toEqual([{ NAME: 'Zürich' }])
  })

  it('drops an incomplete character at the end of a field', () => {
    expect(values(dbf([text(4)], [['abcé']]), 'UTF-8')).toEqual([{ NAME: 'abc' }])
  })

  it('reads no more rows than there are, even if the header has more', () => {
    const file = dbf([text()], [['a'], ['b']])
    new DataView(file.buffer).setUint32(4, 4_000_000_000, true)
    expect(values(file)).toHaveLength(2)
    expect(values(file.subarray(0, file.length - 5))).toHaveLength(1)
    new DataView(file.buffer).setUint16(10, 0, true)
    expect(values(file)).toEqual([])
  })

  it('rejects a file without a header', () => {
    expect(() => readDbfRows(new Uint8Array(10), null, 'a.dbf')).toThrow('a.dbf is cut off')
  })

  it('ignores a field called __proto__', () => {
    const [row] = readDbfRows(dbf([{ name: '__proto__', type: 'C', length: 3 }], [['x']]), null, 'a.dbf')
    expect(Object.keys(row?.values ?? {})).toEqual([])
  })
})
