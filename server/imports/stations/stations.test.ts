import fs from 'node:fs'
import path from 'node:path'
import { zipSync } from 'fflate'
import { afterAll, describe, expect, it } from 'vitest'
import { createFolder } from '../../../test/engines/open-stores.ts'
import { readStations, type Station } from './read-stations.ts'
import { findStationColumns } from './station-columns.ts'
import { countStations, loadStations, createStationLookup, writeStations } from './station-places.ts'

const { folder, remove } = createFolder()
afterAll(() => remove())

let files = 0
function saved(content: string | Uint8Array): string {
  const filePath = path.join(folder, String(files++))
  fs.writeFileSync(filePath, content)
  return filePath
}
const read = (content: string | Uint8Array | object) =>
  readStations(
    saved(typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content)),
  )
const station = (id: string, name: string, lon = -80, lat = 40.44): Station => ({ id, name, lon, lat })

describe('a list of stations', () => {
  it.each([
    ['Station #,Station Name,# of Racks,Latitude,Longitude\n1000,Liberty Ave,16,40.44,-80\n'],
    ['\uFEFFstation_id;name;lat;lon\n1000;Liberty Ave;40.44;-80\n'],
    ['lng,lat,id,name,address\n-80,40.44,1000,"Liberty Ave","Liberty Ave, Pittsburgh"\n'],
  ])('is read from the table %j', async (text) => {
    expect(await read(text)).toEqual({ stations: [station('1000', 'Liberty Ave')], skipped: 0 })
  })

  it('is read from GBFS, GeoJSON, a list of objects and a zip', async () => {
    const list = [station('1000', 'Liberty Ave')]
    expect(
      await read({
        last_updated: 1,
        data: { stations: [{ station_id: '1000', name: 'Liberty Ave', lon: -80, lat: 40.44, capacity: 5 }] },
      }),
    ).toEqual({ stations: list, skipped: 0 })
    const feature = (coordinates: unknown, properties: object) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates },
      properties,
    })
    const points = [
      feature([-80, 40.44], { STATION_ID: 1000, NAME: 'Liberty Ave' }),
      feature(null, { NAME: 'Nowhere' }),
    ]
    expect(await read({ type: 'FeatureCollection', features: points })).toEqual({
      stations: list,
      skipped: 1,
    })
    expect(await read([{ id: 1000, name: 'Liberty Ave', latitude: '40.44', longitude: '-80' }])).toEqual({
      stations: list,
      skipped: 0,
    })
    const zip = zipSync({
      'stations.csv': Buffer.from('id,name,lat,lon\n1000,Liberty Ave,40.44,-80\n'),
      'readme.txt': Buffer.from('x'),
    })
    expect(await read(zip)).toEqual({ stations: list, skipped: 0 })
  })

  it('skips records without valid coordinates, or without an id and a name', async () => {
    expect(
      await read('id,name,lat,lon\n1,A,40.44,-80\n2,B,,\n3,C,140,-80\n4,D,north,-80\n,,40.44,-80\n'),
    ).toEqual({ stations: [station('1', 'A')], skipped: 4 })
  })

  it.each([
    ['id,name,address\n1,A,x\n', /one station a row.*This file has the columns id, name, address/],
    ['lat,lon,capacity\n40,-80,3\n', /This file has the columns lat, lon, capacity/],
    ['id,lat,lon\n1,,\n', /no station with a place/],
    ['{"trips": []}', /no list of stations/],
    ['[{"id": 1', /cut off or damaged/],
    ['', /empty/],
  ])('%j is refused with a message', async (text, sentence) => expect(read(text)).rejects.toThrow(sentence))

  it('recognizes the column names of operators', () => {
    expect(findStationColumns(['Kiosk ID', 'Kiosk Name', 'Latitude', 'Longitude'])).toEqual({
      id: 0,
      name: 1,
      lat: 2,
      lon: 3,
    })
    expect(findStationColumns(['Station', 'Lat', 'Long'])).toEqual({ id: -1, name: 0, lat: 1, lon: 2 })
    expect(findStationColumns(['Terminal', 'Station', 'Lat', 'Lng'])).toEqual({
      id: 0,
      name: 1,
      lat: 2,
      lon: 3,
    })
  })
})

describe('the location of a station', () => {
  const findStation = createStationLookup([
    station('1000', 'Liberty Ave'),
    station('1001', 'Penn Ave', -80.1),
    station('1002', 'Penn Ave', -80.2),
    station('', 'Hub', -80.3),
    station('1003', '1000', -80.4),
  ])

  it('is found by its id, else by its name, even in the format of spreadsheets', () => {
    for (const text of ['1000', '1000.0', ' liberty  AVE '])
      expect(findStation(text)).toEqual({ lon: -80, lat: 40.44 })
    expect(findStation('Hub')).toEqual({ lon: -80.3, lat: 40.44 })
    expect(findStation('1001')).toEqual({ lon: -80.1, lat: 40.44 })
  })

  it('is unknown or ambiguous rather than guessed', () => {
    expect(findStation('Penn Ave')).toBe('ambiguous')
    expect(findStation('1017')).toBe('unknown')
    // Twice in the list at the same place is one station.
    expect(createStationLookup([station('1', 'A'), station('1', 'A', -80.000_001)])('1')).toMatchObject({
      lat: 40.44,
    })
  })

  it('is stored until the rows of the trip file are stored', async () => {
    const file = saved(writeStations([station('1', 'A')]).toString())
    expect((await loadStations(file))('a')).toEqual({ lon: -80, lat: 40.44 })
  })

  it('is compared with the region', () => {
    const center = { lon: -80, lat: 40.44 }
    expect(
      countStations([station('1', 'A'), station('2', 'B', 40.44, -80), station('3', 'C', 0, 0)], center),
    ).toEqual({ rows: 3, outside: 2, swapped: 1 })
  })
})
