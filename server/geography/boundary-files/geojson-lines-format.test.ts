import { describe, expect, it } from 'vitest'
import { geojsonLinesFormat } from './geojson-lines-format.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const feature = (name: string): string =>
  JSON.stringify({ type: 'Feature', properties: { name }, geometry: { type: 'Point', coordinates: [1, 2] } })

describe('newline-delimited GeoJSON', () => {
  it('numbers features by line', () => {
    const read = geojsonLinesFormat.read(encode(`${feature('a')}\r\n\n${feature('b')}\n`))
    expect(read.features.map((feature) => [feature.position, feature.properties['name']])).toEqual([
      [1, 'a'],
      [3, 'b'],
    ])
    expect(read.format).toBe('geojson-lines')
  })

  it('reads a text sequence (RFC 8142) with records of several lines', () => {
    const pretty = JSON.stringify(JSON.parse(feature('b')), null, 2)
    const read = geojsonLinesFormat.read(encode(`\u001e${feature('a')}\n\u001e${pretty}\n`))
    expect(read.features.map((feature) => [feature.position, feature.properties['name']])).toEqual([
      [1, 'a'],
      [2, 'b'],
    ])
  })

  it('omits an invalid line with a note and accepts bare geometries', () => {
    const read = geojsonLinesFormat.read(
      encode(`${feature('a')}\n{"type":"Fea\n{"type":"Point","coordinates":[3,4]}`),
    )
    expect(read.features.map(({ position }) => position)).toEqual([1, 3])
    expect(read.notes).toEqual([
      { position: 2, code: 'not-json', text: 'Line 2 is not complete, valid JSON and was left out.' },
    ])
  })

  it('rejects a line that is a collection', () => {
    expect(() =>
      geojsonLinesFormat.read(encode(`${feature('a')}\n{"type":"FeatureCollection","features":[]}`)),
    ).toThrow('Line 2 contains a whole FeatureCollection')
  })

  it('is distinguished from pretty-printed JSON', () => {
    expect(geojsonLinesFormat.detect('a.json', encode('{\n"type": "Feature"\n}'))).toBeNull()
    expect(geojsonLinesFormat.detect('a.json', encode(`${feature('a')}\n`))).toBeNull()
    expect(geojsonLinesFormat.detect('a.json', encode(`${feature('a')}\n{`))).toBe('by content')
    expect(geojsonLinesFormat.detect('a.geojsonl', encode('x'))).toBe('by name')
  })
})
