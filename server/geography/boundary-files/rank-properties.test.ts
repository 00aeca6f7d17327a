import { describe, expect, it } from 'vitest'
import type { BoundaryFeature } from './boundary-geometry.ts'
import { rankProperties } from './rank-properties.ts'

const features = (...rows: BoundaryFeature['properties'][]): BoundaryFeature[] =>
  rows.map((properties, index) => ({
    geometry: { type: 'Point', coordinates: [0, 0] },
    properties,
    position: index + 1,
  }))

describe('rankProperties', () => {
  it('ranks distinct, filled texts first', () => {
    const { properties, suggestedName } = rankProperties(
      features(
        { OBJECTID: 1, STATE: 'OR', HOOD: 'Boise', NOTE: null },
        { OBJECTID: 2, STATE: 'OR', HOOD: 'Eliot', NOTE: 'x' },
        { OBJECTID: 3, STATE: 'OR', HOOD: 'Kenton', NOTE: '' },
        { OBJECTID: 4, STATE: 'OR', HOOD: 'Overlook', NOTE: ' ' },
      ),
    )
    expect(suggestedName).toBe('HOOD')
    expect(properties[0]).toEqual({
      name: 'HOOD',
      filled: 4,
      distinct: 4,
      samples: ['Boise', 'Eliot', 'Kenton'],
    })
    expect(properties.find((property) => property.name === 'STATE')).toEqual({
      name: 'STATE',
      filled: 4,
      distinct: 1,
      samples: ['OR'],
    })
    expect(properties.find((property) => property.name === 'NOTE')).toMatchObject({ filled: 1, distinct: 1 })
    expect(properties).toHaveLength(4)
  })

  it('does not suggest identifiers, links, dates or long texts', () => {
    const { properties, suggestedName } = rankProperties(
      features(
        {
          uuid: '2d2910bd-4009-4b49-a7ad-7f3764b59eb6',
          url: 'https://a',
          at: '2020-01-01T00:00',
          text: 'a'.repeat(200),
          json: '{"a":1}',
          title: 'North',
        },
        {
          uuid: '1d809582-ec41-47bd-a704-19817fa3608b',
          url: 'https://b',
          at: '2020-01-02T00:00',
          text: 'b'.repeat(200),
          json: '{"a":2}',
          title: 'South',
        },
      ),
    )
    expect(suggestedName).toBe('title')
    expect(properties[0]?.name).toBe('title')
  })

  it('suggests nothing if no property is suitable', () => {
    expect(rankProperties(features({ id: 1 }, { id: 2 })).suggestedName).toBeNull()
    expect(rankProperties(features({ state: 'Oregon' }, { state: 'Oregon' })).suggestedName).toBeNull()
    expect(rankProperties(features({ state: 'Oregon' })).suggestedName).toBe('state')
    expect(rankProperties(features({}, {}))).toEqual({ properties: [], suggestedName: null })
  })

  it('suggests a number that identifies areas if no text is better, but no record number', () => {
    const zones = (more: (index: number) => BoundaryFeature['properties']) =>
      features(
        ...[101, 102, 103, 104].map((TAZ, index) => ({
          OBJECTID: index + 1,
          Shape_Area: 1000 + index,
          POP2020: 50 + index,
          TAZ,
          ...more(index),
        })),
      )
    expect(rankProperties(zones(() => ({}))).suggestedName).toBe('TAZ')
    expect(
      rankProperties(
        zones((index) => ({
          COUNTY: 'King',
          SIDE: index < 2 ? 'East' : 'West',
          CITY: index === 0 ? 'Kent' : 'Renton',
        })),
      ).suggestedName,
    ).not.toBe('COUNTY')
    expect(
      rankProperties(zones((index) => ({ COUNTY: index === 0 ? 'Pierce' : 'King' }))).suggestedName,
    ).not.toBe('OBJECTID')
    expect(
      rankProperties(
        features(
          ...Array.from({ length: 9 }, (_, index) => ({
            FID: index,
            COUNTY: index < 2 ? 'Pierce' : 'King',
            TAZ: 7 * index,
          })),
        ),
      ).suggestedName,
    ).toBe('TAZ')
    expect(rankProperties(zones((index) => ({ NAME: `Zone ${index}` }))).suggestedName).toBe('NAME')
    expect(
      rankProperties(features({ FID: 1, acres: 12, Shape_Leng: 5 }, { FID: 2, acres: 13, Shape_Leng: 6 }))
        .suggestedName,
    ).toBeNull()
  })

  it('counts a property that only some features have', () => {
    expect(rankProperties(features({ a: 'x' }, {}, { a: null })).properties).toEqual([
      { name: 'a', filled: 1, distinct: 1, samples: ['x'] },
    ])
  })
})
