import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Region } from '#contract/regions.ts'
import { testRegion } from '#web/shell/test-responses.ts'
import { toRegionBody, toRegionDraft, createRegionDraft, suggestRegionId } from './region-draft.ts'

describe('the request body of a draft', () => {
  it('is null while a number is missing', () => {
    expect(toRegionBody(createRegionDraft())).toBeNull()
    expect(toRegionBody({ ...createRegionDraft(), lat: '-', lon: 3 })).toBeNull()
    expect(toRegionBody({ ...createRegionDraft(), lat: '41.', lon: 0 })).toMatchObject({ lat: 41, lon: 0 })
  })

  it('of an existing region equals it, with trimmed values', () => {
    const draft = {
      ...toRegionDraft(testRegion('ashford', 'Ashford')),
      text: ' Ashford ',
      currencyCode: 'eur',
    }
    expect(toRegionBody(draft)).toEqual({
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

  it('has no logo if the name is blank, and is null without a privacy minimum', () => {
    const draft = toRegionDraft({
      ...testRegion('ashford', 'Ashford'),
      logoFilename: 'ashford.svg',
      allowedMaps: [],
    })
    expect(toRegionBody(draft)).toMatchObject({ logoFilename: 'ashford.svg', allowedMaps: [] })
    expect(toRegionBody({ ...draft, logoFilename: '  ' })).toMatchObject({ logoFilename: null })
    expect(toRegionBody({ ...draft, privacyMinimum: '' })).toBeNull()
    expect(toRegionBody({ ...draft, lostAfterHours: '' })).toBeNull()
    expect(toRegionBody({ ...draft, rawRetentionDays: '7' })).toMatchObject({ rawRetentionDays: 7 })
  })
})

it.each([
  ['Washington, D.C.', 'washington-d-c'],
  ['São Paulo', 'sao-paulo'],
  ['  ', ''],
])('the id of %s is %s', (name, id) => expect(suggestRegionId(name)).toBe(id))

describe('the suggested id', () => {
  const name = fc.string({
    unit: fc.constantFrom('a', 'Z', '7', ' ', '-', '.', 'é', 'ß', '東', "'"),
    maxLength: 60,
  })

  it('is valid for the server, or empty', () => {
    fc.assert(
      fc.property(name, (text) => {
        const id = suggestRegionId(text)
        expect(id === '' || Region.shape.regionId.safeParse(id).success).toBe(true)
        expect(id).not.toMatch(/^-|-$|--/)
      }),
    )
  })

  it('of an id is the id itself', () => {
    fc.assert(
      fc.property(name, (text) => {
        expect(suggestRegionId(suggestRegionId(text))).toBe(suggestRegionId(text))
      }),
    )
  })

  it('does not end with a dash if a long name is cut', () => {
    expect(suggestRegionId(`${'a'.repeat(39)} county`)).toBe('a'.repeat(39))
  })
})

describe('the numbers of a draft', () => {
  const draft = toRegionDraft(testRegion('ashford', 'Ashford'))
  it.each(['', ' ', '-', '1,5', 'north', '4 1'])('%j is invalid', (lat) =>
    expect(toRegionBody({ ...draft, lat })).toBeNull(),
  )
  it.each([
    ['-0.5', -0.5],
    ['41.', 41],
    ['0', 0],
    [' 7 ', 7],
  ])('%j becomes %d', (lat, expected) => expect(toRegionBody({ ...draft, lat })?.lat).toBe(expected))
})
