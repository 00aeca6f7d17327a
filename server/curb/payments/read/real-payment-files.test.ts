import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openFile } from '../../imports/open-file.ts'
import { surveyTable } from '../../imports/table/survey-table.ts'
import { readPaymentFile, type ReadCounts } from './read-payment-file.ts'
import { suggestPaymentMapping } from './suggest-payment-mapping.ts'

const data = fileURLToPath(new URL('../../../../../shared/data/curb/', import.meta.url))
const present = fs.existsSync(data)
if (!present) console.warn('Skipped: published payment files, which are not at ../shared/data')

async function readFile(path: string) {
  const file = openFile(data + path, path)
  const reading = {
    vendor: 'V',
    timezone: 'America/New_York',
    currency: 'USD',
    currencyDigits: 2,
    now: Date.UTC(2026, 0, 1),
  }
  const mapping = suggestPaymentMapping(await surveyTable(file), reading)
  const lines: string[][] = []
  const report: string[] = []
  let counts: ReadCounts | null = null
  let places = 0
  await readPaymentFile(
    file,
    { ...reading, key: 'k', mapping, filePath: '', fileName: path, regionId: 'r', importId: 'i' },
    (chunk) => {
      const text = Buffer.from(chunk.rows).toString()
      lines.push(...text.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')])))
      report.push(...Buffer.from(chunk.report).toString().split('\n').slice(0, -1))
      counts = chunk.counts
      places += chunk.places.length
      return Promise.resolve()
    },
  )
  if (!counts) throw new Error('The file was not read')
  return { mapping, lines, report, places, counts: counts as ReadCounts }
}

describe.skipIf(!present)('published payment files (skipped where ../shared/data is absent)', () => {
  it('Charlottesville: sums amounts to the cent, without statuses that are neither session nor revenue', async () => {
    const { mapping, counts, lines, report, places } = await readFile('charlottesville/transactions.csv.gz')
    expect(mapping).toMatchObject({
      clock: '12',
      extensions: 'own',
      amount_unit: 'major',
      columns: {
        row_id: 'recordid',
        location: 'spacename',
        paid_time: 'date_payment',
        paid_clock: 'time_payment',
        end_time: 'parkingendtime',
        duration: 'timepurchased',
        remaining: 'totalparkingtime',
        amount: 'total',
        plate: 'licenseplateanon',
        status: 'transactionstatus',
        payment_type: 'transactiontype',
      },
    })
    expect(counts.file).toEqual({ rows: 27_661, amount: 5_144_219 })
    expect(counts.setAside).toEqual({ rows: 0, amount: 0 })
    // 745 amounts of zero: declined 94, canceled 228, no time 109, tests and service 73 + 18 + 2, others.
    expect(counts.kinds).toEqual({
      counted: { rows: 26_916, amount: 5_144_219 },
      declined: { rows: 94, amount: 0 },
      cancelled: { rows: 228, amount: 0 },
      no_time: { rows: 109, amount: 0 },
      test: { rows: 93, amount: 0 },
      zero: { rows: 221, amount: 0 },
    })
    expect(places).toBe(41)
    expect(report).toEqual([])
    // The false offset does not matter: 02:32 in the afternoon is 14:32 in New York.
    expect(lines[1]?.slice(1, 4)).toEqual([
      '2017-09-15',
      '14',
      String(Date.UTC(2017, 8, 15, 18, 32, 19) / 1000),
    ])
  })

  it('Columbus: reads times without seconds, with equal rows as separate payments', async () => {
    const { mapping, counts } = await readFile('columbus/transactions_2015-01-01.csv')
    expect(mapping).toMatchObject({
      place_kind: 'pole',
      repeated_rows: 'payment',
      date_order: 'mdy',
      columns: {
        location: 'Pole',
        start_time: 'ParkingStartDate',
        end_time: 'ParkingEndDate',
        amount: 'TotalCredit',
        payment_type: 'TransactionType',
      },
    })
    expect(counts.file).toEqual({ rows: 1000, amount: 61_635 })
    expect(counts.kinds.counted).toEqual({ rows: 1000, amount: 61_635 })
    expect(counts.setAside.rows).toBe(0)
  })
})
