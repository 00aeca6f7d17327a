import { describe, expect, it } from 'vitest'
import { featureKeys, OrganizationSettings } from '#contract/settings.ts'
import { flagGroups } from './flag-switches.tsx'
import { listChangedFields, toOrganizationPatch, toOrganizationDraft } from './organization-draft.ts'

const saved = toOrganizationDraft({
  id: '8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e',
  name: 'Alder',
  type: 'city',
  settings: OrganizationSettings.parse({ maps: ['live', 'trips'] }),
})
const withSettings = (overrides: Partial<OrganizationSettings>) => ({
  ...saved,
  settings: { ...saved.settings, ...overrides },
})

describe('the groups of switches', () => {
  it('contain every feature flag once', () => {
    expect(Object.values(flagGroups).flat().toSorted()).toEqual(featureKeys.toSorted())
  })
})

describe('the changed fields', () => {
  it('are none in an unchanged draft, or if only the order of a list or spaces around the name differ', () => {
    expect(listChangedFields(saved, saved)).toEqual([])
    expect(
      listChangedFields(saved, { ...withSettings({ maps: ['trips', 'live'] }), name: ' Alder ' }),
    ).toEqual([])
  })

  it('are named by field; one that is changed back is not among them', () => {
    expect(
      listChangedFields(saved, {
        ...withSettings({ curbManager: false, mfaRequired: true, subscriptionEndDate: '2027-01-01' }),
        name: 'Birch',
        type: 'agency',
      }),
    ).toEqual([
      { field: 'name', value: 'Birch' },
      { field: 'type', value: 'agency' },
      { field: 'curbManager', value: false },
      { field: 'mfaRequired', value: true },
      { field: 'subscriptionEndDate', value: '2027-01-01' },
    ])
    expect(listChangedFields(saved, withSettings({ curbManager: saved.settings.curbManager }))).toEqual([])
  })

  it('distinguish all maps from none, and from a list', () => {
    for (const maps of [null, [], ['live'] as const])
      expect(listChangedFields(saved, withSettings({ maps: maps && [...maps] }))).toEqual([
        { field: 'maps', value: maps },
      ])
  })
})

describe('the request body', () => {
  it('contains only what changed', () => {
    expect(toOrganizationPatch([])).toEqual({})
    expect(toOrganizationPatch([{ field: 'name', value: 'Birch' }])).toEqual({ name: 'Birch' })
    expect(
      toOrganizationPatch([
        { field: 'type', value: 'other' },
        { field: 'maps', value: null },
        { field: 'home', value: false },
      ]),
    ).toEqual({ type: 'other', settings: { maps: null, home: false } })
  })
})
