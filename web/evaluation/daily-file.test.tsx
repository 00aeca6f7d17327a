import i18next from 'i18next'
import Papa from 'papaparse'
import { beforeAll, expect, it } from 'vitest'
import { loadRoomTexts, startI18n } from '#web/i18n/start-i18n.ts'
import { dailyFile } from './daily-file.ts'
import { mapModes } from './modes/map-modes.ts'

beforeAll(async () => {
  await startI18n()
  await loadRoomTexts()
})

const head = 'date,shape_uuid,shape_name,value,unit,n,count,total_parked_duration\n'
const context = {
  t: i18next.t,
  mode: mapModes.parking,
  unitText: 'hours',
  layer: 'neighborhoods',
  isMetric: false,
  operators: [],
  parse: Papa.parse,
}

it('the file has the titles, units and names of the screen, one period after the other', () => {
  const now = `${head}2026-03-01,a,"Bay, north",90,minutes,2,2,120\n2026-03-01,NOT_IN_SHAPE,NOT_IN_SHAPE,,minutes,0,0,0\n`
  const before = `${head}2026-02-28,a,"Bay, north",30,minutes,1,1,30\n`
  const parts = [
    { period: 'Mar 1, 2026', csv: now },
    { period: 'Feb 28, 2026', csv: before },
  ]
  const { titles, rows } = dailyFile(parts, context)
  expect(titles).toEqual([
    'Period',
    'Date',
    'Area',
    'Value (hours)',
    'Sample size',
    'Parking events',
    'Parked hours',
    'Area ID',
  ])
  expect([...rows]).toEqual([
    ['Mar 1, 2026', '2026-03-01', 'Bay, north', 1.5, 2, 2, 2, 'a'],
    ['Mar 1, 2026', '2026-03-01', 'Outside all neighborhoods', null, 0, 0, 0, null],
    ['Feb 28, 2026', '2026-02-28', 'Bay, north', 0.5, 1, 1, 0.5, 'a'],
  ])
})

it('no row is lost of a file that is read in several slices', () => {
  const day = '2026-03-01,a,"A name with a line\nbreak",60,minutes,1,1,60\n'
  const { titles, rows } = dailyFile([{ period: null, csv: head + day.repeat(60_000) }], context)
  expect(titles[0]).toBe('Date')
  let count = 0
  for (const row of rows) count += row[3] === 1 && row[1] === 'A name with a line\nbreak' ? 1 : 0
  expect(count).toBe(60_000)
})
