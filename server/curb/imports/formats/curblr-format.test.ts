import { expect, test } from 'vitest'
import { center, getFindingCodes, createCurbFile, stageAll } from '../../../../test/curb/staging.ts'
import { curblrFormat } from './curblr-format.ts'

const feature = (id: string, regulations: readonly object[]) => ({
  type: 'Feature',
  geometry: {
    type: 'LineString',
    coordinates: [
      [center.lon, center.lat],
      [center.lon + 0.001, center.lat],
    ],
  },
  properties: { location: { shstRefId: id, sideOfStreet: 'right', objectId: id }, regulations },
})

test('The CurbLR format reads a file without time zone and currency in those of the region, and reports it once', async () => {
  const { rows, fileCodes } = await stageAll(curblrFormat, [
    createCurbFile({ manifest: {}, features: [feature('a', [{ rule: { activity: 'parking' } }])] }),
  ])
  expect(fileCodes).toEqual(expect.arrayContaining(['missing_time_zone', 'missing_currency']))
  expect(rows.map(({ outcome }) => outcome)).not.toContain('refused')
})

test('The CurbLR format reports a rule without an activity at its feature, and stages the others', async () => {
  const { rows } = await stageAll(curblrFormat, [
    createCurbFile({
      manifest: { timeZone: 'America/Los_Angeles', currency: 'USD', priorityHierarchy: [] },
      features: [
        feature('a', [{ rule: { maxStay: 60 } }, { rule: { activity: 'loading' } }]),
        feature('b', [{ rule: { activity: 'parking' }, userClasses: [{}], timeSpans: [] }]),
      ],
    }),
  ])
  expect(rows).toHaveLength(2)
  expect(getFindingCodes(rows[0])).toContain('no_activity')
  const staged = rows.map(({ staged: record }) => (record?.kind === 'zone' ? record.policies.length : 0))
  expect(staged).toEqual([1, 1])
})
