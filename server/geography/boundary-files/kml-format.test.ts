import { describe, expect, it } from 'vitest'
import { BoundaryFileError } from './boundary-file-error.ts'
import { kmlFormat } from './read-boundaries.ts'
import { positions } from '../../../test/positions.ts'

const read = (text: string): ReturnType<typeof kmlFormat.read> =>
  kmlFormat.read(new TextEncoder().encode(text))
const document = (inner: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document><name>City</name>${inner}</Document></kml>`
const ring = (text: string): string => `<LinearRing><coordinates>${text}</coordinates></LinearRing>`
const square = '0,0,5 1,0,5 1,1,5 0,1,5 0,0,5'

describe('KML', () => {
  it('reads areas with holes, names, descriptions and folders', () => {
    const { features, notes } = read(
      document(
        `<Folder><name>Zones</name><Folder><name>Slow &amp; quiet</name><Placemark id="p"><name> Plaza </name><description><![CDATA[<b>No riding</b>]]></description><Style><PolyStyle><name>x</name></PolyStyle></Style><Polygon><innerBoundaryIs>${ring('.2,.2 .4,.2 .4,.4 .2,.2')}</innerBoundaryIs><outerBoundaryIs>${ring(square)}</outerBoundaryIs></Polygon></Placemark></Folder></Folder>`,
      ),
    )
    expect(features).toEqual([
      {
        position: 1,
        properties: { name: 'Plaza', description: '<b>No riding</b>', folder: 'Zones / Slow & quiet' },
        geometry: {
          type: 'Polygon',
          coordinates: [
            positions('0 0, 1 0, 1 1, 0 1, 0 0'),
            positions('0.2 0.2, 0.4 0.2, 0.4 0.4, 0.2 0.2'),
          ],
        },
      },
    ])
    expect(notes.map((note) => note.code)).toEqual(['heights-dropped'])
  })

  it('reads lines, rings, points and tracks', () => {
    const { features } = read(
      document(
        `<Placemark><LineString><tessellate>1</tessellate><coordinates>\n 1,2\n 3 , 4,\t5 \n</coordinates></LineString></Placemark><Placemark>${ring('0,0 1,1')}</Placemark><Placemark><Point><coordinates>7,8</coordinates></Point></Placemark><Placemark><gx:Track><when>2020-01-01</when><gx:coord>1 2 0</gx:coord><gx:coord>3 4 0</gx:coord></gx:Track></Placemark>`,
      ),
    )
    expect(features.map((feature) => feature.geometry)).toEqual([
      { type: 'LineString', coordinates: positions('1 2, 3 4') },
      { type: 'LineString', coordinates: positions('0 0, 1 1') },
      { type: 'Point', coordinates: [7, 8] },
      { type: 'LineString', coordinates: positions('1 2, 3 4') },
    ])
  })

  it('joins a MultiGeometry into one shape', () => {
    const polygon = (text: string): string =>
      `<Polygon><outerBoundaryIs>${ring(text)}</outerBoundaryIs></Polygon>`
    const { features } = read(
      document(
        `<Placemark><MultiGeometry>${polygon('0,0 1,0 1,1 0,0')}<MultiGeometry>${polygon('5,5 6,5 6,6 5,5')}</MultiGeometry></MultiGeometry></Placemark>`,
      ),
    )
    expect(features).toHaveLength(1)
    expect(features[0]?.geometry).toMatchObject({
      type: 'MultiPolygon',
      coordinates: [{ length: 1 }, { length: 1 }],
    })
  })

  it('reads ExtendedData with the types of its schema', () => {
    const schema =
      '<Schema name="s" id="s"><SimpleField name="pop" type="int"/><SimpleField name="open" type="bool"/><SimpleField name="none" type="double"/><SimpleField name="text" type="string"/></Schema>'
    const data =
      '<ExtendedData><Data name="zone"><displayName>Zone</displayName><value>Z-1</value></Data><SchemaData schemaUrl="#s"><SimpleData name="pop">12</SimpleData><SimpleData name="open">false</SimpleData><SimpleData name="none"></SimpleData><SimpleData name="text">007</SimpleData></SchemaData></ExtendedData>'
    const { features } = read(
      document(`${schema}<Placemark>${data}<Point><coordinates>1,2</coordinates></Point></Placemark>`),
    )
    expect(features[0]?.properties).toEqual({ zone: 'Z-1', pop: 12, open: false, none: null, text: '007' })
  })

  it('reads prefixed elements and the stated encoding', () => {
    const text =
      '<?xml version="1.0" encoding="ISO-8859-1"?><k:kml xmlns:k="http://www.opengis.net/kml/2.2"><k:Placemark><k:name>Ärla</k:name><k:Point><k:coordinates>1,2</k:coordinates></k:Point></k:Placemark></k:kml>'
    expect(
      kmlFormat.read(Uint8Array.from(text, (sign) => sign.charCodeAt(0))).features[0]?.properties,
    ).toEqual({ name: 'Ärla' })
  })

  it('omits invalid placemarks and other elements with notes', () => {
    const { features, notes } = read(
      document(
        '<NetworkLink><name>more</name></NetworkLink><GroundOverlay/><Placemark><name>none</name></Placemark><Placemark><Point><coordinates>x,2</coordinates></Point></Placemark><Placemark><Point><coordinates>45.5,-122.6</coordinates></Point></Placemark><Placemark><Point><coordinates>1,2</coordinates></Point></Placemark>',
      ),
    )
    expect(features.map((feature) => feature.position)).toEqual([4])
    expect(notes.map((note) => note.text)).toEqual([
      'The file contains a link to another file, which is no shape and was left out.',
      'The file contains a picture laid on the ground, which is no shape and was left out.',
      'Placemark 1 has no geometry.',
      'Placemark 2 has a position that is not two numbers: [NaN, 2].',
      'Placemark 3 has a latitude of -122.6; latitudes run from -90 to 90. Are longitude and latitude swapped?',
    ])
  })

  it('rejects other XML, entities and empty text', () => {
    expect(() => read('<gpx></gpx>')).toThrow('XML but not KML: it begins with <gpx>')
    expect(() => read(`<!DOCTYPE kml [<!ENTITY x SYSTEM "file:///etc/passwd">]>${document('')}`)).toThrow(
      BoundaryFileError,
    )
    expect(() => read(document(''))).toThrow('contains no shapes')
    expect(() => read(document('<Placemark>'))).toThrow('not complete, valid XML')
  })

  it('ignores a property called __proto__', () => {
    const { features } = read(
      document(
        '<Placemark><ExtendedData><Data name="__proto__"><value>x</value></Data><Data name="toString"><value>y</value></Data></ExtendedData><Point><coordinates>1,2</coordinates></Point></Placemark>',
      ),
    )
    expect(features[0]?.properties).toEqual({ toString: 'y' })
  })
})
