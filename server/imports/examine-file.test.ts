import fs from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { civilClock } from '#contract/civil-clock.ts'
import { createFolder } from '../../test/engines/open-stores.ts'
import { recognizeFile } from './examine-file.ts'

const { folder, remove } = createFolder()
afterAll(() => remove())

function recognize(header: string, row: string) {
  const filePath = path.join(folder, 'file.csv')
  fs.writeFileSync(filePath, `${header}\n${row}\n`)
  return recognizeFile(filePath, 'file.csv', {}, civilClock('America/New_York'))
}
const issues = [
  'SR Number,SR Type,Status,Created Date,Latitude,Longitude',
  'SR-1,Pothole,Open,2026-07-01,41.5,-72.5',
] as const
const vehicles = [
  'Company,Vehicle_ID,Type,Latitude,Longitude,Last_Reported',
  'Veo,v-1,scooter,41.5,-72.5,2026-07-01 10:00',
] as const

test('recognizeFile recognizes tables of 311 requests and of vehicles', async () => {
  expect(await recognize(...issues)).toMatchObject({ kind: 'issues' })
  expect(await recognize(...vehicles)).toMatchObject({ kind: 'snapshot' })
})

test.each([
  ['311 requests', issues, 'status', "Columns 3 and 7 of the file have the same name, 'Status'"],
  ['311 requests', issues, 'LATITUDE', "Columns 5 and 7 of the file have the same name, 'Latitude'"],
  ['vehicles', vehicles, 'latitude', "Columns 4 and 7 of the file have the same name, 'Latitude'"],
  ['vehicles', vehicles, 'vehicle id', "Columns 2 and 7 of the file have the same name, 'Vehicle_ID'"],
])(
  'recognizeFile refuses a table of %s with two columns of one name that is read',
  async (_kind, [header, row], name, text) => {
    await expect(recognize(`${header},${name}`, `${row},x`)).rejects.toThrow(text)
  },
)

test.each([
  ['311 requests', issues],
  ['vehicles', vehicles],
])(
  'recognizeFile accepts a table of %s with two columns of one name that is not read',
  async (_kind, [header, row]) => {
    expect(await recognize(`${header},Color,color`, `${row},x,y`)).not.toBeNull()
  },
)

test.each([
  ['deeply nested', '['.repeat(1_000_000), /is nested deeper than 64/],
  ['of one text', `{"a":"${'x'.repeat(2_000_000)}"}`, /contains a text longer than/],
  ['of too many values', `[${'1,'.repeat(5_100_000)}1]`, /contains more than 5000000 values/],
  ['that is cut off', '[{"id": 1', /cut off or damaged/],
])('recognizeFile refuses JSON %s before it is parsed', async (_name, text, sentence) => {
  const filePath = path.join(folder, 'file.json')
  fs.writeFileSync(filePath, text)
  await expect(recognizeFile(filePath, 'file.json', {}, civilClock('America/New_York'))).rejects.toThrow(
    sentence,
  )
})
