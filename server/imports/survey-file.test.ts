import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { createFolder } from '../../test/engines/open-stores.ts'
import { surveyFile } from './survey-file.ts'
import { determineOrder } from '#server/table-files/date-orders.ts'

const { folder, remove } = createFolder()
afterAll(() => remove())

const center = { lon: -74, lat: 40.7 }
async function survey(bytes: string | Uint8Array, isTable = true) {
  const filePath = path.join(folder, 'file')
  fs.writeFileSync(filePath, bytes)
  return surveyFile({ filePath, isTable, placeColumns: { lon: 'lon', lat: 'lat' }, center })
}

test('surveyFile counts the rows of a file: inside of the region, outside, invalid, and with swapped axes', async () => {
  const { rows, places } = await survey(
    'id,lon,lat\n1,-74,40.7\n2,1016,1016\n3,40.7,-74\n4,-80,40\n5,,\n6,x,40\n\n7,"open\n',
  )
  expect(rows).toBe(7)
  expect(places).toEqual({ rows: 4, outside: 3, swapped: 1 })
})

test('surveyFile finds dates in every column, even after thousands of rows in another order', async () => {
  const lines = [
    'when,what,lon',
    ...Array.from({ length: 5000 }, () => '03/04/2026 10:00,4,1.5'),
    '13/04/2026 10:00,4,1.5',
  ]
  const { dates } = await survey(lines.join('\n'))
  expect(Object.keys(dates)).toEqual(['when'])
  expect(determineOrder(dates['when'] ?? {})).toEqual({ order: 'dmy' })
})

test('surveyFile returns the same hash for compressed files, and reads no rows of other files', async () => {
  const plain = await survey('{"a": [\n1,2,3]}', false)
  expect(plain).toMatchObject({ rows: 0, dates: {} })
  expect((await survey(gzipSync('{"a": [\n1,2,3]}'), false)).contentHash).toBe(plain.contentHash)
})
