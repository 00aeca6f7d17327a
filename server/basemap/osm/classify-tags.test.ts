import { expect, test } from 'vitest'
import { classifyArea, classifyLine, classifyPlace } from './classify-tags.ts'

const tags = (text: string): Map<string, string> =>
  new Map(text.split(' ').map((tag) => tag.split('=') as [string, string]))
const describeClass = (mapClass: ReturnType<typeof classifyLine>): string | null =>
  mapClass && `${mapClass.role} ${mapClass.class}`

test.each([
  ['highway=motorway', 'street freeway'],
  ['highway=trunk', 'street freeway'],
  ['highway=motorway_link', 'street arterial'],
  ['highway=primary_link', 'street collector'],
  ['highway=primary', 'street arterial'],
  ['highway=secondary', 'street arterial'],
  ['highway=tertiary', 'street collector'],
  ['highway=residential', 'street local'],
  ['highway=service', 'street local'],
  ['highway=service service=alley', 'street local'],
  ['highway=service service=driveway', null],
  ['highway=service service=parking_aisle', null],
  ['highway=service access=private', null],
  ['highway=cycleway', 'street path'],
  ['highway=footway', null],
  ['highway=footway bicycle=designated', 'street path'],
  ['highway=footway footway=sidewalk', null],
  ['highway=pedestrian area=yes', null],
  ['highway=construction', null],
  ['highway=constructor', null],
  ['highway=steps', null],
  ['railway=rail', 'rail rail'],
  ['railway=tram', 'rail tram'],
  ['railway=rail service=yard', null],
  ['railway=subway tunnel=yes', null],
  ['railway=abandoned', null],
  ['waterway=river', 'water river'],
  ['waterway=stream', 'water stream'],
  ['waterway=stream tunnel=culvert', null],
  ['waterway=dam', null],
  ['building=yes', null],
])('A line with %s is %s', (text, drawn) => expect(describeClass(classifyLine(tags(text)))).toBe(drawn))

test.each([
  ['natural=water', 'water water'],
  ['waterway=riverbank', 'water water'],
  ['landuse=reservoir', 'water water'],
  ['leisure=park', 'park park'],
  ['landuse=forest', 'park wood'],
  ['natural=wood', 'park wood'],
  ['landuse=cemetery', 'park cemetery'],
  ['leisure=golf_course', 'park grass'],
  ['landuse=residential', null],
  ['leisure=pitch', null],
  ['building=yes', null],
  ['amenity=parking', null],
])('An area with %s is %s', (text, drawn) => expect(describeClass(classifyArea(tags(text)))).toBe(drawn))

test('classifyLine labels a line with its name, otherwise with the number of the road', () => {
  expect(classifyLine(tags('highway=primary ref=US-1'))?.name).toBe('US-1')
  expect(
    classifyLine(
      new Map([
        ['highway', 'primary'],
        ['ref', 'US 1'],
        ['name', ' Main Street '],
      ]),
    )?.name,
  ).toBe('Main Street')
  expect(
    classifyLine(
      new Map([
        ['highway', 'primary'],
        ['name', 'x'.repeat(500)],
      ]),
    )?.name,
  ).toHaveLength(200)
})

test('classifyPlace classifies places of a city by their type, and only those with a name', () => {
  expect(describeClass(classifyPlace(tags('place=suburb name=Mill')))).toBe('place suburb')
  expect([
    classifyPlace(tags('place=suburb')),
    classifyPlace(tags('place=country name=X')),
    classifyPlace(tags('name=X')),
  ]).toEqual([null, null, null])
})
