import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDlyLine, isStationLine, readDlyLine, readStationLine } from './read-by-station.ts'
import { findGhcnColumns, createGhcnRowReader, detectGhcnUnits } from './read-ghcn.ts'

function read(header: string, ...rows: string[]) {
  const columns = findGhcnColumns(header.split('|'))
  if (!columns) throw new Error('no export of NOAA')
  const fields = rows.map((row) => row.split('|'))
  return fields.map(createGhcnRowReader(columns, detectGhcnUnits(columns, fields)))
}

describe('an export of NOAA', () => {
  const plain = 'STATION|NAME|DATE|PRCP|SNOW|SNWD|TMAX|TMIN|TOBS'
  it('is read as inches and Fahrenheit if rain has hundredths', () => {
    expect(
      read(plain, 'USC1|PORTLAND|2018-01-02|0.50|1.0||50|32|', 'USC1|PORTLAND|2018-01-03|0.00|||41||'),
    ).toEqual([
      {
        day: '2018-01-02',
        kind: 'measured',
        place: 'PORTLAND',
        station: 'USC1',
        figures: { precipitation_mm: 12.7, snowfall_mm: 25.4, temperature_max_c: 10, temperature_min_c: 0 },
      },
      {
        day: '2018-01-03',
        kind: 'measured',
        place: 'PORTLAND',
        station: 'USC1',
        figures: { precipitation_mm: 0, temperature_max_c: 5 },
      },
    ])
  })

  it('is read in metric units if rain has tenths', () => {
    expect(read(plain, 'X|X|2018-01-02|12.7|25||10.1|-0.5|')).toMatchObject([
      {
        figures: {
          precipitation_mm: 12.7,
          snowfall_mm: 25,
          temperature_max_c: 10.1,
          temperature_min_c: -0.5,
        },
      },
    ])
    expect(read('STATION|DATE|TMAX|TMIN', 'X|2018-01-02|20.0|9.4')).toMatchObject([
      { figures: { temperature_max_c: 20 } },
    ])
  })

  it('is read in tenths if it has flags like GHCN-Daily itself, and values that failed a check are ignored', () => {
    const header = 'STATION|DATE|LATITUDE|NAME|PRCP|PRCP_ATTRIBUTES|SNWD|SNWD_ATTRIBUTES|TMAX|TMAX_ATTRIBUTES'
    expect(
      read(
        header,
        'X|2018-01-02|45|P|127|,,7,0700|30|,,7|101|,,7',
        'X|2018-01-03|45|P|0|T,,7|||999|,X,7',
        'X|2018-01-04|45|P|||||999|,X,7',
      ),
    ).toMatchObject([
      { figures: { precipitation_mm: 12.7, snow_depth_mm: 30, temperature_max_c: 10.1 } },
      { figures: { precipitation_mm: 0 } },
      { reason: 'failed_check' },
    ])
  })

  it('is read in the units that its column names state', () => {
    expect(read('STATION|DATE|PRCP (mm)|TMAX (°C)', 'X|2018-01-02|5|40')).toMatchObject([
      { figures: { precipitation_mm: 5, temperature_max_c: 40 } },
    ])
    expect(read('STATION|DATE|PRCP (in)|TMAX (°F)', 'X|1/2/2018|1|104')).toMatchObject([
      { day: '2018-01-02', figures: { precipitation_mm: 25.4, temperature_max_c: 40 } },
    ])
  })

  it('without rain is read as Fahrenheit if temperatures are integers, and as tenths if they are too high', () => {
    expect(read('STATION|DATE|TMAX', 'X|2018-01-02|50')).toMatchObject([
      { figures: { temperature_max_c: 10 } },
    ])
    expect(read('STATION|DATE|TMAX', 'X|2018-01-02|250', 'X|2018-01-03|50')).toMatchObject([
      { figures: { temperature_max_c: 25 } },
      { figures: { temperature_max_c: 5 } },
    ])
  })

  it.each([
    ['||||||||', 'empty_row'],
    ['X|X||0.50|||1||', 'no_day'],
    ['X|X|2018-02-30|0.50|||1||', 'bad_day'],
    ['X|X|2018-02-01|wet|||1||', 'bad_figure'],
    ['X|X|2018-02-01|-1.00|||1||', 'impossible_figure'],
    ['X|X|2018-02-01|0.10|||900||', 'impossible_figure'],
    ['X|X|2018-02-01||||||70', 'no_figures'],
    ['X|X|2018-02-01|-9999|||||', 'no_figures'],
  ])('row %s is set aside: %s', (row, reason) =>
    expect(read(plain, 'X|X|2018-01-01|0.11|||||', row)[1]).toMatchObject({ reason }),
  )

  it('has zero for a trace', () =>
    expect(read(plain, 'X|X|2018-01-01|T|||||', 'X|X|2018-01-02|0.11|||||')[0]).toMatchObject({
      figures: { precipitation_mm: 0 },
    }))

  it('is distinguished from other tables', () => {
    for (const header of ['date|rain', 'STATION|NAME|DATE', 'station|date|capacity|prcpx'])
      expect(findGhcnColumns(header.split('|'))).toBeNull()
  })

  it('is read or rejected without an exception, whatever it contains', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.array(
            fc.oneof(
              fc.string({ unit: 'binary', maxLength: 9 }),
              fc.constantFrom('2018-01-01', '0.50', '12', '-9999'),
            ),
            { minLength: 9, maxLength: 9 },
          ),
          { minLength: 1 },
        ),
        (rows) => {
          const columns = findGhcnColumns(plain.split('|'))
          if (!columns) throw new Error('no columns')
          for (const found of rows.map(createGhcnRowReader(columns, detectGhcnUnits(columns, rows))))
            expect('reason' in found || Object.values(found.figures).every(Number.isFinite)).toBe(true)
        },
      ),
    )
  })
})

describe('a by-station file', () => {
  it('has a value per line in tenths', () => {
    const line = 'USW00024229,20180731,PRCP,127,,,W,2400'.split(',')
    expect(isStationLine(line)).toBe(true)
    expect(readStationLine(line)).toEqual({
      day: '2018-07-31',
      kind: 'measured',
      place: 'USW00024229',
      station: 'USW00024229',
      figures: { precipitation_mm: 12.7 },
    })
    expect(readStationLine('USW00024229,20180731,TMIN,-56,,,W,'.split(','))).toMatchObject({
      figures: { temperature_min_c: -5.6 },
    })
    expect(readStationLine('USW00024229,20180731,TMIN,-56,,I,W,'.split(','))).toBeNull()
    expect(readStationLine('USW00024229,20180731,WT08,1,,,W,'.split(','))).toBeNull()
    expect(readStationLine('USW00024229,20180231,TMIN,1,,,W,'.split(','))).toMatchObject({
      reason: 'bad_day',
    })
    expect(isStationLine('ride_id,started_at,ended_at,start'.split(','))).toBe(false)
  })

  it('.dly has a month per line', () => {
    const line = `USW00024229201802TMAX${[
      ['  101', '  W'],
      ['-9999', '   '],
      ['  111', ' IW'],
      ['  -50', '  W'],
    ]
      .map((row) => row.join(''))
      .join('')}${'-9999   '.repeat(27)}`
    expect(isDlyLine(line)).toBe(true)
    expect(readDlyLine(line)).toEqual([
      {
        day: '2018-02-01',
        kind: 'measured',
        place: 'USW00024229',
        station: 'USW00024229',
        figures: { temperature_max_c: 10.1 },
      },
      null,
      {
        day: '2018-02-04',
        kind: 'measured',
        place: 'USW00024229',
        station: 'USW00024229',
        figures: { temperature_max_c: -5 },
      },
    ])
    expect(isDlyLine('STATION,DATE')).toBe(false)
    expect(readDlyLine(line.replace('TMAX', 'WT01'))).toEqual([])
  })
})
