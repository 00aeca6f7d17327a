import { expect, test } from 'vitest'
import type { Issue } from '#contract/issues.ts'
import { issueCsvColumns, toIssueCsvLine } from './write-issues-csv.ts'

const issue: Issue = {
  id: '17',
  source: 'files',
  service_code: 'scooter',
  service_name: 'Scooter, in the way',
  description: '=cmd()',
  status: 'closed',
  source_status: 'He said "done"',
  requested_time: '2026-07-01T14:00:00.000Z',
  updated_time: null,
  closed_time: '2026-07-02T20:00:00.000Z',
  resolution_time: 30,
  address: null,
  lat: 41.5,
  lon: -72.5,
  districts: { ward: '3' },
  first_seen_time: '2026-07-03T00:00:00.000Z',
}

test('toIssueCsvLine writes a line of all columns, then the districts in order', () => {
  expect(toIssueCsvLine(issue, ['zip', 'ward'])).toBe(
    `17,files,scooter,"Scooter, in the way",closed,"He said ""done""",2026-07-01T14:00:00.000Z,,2026-07-02T20:00:00.000Z,30,,41.5,-72.5,'=cmd(),2026-07-03T00:00:00.000Z,,3\n`,
  )
  expect(issueCsvColumns).toHaveLength(15)
})

test('toIssueCsvLine quotes what a spreadsheet would execute, but not numbers', () => {
  expect(toIssueCsvLine({ ...issue, id: '-1+2', lon: -72.5 }, [])).toMatch(/^'-1\+2,.*,-72\.5,/)
})
