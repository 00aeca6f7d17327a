import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Region } from '#contract/regions.ts'
import { testRegion } from '#web/shell/test-replies.ts'
import { askOf, draftOf, emptyDraft, idOfName } from './region-draft.ts'

describe('a draft', () => {
  it('asks for nothing while a number is missing', () => {
    expect(askOf(emptyDraft())).toBeNull()
    expect(askOf({ ...emptyDraft(), lat: '-', lon: 3 })).toBeNull()
    expect(askOf({ ...emptyDraft(), lat: '41.', lon: 0 })).toMatchObject({ lat: 41, lon: 0 })
  })

  it('of a region asks for that region again, tidied', () => {
    const draft = { ...draftOf(testRegion('ashford', 'Ashford')), text: ' Ashford ', currencyCode: 'eur' }
    expect(askOf(draft)).toEqual({
      regionId: 'ashford',
      text: 'Ashford',
      timezone: 'America/New_York',
      lat: 32.7,
      lon: -79.9,
      mapZoom: 12,
      isMetric: false,
      currencyCode: 'EUR',
      hasMdsData: true,
      hasMonthlyZip: false,
      allowedMaps: null,
      logoFilename: null,
      privacyMinimum: 0,
      rawRetentionDays: 30,
      lostAfterHours: 48,
      countsUncertain: false,
      operatingHours: { from: '06:00', until: '22:00' },
    })
  })

  it('has no logo where none is named, and no ask without a privacy minimum', () => {
    const draft = draftOf({
      ...testRegion('ashford', 'Ashford'),
      logoFilename: 'ashford.svg',
      allowedMaps: [],
    })
    expect(askOf(draft)).toMatchObject({ logoFilename: 'ashford.svg', allowedMaps: [] })
    expect(askOf({ ...draft, logoFilename: '  ' })).toMatchObject({ logoFilename: null })
    expect(askOf({ ...draft, privacyMinimum: '' })).toBeNull()
    expect(askOf({ ...draft, lostAfterHours: '' })).toBeNull()
    expect(askOf({ ...draft, rawRetentionDays: '7' })).toMatchObject({ rawRetentionDays: 7 })
  })
})

it.each([
  ['Washington, D.C.', 'washington-d-c'],
  ['São Paulo', 'sao-paulo'],
  ['  ', ''],
])('the id of %s is %s', (name, id) => expect(idOfName(name)).toBe(id))

describe('the id of any name', () => {
  const name = fc.string({
    unit: fc.constantFrom('a', 'Z', '7', ' ', '-', '.', 'é', 'ß', '東', "'"),
    maxLength: 60,
  })

  it('is one that the server takes, or none', () => {
    fc.assert(
      fc.property(name, (text) => {
        const id = idOfName(text)
        expect(id === '' || Region.shape.regionId.safeParse(id).success).toBe(true)
        expect(id).not.toMatch(/^-|-$|--/)
      }),
    )
  })

  it('is the same of the id itself', () => {
    fc.assert(
      fc.property(name, (text) => {
        expect(idOfName(idOfName(text))).toBe(idOfName(text))
      }),
    )
  })

  it('ends in no dash where a long name is cut', () => {
    expect(idOfName(`${'a'.repeat(39)} county`)).toBe('a'.repeat(39))
  })
})

describe('numbers of a draft', () => {
  const draft = draftOf(testRegion('ashford', 'Ashford'))
  it.each(['', ' ', '-', '1,5', 'north', '4 1'])('%j is none', (lat) =>
    expect(askOf({ ...draft, lat })).toBeNull(),
  )
  it.each([
    ['-0.5', -0.5],
    ['41.', 41],
    ['0', 0],
    [' 7 ', 7],
  ])('%j is %d', (lat, expected) => expect(askOf({ ...draft, lat })?.lat).toBe(expected))
})
