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

/**
 * A fake server that returns `uploaded` for an upload, a count for a stations file, and the finished import
 * for a start.
 */
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

it('sends the stations for trips that need them, and starts the import', async () => {
  const lines = vi.spyOn(console, 'log').mockReturnValue(undefined)
  const { api, calls } = server(waiting)
  expect(
    await sendFiles(api, 'alder', ['trips.csv'], { stations: 'list/stations.csv', dateOrder: 'mdy' }),
  ).toBe(0)
  const imports = '/v2/regions/alder/imports'
  expect(calls).toEqual([
    `${imports} trips.csv`,
    `${imports}/u/stations list/stations.csv`,
    `POST ${imports}/u/start {"date_order":"mdy"}`,
  ])
  expect(lines.mock.calls.flat()).toContain('trips.csv: places of 2 stations')
})

it('sends no stations for trips with coordinates, and names the option if they are missing', async () => {
  const lines = vi.spyOn(console, 'log').mockReturnValue(undefined)
  const withCoordinates = server(done)
  expect(await sendFiles(withCoordinates.api, 'alder', ['trips.csv'], { stations: 'stations.csv' })).toBe(0)
  expect(withCoordinates.calls).toHaveLength(1)
  expect(await sendFiles(server(waiting).api, 'alder', ['trips.csv'], {})).toBe(1)
  expect(lines.mock.calls.flat()).toContain(
    'trips.csv: it has stations and no coordinates: add --stations with the file of its stations.',
  )
})
