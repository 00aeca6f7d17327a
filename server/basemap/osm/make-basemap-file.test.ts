import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BasemapShape } from '#contract/basemap.ts'
import type { Box } from '#contract/place.ts'
import { blob, header, message, number, type OsmThings, writeOsm } from '../../../test/osm-writer.ts'
import { makeBasemapFile } from './make-basemap-file.ts'
import { OsmFileError } from './osm-file-error.ts'
import { positions } from '../../../test/positions.ts'

let folder: string
beforeAll(() => (folder = fs.mkdtempSync(path.join(tmpdir(), 'publicway-osm-'))))
afterAll(() => fs.rmSync(folder, { recursive: true }))

const region = { text: 'Alder', lat: 41.5, lon: -72.5 }

/** Converts the bytes of a file. */
async function convert(bytes: Buffer, box: Box | null = null) {
  const from = path.join(folder, 'city.osm.pbf')
  const to = path.join(folder, 'made.jsonl')
  fs.writeFileSync(from, bytes)
  const result = await makeBasemapFile(from, to, { box, region, source: 'city.osm.pbf' })
  const lines = fs
    .readFileSync(to, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  return { result, head: lines[0], shapes: lines.slice(1, -1) as BasemapShape[], end: lines.at(-1) }
}

/** Makes a square of nodes, starting at an id. */
const square = (first: number, west: number, south: number, side: number): OsmThings['nodes'] =>
  Object.fromEntries(
    positions('0 0, 1 0, 1 1, 0 1').map(([x = 0, y = 0], index) => [
      first + index,
      [west + x * side, south + y * side],
    ]),
  )
const listCorners = (first: number): number[] => [first, first + 1, first + 2, first + 3, first]

const city: OsmThings = {
  nodes: {
    1: [-72.52, 41.5],
    2: [-72.51, 41.5],
    3: [-72.5, 41.5],
    4: [-72.5, 41.51],
    5: [-72.505, 41.505, { place: 'suburb', name: 'Mill End' }],
    6: [-72.4, 41.5, { place: 'country', name: 'Far' }],
    ...square(10, -72.55, 41.45, 0.04),
    ...square(20, -72.54, 41.46, 0.02),
    ...square(30, -72.535, 41.465, 0.005),
    ...square(40, -72.6, 41.4, 0.01),
  },
  ways: [
    { id: 101, nodes: [1, 2], tags: { highway: 'primary', name: 'Main Street' } },
    { id: 102, nodes: [3, 2], tags: { highway: 'primary', name: 'Main Street' } },
    { id: 103, nodes: [3, 4], tags: { highway: 'residential' } },
    { id: 104, nodes: [2, 4], tags: { highway: 'footway', footway: 'sidewalk' } },
    { id: 105, nodes: [1, 4], tags: { highway: 'cycleway', name: 'Greenway' } },
    { id: 106, nodes: [1, 3], tags: { railway: 'tram', name: 'Line 1' } },
    { id: 107, nodes: [2, 3], tags: { waterway: 'river', name: 'Alder River' } },
    { id: 108, nodes: [10, 11, 12] },
    { id: 109, nodes: [10, 13, 12], tags: { leisure: 'park' } },
    { id: 110, nodes: listCorners(20) },
    { id: 111, nodes: listCorners(30) },
    { id: 112, nodes: listCorners(40), tags: { leisure: 'park', name: 'Square' } },
    { id: 113, nodes: [1, 2, 3], tags: { natural: 'coastline' } },
    { id: 114, nodes: [2, 4], tags: { building: 'yes' } },
  ],
  relations: [
    {
      id: 201,
      members: [
        { ref: 108, role: 'outer' },
        { ref: 109, role: 'outer' },
        { ref: 110, role: 'outer' },
        { ref: 111, role: 'inner' },
      ],
      tags: { type: 'multipolygon', natural: 'water', name: 'Alder Lake' },
    },
    { id: 202, members: [{ ref: 101 }], tags: { type: 'route', route: 'bus' } },
  ],
}

describe('a city', () => {
  it.each([
    ['packed together', {}],
    ['one by one', { dense: false }],
    ['not compressed', { packed: false }],
  ])('is read with nodes %s', async (_, writing) => {
    const { head, shapes, end, result } = await convert(writeOsm(city, writing))
    expect(head).toEqual({ basemap: 1, attribution: '© OpenStreetMap contributors', source: 'city.osm.pbf' })
    expect(end).toEqual({ end: shapes.length })
    expect(shapes.map(({ role, class: kind, name, id }) => `${role} ${kind} ${name} ${id}`).sort()).toEqual([
      'park park Square w112',
      'place suburb Mill End n5',
      'rail tram Line 1 w106',
      'street arterial Main Street w101',
      'street local  w103',
      'street path Greenway w105',
      'water river Alder River w107',
      'water water Alder Lake r201',
    ])
    expect(result).toMatchObject({ coastlines: 1, openAreas: 0, missingNodes: 0 })
    expect(result.counts.get('street')).toBe(3)
  })

  it('joins the ways of a street', async () => {
    const { shapes } = await convert(writeOsm(city))
    expect(shapes.find(({ name }) => name === 'Main Street')?.geometry).toEqual({
      type: 'LineString',
      coordinates: positions('-72.52 41.5, -72.51 41.5, -72.5 41.5'),
    })
  })

  it('has holes in areas, and islands in holes, whatever the roles of the ways', async () => {
    const { shapes } = await convert(writeOsm(city))
    const lake = shapes.find(({ name }) => name === 'Alder Lake')?.geometry
    expect(lake?.type).toBe('MultiPolygon')
    const polygons = (lake?.coordinates ?? []) as number[][][][]
    expect(polygons.map((rings) => rings.map((ring) => ring.length))).toEqual([[5, 5], [5]])
    expect(polygons[0]?.[1]).toContainEqual([-72.54, 41.46])
    expect(polygons[1]?.[0]).toContainEqual([-72.535, 41.465])
  })

  it('is converted to the same lines every time', async () =>
    expect(await convert(writeOsm(city))).toEqual(await convert(writeOsm(city))))

  it('is limited to a box: lines that intersect it are complete, areas are cut at its edge', async () => {
    const { shapes } = await convert(writeOsm(city), [-72.53, 41.47, -72.495, 41.52])
    expect(shapes.some(({ name }) => name === 'Square')).toBe(false)
    expect(shapes.map(({ name }) => name)).toContain('Main Street')
    const rings = (shapes.find(({ name }) => name === 'Alder Lake')?.geometry.coordinates ??
      []) as number[][][]
    const corners = rings.flat(2).length
      ? (JSON.stringify(rings)
          .match(/-?\d+\.?\d*/g)
          ?.map(Number) ?? [])
      : []
    expect(Math.min(...corners.filter((corner) => corner < 0))).toBeGreaterThanOrEqual(-72.53)
    expect(Math.min(...corners.filter((corner) => corner > 0))).toBeGreaterThanOrEqual(41.47)
  })
})

describe('makeBasemapFile', () => {
  it('splits a line where a node is not in the file', async () => {
    const { shapes, result } = await convert(
      writeOsm({
        nodes: { 1: [-72.5, 41.5], 2: [-72.49, 41.5], 4: [-72.47, 41.5], 5: [-72.46, 41.5] },
        ways: [{ id: 7, nodes: [1, 2, 3, 4, 5], tags: { highway: 'tertiary', name: 'Long Road' } }],
      }),
    )
    expect(shapes.map(({ id, geometry }) => [id, geometry.coordinates.length])).toEqual([
      ['w7', 2],
      ['w7.1', 2],
    ])
    expect(result.missingNodes).toBe(1)
  })

  it('omits an area that is not closed, and counts it', async () => {
    const { relations, ...others } = city
    const { shapes, result } = await convert(
      writeOsm({
        ...others,
        ways: others.ways?.filter(({ id }) => id !== 108) ?? [],
        relations: relations ?? [],
      }),
    )
    expect(result.openAreas).toBe(1)
    const rings = shapes.find(({ name }) => name === 'Alder Lake')?.geometry.coordinates ?? []
    expect(JSON.stringify(rings)).not.toContain('-72.55')
  })

  it('accepts missing texts, members and types', async () => {
    const group = message(3, [
      ...number(1, 9),
      ...message(2, [1]),
      ...message(3, [77]),
      ...message(8, [2, 2]),
    ])
    const objects = {
      nodes: { 1: [-72.5, 41.5] as [number, number], 2: [-72.49, 41.5] as [number, number] },
      ways: [{ id: 1, nodes: [1, 2], tags: { highway: 'primary' } }],
    }
    const bytes = Buffer.concat([
      writeOsm(objects),
      blob('OSMData', Buffer.from([...message(1, message(1, Buffer.from(''))), ...message(2, group)])),
    ])
    expect((await convert(bytes)).shapes).toHaveLength(1)
  })

  it('accepts negative ids, which editors give to new objects', async () => {
    const { shapes } = await convert(
      writeOsm({
        nodes: { 1: [-72.5, 41.5], 2: [-72.49, 41.5], 3: [-72.48, 41.5] },
        ways: [
          { id: -102401, nodes: [1, 2], tags: { highway: 'primary', name: 'A' } },
          { id: -102402, nodes: [2, 3], tags: { highway: 'primary', name: 'B' } },
        ],
      }),
    )
    expect(shapes.map(({ id }) => id)).toEqual(['w-102401', 'w-102402'])
  })
})

describe('an invalid file', () => {
  const good = writeOsm(city)
  const lying = message(2, number(1, 5)).with(1, 100)
  const cases: [string, Buffer, RegExp][] = [
    ['is empty', Buffer.alloc(0), /^The file is empty\.$/],
    [
      'is of another kind',
      Buffer.from('<?xml version="1.0"?><osm></osm>'),
      /not an OpenStreetMap file in the PBF format/,
    ],
    ['has only a header', header(), /only a header/],
    ['begins with data', good.subarray(header().length), /not an OpenStreetMap file/],
    ['ends in the middle', good.subarray(0, good.length - 20), /cut off/],
    ['ends within a length', good.subarray(0, header().length + 2), /cut off/],
    [
      'decompresses to more than its declared size',
      Buffer.concat([header(), blob('OSMData', Buffer.alloc(100_000), { declaredSize: 100 })]),
      /decompresses to more than its declared size/,
    ],
    [
      'decompresses to less than its declared size',
      Buffer.concat([header(), blob('OSMData', Buffer.alloc(100), { declaredSize: 1000 })]),
      /decompresses to less than its declared size/,
    ],
    [
      'is a bomb',
      Buffer.concat([header(), blob('OSMData', Buffer.alloc(40_000_000), { declaredSize: 40_000_000 })]),
      /larger than the format allows/,
    ],
    [
      'has a part that says it is huge',
      Buffer.concat([header(), blob('OSMData', Buffer.alloc(10), { length: 64 * 1024 * 1024 })]),
      /damaged/,
    ],
    [
      'has a length that reaches beyond its end',
      Buffer.concat([header(), blob('OSMData', Buffer.from(lying))]),
      /beyond its end/,
    ],
    [
      'has rubbish in place of packed data',
      Buffer.concat([header(), rawBlob('OSMData', [...number(2, 4), ...message(3, [1, 2, 3, 4])])]),
      /damaged/,
    ],
    [
      'is packed in another way',
      Buffer.concat([header(), rawBlob('OSMData', [...number(2, 3), ...message(7, [1, 2, 3])])]),
      /Zstandard; only zlib is supported/,
    ],
    [
      'has fewer places than nodes',
      Buffer.concat([
        header(),
        blob(
          'OSMData',
          Buffer.from([
            ...message(1, []),
            ...message(2, message(2, [...message(1, [2, 2, 2]), ...message(8, [0]), ...message(9, [0])])),
          ]),
        ),
      ]),
      /fewer places than nodes/,
    ],
    [
      'is a history',
      writeOsm(city, { features: ['OsmSchema-V0.6', 'HistoricalInformation'] }),
      /history file/,
    ],
    [
      'needs what nobody knows',
      writeOsm(city, { features: ['OsmSchema-V9'] }),
      /requires the feature 'OsmSchema-V9'/,
    ],
    ['has nothing that is drawn', writeOsm({ nodes: { 1: [-72.5, 41.5] } }), /nothing to draw/],
    [
      'has no nodes',
      writeOsm({ nodes: {}, ways: [{ id: 1, nodes: [1, 2], tags: { highway: 'primary' } }] }),
      /no nodes in the file/,
    ],
    [
      'is of another place',
      writeOsm({
        nodes: { 1: [9.1, 45.4], 2: [9.2, 45.5] },
        ways: [{ id: 1, nodes: [1, 2], tags: { highway: 'primary' } }],
      }),
      /another place: it covers 9\.10, 45\.40, 9\.20, 45\.50 .*Alder lies at -72\.50, 41\.50/,
    ],
  ]
  it.each(cases)('%s', async (_, bytes, text) => {
    const error: unknown = await convert(bytes).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(OsmFileError)
    expect((error as Error).message).toMatch(text)
    expect((error as Error).message).not.toContain('\n')
  })

  it('is refused at every position where it may be truncated', async () => {
    for (let length = 1; length < good.length; length += 37)
      await expect(convert(good.subarray(0, length))).rejects.toBeInstanceOf(OsmFileError)
  })
})

/** Makes a blob with the given type and content, which may be invalid. */
function rawBlob(type: string, body: number[]): Buffer {
  const emptyBlob = blob(type, Buffer.alloc(0), { packed: false, length: body.length })
  return Buffer.concat([emptyBlob.subarray(0, emptyBlob.length - 2), Buffer.from(body)])
}
