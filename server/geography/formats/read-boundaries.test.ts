import { describe, expect, it } from 'vitest'
import { BoundaryFileError } from './boundary-file-error.ts'
import { readBoundaries } from './read-boundaries.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const point = '{"type":"Point","coordinates":[11.25,43.77]}'

function failure(name: string, content: Uint8Array): BoundaryFileError {
  try {
    readBoundaries(name, content)
  } catch (error) {
    if (error instanceof BoundaryFileError) return error
    throw error
  }
  throw new Error('was read')
}

describe('readBoundaries', () => {
  it('recognises by content, whatever the name', () => {
    expect(readBoundaries('districts.kml', bytes(point)).format).toBe('geojson')
    expect(
      readBoundaries(
        'districts.geojson',
        bytes('<kml><Placemark><Point><coordinates>1,2</coordinates></Point></Placemark></kml>'),
      ).format,
    ).toBe('kml')
    expect(
      readBoundaries('no ending', bytes(`{"geographies":[{"geography_id":"a","geography_json":${point}}]}`))
        .format,
    ).toBe('mds-geography')
    expect(readBoundaries('x.json', bytes(`${point}\n${point}\n`)).format).toBe('geojson-lines')
  })

  it('falls back on the name, so that a broken file gets the message of its own format', () => {
    expect(failure('parks.geojson', bytes('nonsense')).code).toBe('not-json')
    expect(failure('parks.zip', bytes('nonsense')).code).toBe('broken-zip')
    expect(failure('parks.kml', bytes('nonsense')).code).toBe('not-xml')
    expect(failure('parks.docx', bytes('nonsense')).code).toBe('unknown-format')
  })

  it('refuses an empty and an oversized file', () => {
    expect(failure('a.geojson', new Uint8Array(0))).toMatchObject({
      code: 'empty-file',
      message: 'The file is empty (0 bytes).',
    })
    expect(failure('a.geojson', new Uint8Array(50 * 1024 * 1024 + 1))).toMatchObject({
      code: 'file-too-large',
    })
  })

  it('names what is no boundary file at all', () => {
    const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0])
    expect(failure('districts.geojson', png).message).toContain('is a PNG image, whatever its name says')
    expect(failure('a.kml', bytes('%PDF-1.7')).message).toContain('PDF')
    expect(failure('a.gpkg', bytes('SQLite format 3\0')).message).toContain('GeoPackage')
    expect(failure('a.zip', Uint8Array.from([0x1f, 0x8b, 8, 0])).message).toContain('gzip')
  })

  it('asks for a zip when a bare .shp comes', () => {
    const shp = Uint8Array.from([0, 0, 0x27, 0x0a, 0, 0, 0, 0])
    expect(failure('districts.shp', shp)).toMatchObject({ code: 'shapefile-not-zipped' })
  })

  it('reads UTF-8 with a mark, UTF-16 with and without', () => {
    const text = '{"type":"Feature","properties":{"name":"Zürich 北"},"geometry":' + point + '}'
    const utf16 = (little: boolean, mark: boolean): Uint8Array => {
      const out = new DataView(new ArrayBuffer(2 * text.length + (mark ? 2 : 0)))
      if (mark) out.setUint16(0, 0xfeff, little)
      for (let index = 0; index < text.length; index += 1)
        out.setUint16(2 * index + (mark ? 2 : 0), text.charCodeAt(index), little)
      return new Uint8Array(out.buffer)
    }
    const files = [
      bytes(`\uFEFF${text}`),
      utf16(true, true),
      utf16(false, true),
      utf16(true, false),
      utf16(false, false),
    ]
    for (const file of files)
      expect(readBoundaries('a.geojson', file).features[0]?.properties['name']).toBe('Zürich 北')
  })

  it('reads Windows-1252 and says that it guessed', () => {
    const text = '{"type":"Feature","properties":{"name":"Zürich"},"geometry":' + point + '}'
    const read = readBoundaries(
      'a.geojson',
      Uint8Array.from(text, (sign) => sign.charCodeAt(0)),
    )
    expect(read.features[0]?.properties['name']).toBe('Zürich')
    expect(read.notes.map((note) => note.code)).toEqual(['encoding-guessed'])
  })

  it('gives the box around everything', () => {
    expect(
      readBoundaries('a', bytes('{"type":"LineString","coordinates":[[1,5],[-3,2],[4,-1]]}')).bbox,
    ).toEqual([-3, -1, 4, 5])
  })

  it('reads from a view into a larger buffer', () => {
    const padded = bytes(`junk${point}junk`)
    expect(readBoundaries('a', padded.subarray(4, padded.length - 4)).features).toHaveLength(1)
  })
})
