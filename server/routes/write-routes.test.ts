import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import type { RouteFormat, RouteSegment } from '#contract/routes.ts'
import { parseAcceptedFormat, writeRoutes } from './write-routes.ts'
import { positions } from '../../test/positions.ts'

const row: RouteSegment = {
  segment_id: '9007199254740991',
  street: 'Main, "old" Street',
  class: 'local',
  length_m: 12.5,
  heading: 90,
  trips: 7,
  forward: 5,
  backward: 2,
}
const streets = {
  version: 'v',
  segments: new Map([
    [
      row.segment_id,
      {
        id: row.segment_id,
        street: row.street,
        class: 'local',
        lengthM: 12.5,
        heading: 90,
        box: [0, 0, 1, 0] as [number, number, number, number],
        coordinates: positions('0 0, 1 0') as [number, number][],
      },
    ],
  ]),
}
const file = {
  segments: [row, { ...row, segment_id: '1', street: '=SUM(A1)' }],
  streets,
  about: { trips: 9 },
  name: 'routes_here',
}
const writeBody = (format: RouteFormat): Buffer => writeRoutes(format, file).body as Buffer

describe('a download of routes', () => {
  it('is CSV without formulas that a spreadsheet would execute', () => {
    expect(writeBody('csv').toString()).toBe(
      'segment_id,street,class,length_m,heading,trips,forward,backward\n9007199254740991,"Main, ""old"" Street",local,12.5,90,7,5,2\n1,\'=SUM(A1),local,12.5,90,7,5,2\n',
    )
  })

  it('is JSON and GeoJSON with filters and totals', () => {
    expect(JSON.parse(writeBody('json').toString())).toEqual({ trips: 9, items: file.segments })
    expect(JSON.parse(writeBody('geojson').toString())).toMatchObject({
      type: 'FeatureCollection',
      trips: 9,
      features: [
        {
          id: row.segment_id,
          geometry: { type: 'LineString', coordinates: positions('0 0, 1 0') },
          properties: row,
        },
        { geometry: { coordinates: [] } },
      ],
    })
  })

  it('is a zip with CSV and GeoJSON', () => {
    const files = Object.entries(unzipSync(writeBody('zip')))
    expect(files.map(([name, bytes]) => [name, Buffer.from(bytes).toString()])).toEqual([
      ['routes_here.csv', writeBody('csv').toString()],
      ['routes_here.geojson', writeBody('geojson').toString()],
    ])
  })

  it('has a file name and a media type', () => {
    expect(
      (['csv', 'geojson', 'json', 'zip'] as const).map((format) =>
        Object.values(writeRoutes(format, file).headers).join(' '),
      ),
    ).toEqual([
      'text/csv; charset=utf-8 attachment; filename="routes_here.csv"',
      'application/geo+json attachment; filename="routes_here.geojson"',
      'application/json; charset=utf-8 attachment; filename="routes_here.json"',
      'application/zip attachment; filename="routes_here.zip"',
    ])
  })
})

it.each([
  [null, null],
  ['*/*', null],
  ['application/json', null],
  ['application/json, text/csv', null],
  ['text/csv;q=0.9', 'csv'],
  ['application/vnd.geo+json', 'geojson'],
  ['text/html, application/zip', 'zip'],
  ['text/csvx', null],
])('an Accept header of %j requests %j', (accept, format) => {
  expect(parseAcceptedFormat(accept)).toBe(format)
})
