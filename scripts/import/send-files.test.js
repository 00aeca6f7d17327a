import { expect, it, vi } from 'vitest'
import { sendFiles } from './send-files.ts'

const done = {
  import_uuid: 'u',
  file_name: 'trips.csv',
  kind: 'trips',
  status: 'done',
  asks: [],
  notes: [],
  rows_read: 2,
  rows_accepted: 2,
  rows_flagged: 0,
  rows_rejected: 0,
  reasons: {},
  layout: null,
  same_as: null,
  problem: null,
}
const waiting = { ...done, status: 'needs_mapping', asks: ['stations'] }

/** A server that answers an upload with this, a stations file with its count, and a start with the import as done. */
function server(uploaded) {
  const calls = []
  const api = {
    sendFile: async (path, file) => (
      calls.push(`${path.split('?')[0]} ${file}`),
      path.includes('/stations?') ? { stations: 2, skipped: 0 } : uploaded
    ),
    json: async (method, path, body) => (calls.push(`${method} ${path} ${JSON.stringify(body)}`), done),
  }
  return { api, calls }
}

it('sends the stations of trips that wait for them, and starts the import', async () => {
  const lines = vi.spyOn(console, 'log').mockReturnValue(undefined)
  const { api, calls } = server(waiting)
  expect(
    await sendFiles(api, 'alder', ['trips.csv'], { stations: 'list/stations.csv', dateOrder: 'mdy' }),
  ).toBe(0)
  const at = '/v2/regions/alder/imports'
  expect(calls).toEqual([
    `${at} trips.csv`,
    `${at}/u/stations list/stations.csv`,
    `POST ${at}/u/start {"date_order":"mdy"}`,
  ])
  expect(lines.mock.calls.flat()).toContain('trips.csv: places of 2 stations')
})

it('sends no stations for trips that have coordinates, and names the option where they are missing', async () => {
  const lines = vi.spyOn(console, 'log').mockReturnValue(undefined)
  const whole = server(done)
  expect(await sendFiles(whole.api, 'alder', ['trips.csv'], { stations: 'stations.csv' })).toBe(0)
  expect(whole.calls).toHaveLength(1)
  expect(await sendFiles(server(waiting).api, 'alder', ['trips.csv'], {})).toBe(1)
  expect(lines.mock.calls.flat()).toContain(
    'trips.csv: it has stations and no coordinates: add --stations with the file of its stations.',
  )
})
