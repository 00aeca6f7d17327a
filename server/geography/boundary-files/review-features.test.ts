import { describe, expect, it } from 'vitest'
import type { Geometry } from '#contract/place.ts'
import type { BoundaryReading } from './boundary-content.ts'
import { listAllNotes, describeReasons, reviewNames } from './review-features.ts'
import { makeSquare } from '../../../test/positions.ts'

const makeArea = (west: number): Geometry => ({ type: 'Polygon', coordinates: [makeSquare(west, 0, 1)] })
const feature = (position: number, name: string | number | null, index = position) => ({
  position,
  geometry: makeArea(index),
  properties: { name, code: position },
})
const reading = (
  features: ReturnType<typeof feature>[],
  notes: BoundaryReading['notes'] = [],
): BoundaryReading => ({
  fileName: 'f',
  format: 'GeoJSON',
  features,
  properties: [],
  suggestedName: 'name',
  notes,
  bbox: [0, 0, 0, 0],
})
const notesFor = (features: ReturnType<typeof feature>[], by = 'name') =>
  reviewNames(features, by).map(({ code, text }) => [code, text])

describe('names of the features of a file', () => {
  it('need no note if they are unique and complete', () => {
    expect(notesFor([feature(1, 'Ash'), feature(2, 'Oak'), feature(3, 7)])).toEqual([])
  })

  it('are trimmed, also if they differ only by blanks', () => {
    expect(notesFor([feature(1, ' Ash'), feature(2, 'Oak\n'), feature(3, 'Elm Park')])).toEqual([
      ['names-trimmed', '2 names began or ended with blanks, which were removed: Ash, Oak.'],
    ])
    expect(notesFor([feature(1, 'Ash'), feature(2, 'Ash '), feature(3, 'Oak')])).toEqual([
      ['names-trimmed', 'One name began or ended with blanks, which were removed: Ash.'],
      ['names-repeated', 'One name occurs more than once; the later shapes get a number: Ash.'],
    ])
  })

  it('that are blank are listed by position, and do not count as repeated', () => {
    expect(
      notesFor([feature(1, ' '), feature(2, 'Ash'), feature(3, ''), feature(4, null), feature(5, '\t')]),
    ).toEqual([
      [
        'names-missing',
        '4 features have no name and are named by position in the file: Shape 1, Shape 3, Shape 4, Shape 5.',
      ],
    ])
    expect(notesFor([feature(1, null), feature(2, 'Ash')])).toEqual([
      ['names-missing', 'One feature has no name and is named by position in the file: Shape 1.'],
    ])
    expect(notesFor([feature(1, ' '), feature(2, null)])).toEqual([
      ['names-missing', 'No feature has a value for “name”; all are named by their position in the file.'],
    ])
  })

  it('are truncated in long lists', () => {
    expect(
      notesFor(Array.from({ length: 12 }, (_, index) => feature(index + 1, ` Name ${index}`)))[0]?.[1],
    ).toMatch(/^12 names .*Name 9 …\.$/)
  })
})

describe('notes about a file', () => {
  const features = [feature(1, 'Ash', 5), feature(2, null, 5), feature(3, 'Ash', 5)]

  it('refer to the chosen property, not to the suggested one', () => {
    expect(listAllNotes(reading(features), null).map(({ code }) => code)).toEqual([
      'names-missing',
      'names-repeated',
      'same-outline',
      'same-outline',
    ])
    expect(listAllNotes(reading(features), 'code').map(({ code }) => code)).toEqual([
      'same-outline',
      'same-outline',
    ])
  })

  it('name features by position and name', () => {
    const repair = { position: 3, code: 'c', text: 'Its ring was closed.' }
    expect(listAllNotes(reading(features, [repair]), null).slice(2)).toEqual([
      { ...repair, name: 'Ash' },
      {
        position: 2,
        code: 'same-outline',
        text: 'It has the same outline as feature 1 (“Ash”). Both are stored.',
      },
      {
        position: 3,
        name: 'Ash',
        code: 'same-outline',
        text: 'It has the same outline as feature 1 (“Ash”). Both are stored.',
      },
    ])
  })

  it('list each reason why no feature is usable once', () => {
    const notes = [1, 2, 3].map((position) => ({
      position,
      code: 'x',
      text: position === 2 ? 'It has no area.' : 'A ring has two corners.',
    }))
    expect(
      describeReasons(
        [...notes, { position: null, code: 'y', text: 'Of the whole file.' }],
        new Map([
          [1, 'Ash'],
          [2, ''],
        ]),
      ),
    ).toBe('Features 1 (“Ash”), 3: A ring has two corners. Feature 2: It has no area.')
    expect(
      describeReasons(
        Array.from({ length: 7 }, (_, index) => ({ position: index, code: 'x', text: `Reason ${index}.` })),
        new Map(),
      ),
    ).toMatch(/Feature 4: Reason 4\. 2 more reasons are not listed\.$/)
  })
})
