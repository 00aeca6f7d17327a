import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { hourMs } from '#contract/period.ts'
import type { CountOptions } from '#contract/curb-counts.ts'
import { openFile } from '../../imports/open-file.ts'
import type { CountCell, CountSink } from './count-sink.ts'
import { readCountFile, inspectCounts } from './stage-counts.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'publicway-counts-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

async function readFile(
  file: string,
  timezone: string,
  options: CountOptions = {},
): Promise<{ sink: CountSink; cells: Record<string, number[]>; layout: string; allCells: CountCell[] }> {
  const allCells: CountCell[] = []
  const survey = await inspectCounts(openFile(file, path.basename(file)))
  const sink = await readCountFile(openFile(file, path.basename(file)), survey, {
    timezone,
    options,
    now: Date.UTC(2026, 0, 1),
    store: (cells) => Promise.resolve(void allCells.push(...cells)),
    onProgress: () => Promise.resolve(),
  })
  const cells: Record<string, number[]> = {}
  for (const { place, hour, values } of allCells) {
    const key = `${place} ${new Date(hour * 1000).toISOString().slice(0, 13)}`
    // Space-hours: occupied, known, unknown, closed.
    cells[key] = [0, 1, 2, 3].map((i) => (cells[key]?.[i] ?? 0) + values[i]! / hourMs)
  }
  return { sink, cells, layout: survey.columns.layout, allCells }
}

const readText = (text: string, timezone = 'UTC', options: CountOptions = {}) => {
  const file = path.join(folder, `${Math.random()}.csv`)
  fs.writeFileSync(file, text.trim())
  return readFile(file, timezone, options)
}
const countCodes = (sink: CountSink): Record<string, number> => Object.fromEntries(sink.codes)

test('Sensor hours in seconds do not count unknown time as vacant, and rows with capacity 0 are rejected', async () => {
  const { cells, layout, sink } = await readText(`
BLOCK_ID,STREET_BLOCK,START_TIME_DT,TOTAL_TIME,TOTAL_OCCUPIED_TIME,TOTAL_VACANT_TIME,TOTAL_UNKNOWN_TIME
101,FILLMORE ST 2200,01-APR-2011 08:00:00,36000,18000,9000,9000
101,FILLMORE ST 2200,01-APR-2011 09:00:00,36000,-5,9000,9000
102,FILLMORE ST 2300,01-APR-2011 09:00:00,0,0,0,0
,FILLMORE ST 2300,01-APR-2011 09:00:00,3600,3600,0,0
101,FILLMORE ST 2200,01-APR-2011 08:00:00,36000,36000,0,0
101,FILLMORE ST 2200,soon,36000,36000,0,0
101,FILLMORE ST 2200,36000,0,0
101,FILLMORE ST 2200,01-APR-2031 08:00:00,36000,36000,0,0`)
  expect(layout).toBe('sensor_hours')
  expect(cells).toEqual({
    '101 2011-04-01T08': [5, 7.5, 2.5, 0],
    'FILLMORE ST 2300 2011-04-01T09': [1, 1, 0, 0],
  })
  expect(countCodes(sink)).toEqual({
    negative: 1,
    no_capacity: 1,
    duplicate: 1,
    bad_time: 1,
    broken_row: 1,
    ahead: 1,
  })
  expect([sink.rows, sink.accepted, sink.setAside]).toEqual([8, 2, 6])
})

test('Averages by weekday and hour are stored in the chosen week, with the fewest operated spaces on Sunday', async () => {
  const rows = [0, 1, 2, 3, 4, 5, 6].map(
    (day) => `1st street,${day},1300.0,0.5,0.25,0.25,${day === 6 ? 1 : 10},10`,
  )
  const header =
    'STREET_NAME,DOW,TIME_OF_DAY,TOTAL_OCCUPIED_TIME_pct,TOTAL_VACANT_TIME_pct,TOTAL_UNKNOWN_TIME_pct,OP_TIME_spots,TOTAL_TIME_spots'
  const mondayFirst = await readText([header, ...rows].join('\n'), 'America/Los_Angeles', {
    date: '2024-05-01',
  })
  expect(mondayFirst.layout).toBe('sensor_week')
  // Monday, 29 April, 13:00 local time.
  expect(Object.keys(mondayFirst.cells)[0]).toBe('1st street 2024-04-29T20')
  expect(mondayFirst.cells['1st street 2024-05-05T20']).toEqual([5, 7.5, 2.5, 0])
  const sundayFirstRows = rows.map((row) =>
    row.replace(/,(\d),13/, (_, day) => `,${(Number(day) + 1) % 7},13`),
  )
  const sundayFirst = await readText([header, ...sundayFirstRows].join('\n'), 'America/Los_Angeles', {
    date: '2024-05-01',
  })
  expect(sundayFirst.cells).toEqual(mondayFirst.cells)
})

test('Averages by weekday and hour may be parts of an hour, or shares in percent', async () => {
  const read = async (text: string) =>
    (await readText(text, 'America/Los_Angeles', { date: '2024-05-01' })).cells
  const parts = await read(`
STREET_NAME,DOW,TIME_OF_DAY,TOTAL_OCCUPIED_TIME_pct,TOTAL_VACANT_TIME_pct,TOTAL_UNKNOWN_TIME_pct,TOTAL_TIME_spots
1st street,Wed,1300.0,50,25,25,10`)
  expect(parts).toEqual({ '1st street 2024-05-01T20': [5, 7.5, 2.5, 0] })
  const shares = await read(`
Street,Weekday,Hour,Occupancy Percent,Spaces
1st street,Wed,13,85,10
1st street,Wed,14,20%,10`)
  expect(shares).toEqual({
    '1st street 2024-05-01T20': [8.5, 10, 0, 0],
    '1st street 2024-05-01T21': [2, 10, 0, 0],
  })
})

test('Paid load is the share of the capacity by local hour, where a repeated hour counts as two', async () => {
  const { cells, layout, sink, allCells } = await readText(
    `
ElementKey,LocalHour,PaidLoad
1017,2016-11-06 01:00:00,0.5
1017,2016-11-06 01:00:00,1.5
1017,2016-11-06 01:00:00,0.1
1017,2016-03-13 02:00:00,0.1
1017,2016-11-06 03:00:00,
1017,2016-11-06 04:00:00,6.6`,
    'America/Los_Angeles',
  )
  expect(layout).toBe('paid_load')
  expect(allCells.every(({ source, values }) => source === 'payment' && values[5] === 1)).toBe(true)
  expect(cells).toEqual({
    '1017 2016-11-06T08': [0.5, 1, 0, 0],
    '1017 2016-11-06T09': [1.5, 1, 0, 0],
    '1017 2016-11-06T12': [6.6, 1, 0, 0],
  })
  expect(countCodes(sink)).toEqual({ above_capacity: 2, duplicate: 1, time_skipped: 1, bad_value: 1 })
})

test('Paid minutes are added up; missing minutes are unknown', async () => {
  const rows = Array.from(
    { length: 30 },
    (_, minute) =>
      `03/15/2023 09:${String(minute).padStart(2, '0')}:00 AM,3,"1ST AVE",NW,8013,8,POINT (-122.3 47.6)`,
  )
  const { cells, layout, sink } = await readText(
    [
      'OccupancyDateTime,PaidOccupancy,BlockfaceName,SideOfStreet,SourceElementKey,ParkingSpaceCount,Location',
      ...rows,
    ].join('\n'),
    'America/Los_Angeles',
  )
  expect(layout).toBe('paid_minutes')
  expect(cells).toEqual({ '8013 2023-03-15T16': [1.5, 4, 0, 0] })
  expect(sink.places.get('8013')?.place).toMatchObject({ label: '1ST AVE', lon: -122.3, lat: 47.6 })
})

test('A survey of spaces subtracts blocked spaces from the capacity, and its plates are not stored', async () => {
  const { cells, layout, sink } = await readText(
    `
Street Name,Side of Street,Spot,Note,6:00 AM,7 AM,18:00
Main St,Left,1,,7AB,,Blocked
Main St,Left,2,,,Construction,9XY
Main St,Left,3,,1P.M.,NED,?
Main St,Left,4,,K1,SSW,F4H`,
    'America/New_York',
    { date: '2022-06-07' },
  )
  expect(layout).toBe('survey')
  expect(cells).toEqual({
    'Main St | Left 2022-06-07T10': [3, 4, 0, 0],
    'Main St | Left 2022-06-07T11': [2, 3, 0, 1],
    'Main St | Left 2022-06-07T22': [2, 2, 1, 1],
  })
  expect(JSON.stringify([...sink.places.values()])).not.toMatch(/7AB|9XY|NED/)
})

test('A survey may contain numbers of vehicles by street segment', async () => {
  const { cells, sink } = await readText(`
Date,Segment ID,Spaces,8:00,9:00,10:00
2024-05-07,S1,10,7,,12
2024-05-07,S2,0,0,0,0`)
  expect(cells).toEqual({
    'S1 2024-05-07T08': [7, 10, 0, 0],
    'S1 2024-05-07T09': [0, 0, 10, 0],
    'S1 2024-05-07T10': [12, 10, 0, 0],
  })
  expect(countCodes(sink)).toEqual({ no_capacity: 1 })
})

test('Intervals of sensors have unknown gaps; overlaps are clipped, and stuck sensors rejected', async () => {
  const { cells, layout, sink } = await readText(`
DeviceId,ArrivalTime,DepartureTime,StreetMarker,StreetName,VehiclePresent
1,28/07/2019 08:00:00,28/07/2019 08:30:00,C1,ELIZABETH STREET,True
1,28/07/2019 08:20:00,28/07/2019 08:45:00,C1,ELIZABETH STREET,True
1,28/07/2019 09:00:00,28/07/2019 09:15:00,C1,ELIZABETH STREET,False
1,28/07/2019 10:00:00,28/07/2019 09:15:00,C1,ELIZABETH STREET,False
1,28/07/2019 10:00:00,28/09/2019 09:15:00,C1,ELIZABETH STREET,True`)
  expect(layout).toBe('intervals')
  expect(cells).toEqual({ 'C1 2019-07-28T08': [0.75, 0.75, 0, 0], 'C1 2019-07-28T09': [0, 0.25, 0, 0] })
  expect(countCodes(sink)).toEqual({ reversed: 1, too_long: 1, overlap: 1 })
})

test('A state of a sensor lasts until the next one, and is unknown after a day', async () => {
  const { cells, layout, sink } = await readText(`
SpaceID,EventTime_UTC,OccupancyState
CB3034,2023-03-01T08:15:00,OCCUPIED
CB3034,2023-03-01T08:45:00,VACANT
CB3034,2023-03-01T09:00:00,UNKNOWN
CB3035,2023-03-01T09:30:00,broken
CB3036,2023-03-01T09:00:00,OCCUPIED
CB3037,2023-03-01T09:30:00,VACANT`)
  expect(layout).toBe('states')
  expect(cells).toEqual({
    'CB3034 2023-03-01T08': [0.5, 0.75, 0, 0],
    'CB3036 2023-03-01T09': [0.5, 0.5, 0, 0],
  })
  expect(countCodes(sink)).toEqual({ bad_value: 1 })
})

test('Other counts may be occupied spaces, vacant spaces or percentages', async () => {
  const { cells } = await readText(`
Zone,Date,Hour,Vacant,Total Spaces
A,2024-05-07,8,2,10
A,2024-05-07,9,0,10`)
  expect(cells).toEqual({ 'A 2024-05-07T08': [8, 10, 0, 0], 'A 2024-05-07T09': [10, 10, 0, 0] })
  const percent = await readText(`
Zone,Timestamp,Occupancy,Spaces
A,2024-05-07 08:00,80%,10
A,2024-05-07 09:00,25,10
A,2024-05-07 10:00,50,10`)
  expect(percent.cells).toEqual({
    'A 2024-05-07T08': [8, 10, 0, 0],
    'A 2024-05-07T09': [2.5, 10, 0, 0],
    'A 2024-05-07T10': [5, 10, 0, 0],
  })
})

test('Other counts may have an occupancy column with numbers of vehicles', async () => {
  const { cells } = await readText(`
Zone,Timestamp,Occupancy,Spaces
A,2024-05-07 08:00,7,10
A,2024-05-07 09:00,12,10`)
  expect(cells).toEqual({ 'A 2024-05-07T08': [7, 10, 0, 0], 'A 2024-05-07T09': [12, 10, 0, 0] })
})

test('A file without columns for occupancy is rejected', async () => {
  await expect(readText('a,b\n1,2')).rejects.toThrow('of no kind of counts that is known')
})

const data = fileURLToPath(new URL('../../../../../shared/data/curb/', import.meta.url))
const hasData = fs.existsSync(data)
if (!hasData) console.warn('Skipped: published counts, which are not at ../shared/data')

test.skipIf(!hasData)(
  'The Boston survey has an occupancy of 77.6% at 6 h, 60.7% at 9 h, 81.9% at 19 h',
  async () => {
    const { sink } = await readFile(path.join(data, 'boston/space_survey.csv'), 'America/New_York', {
      date: '2022-06-07',
    })
    const getPercent = (hour: number): number =>
      Math.round((sink.profile[hour * 2]! / sink.profile[hour * 2 + 1]!) * 1000) / 10
    expect([getPercent(6), getPercent(9), getPercent(19)]).toEqual([77.6, 60.7, 81.9])
    expect([sink.rows, sink.accepted]).toEqual([384, 384])
  },
)

test.skipIf(!hasData)('SFpark averages are accepted in every row, and Sunday is the last day', async () => {
  const { sink, layout, cells } = await readFile(
    path.join(data, 'san_francisco/sfpark_sensor_hours.csv.gz'),
    'America/Los_Angeles',
    { date: '2013-05-06' },
  )
  expect(layout).toBe('sensor_week')
  expect([sink.rows, sink.accepted, sink.firstDay, sink.lastDay]).toEqual([
    19_656,
    19_656,
    '2013-05-06',
    '2013-05-12',
  ])
  // 35 spaces of 1st Street on Monday at 0:00.
  expect(cells['01st street 2013-05-06T07']![0]).toBeCloseTo(0.35406891803 * 35, 9)
})

test('A compressed file is read', async () => {
  const file = path.join(folder, 'load.csv.gz')
  fs.writeFileSync(file, gzipSync('ElementKey,LocalHour,PaidLoad\n1,2016-11-05 01:00:00,0.5'))
  expect((await readFile(file, 'UTC')).sink.accepted).toBe(1)
})
