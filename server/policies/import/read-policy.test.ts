import { describe, expect, it, test } from 'vitest'
import { guessGeographyUrls, readMdsList } from './read-source.ts'
import { upgradePolicy } from './upgrade-policy.ts'
import { readGeographies } from './read-geographies.ts'
import { type ReadContext, readImportedPolicy } from './read-policy.ts'
import { positions } from '../../../test/positions.ts'

const square = { type: 'Polygon', coordinates: [positions('-83 40, -82.9 40, -82.9 40.1, -83 40.1, -83 40')] }
const makeGeography = (id: string, type = 'policy_zone', drawn: unknown = square) => ({
  geography_id: id,
  name: `Place ${id}`,
  geography_type: type,
  geography_json: drawn,
})
const places = readGeographies([
  makeGeography('city', 'municipal_boundary'),
  makeGeography('zone', 'policy_zone', {
    type: 'FeatureCollection',
    features: [{ type: 'Feature', geometry: square }],
  }),
  makeGeography('bad', 'policy_zone', { type: 'Polygon', coordinates: [[[999, 0]]] }),
  { name: 'no id' },
])
const about: ReadContext = {
  source: 'https://a.example/policies',
  agency: 'A',
  places,
  operators: new Map([['p-swift', 'swift']]),
  region: { currencyCode: 'USD', timezone: 'America/New_York' },
  today: '2026-11-22',
}
const rule = {
  name: 'Rule',
  rule_id: 'r',
  rule_type: 'count',
  rule_units: 'devices',
  geographies: ['zone'],
  states: { available: [], non_operational: [], reserved: [] },
  maximum: 0,
}
const policy = (overrides: object = {}, ruled: object = {}) => ({
  policy_id: 'p',
  name: 'Wharf',
  description: 'No',
  start_date: Date.UTC(2026, 11, 1, 5),
  end_date: Date.UTC(2027, 0, 1, 5),
  rules: [{ ...rule, ...ruled }],
  ...overrides,
})
const read = (raw: unknown) => readImportedPolicy(upgradePolicy(raw), 0, about)

describe('a policy of another agency', () => {
  it('imports a policy as a policy type if its rules are equal', () => {
    const { found, fields } = read(policy({ provider_ids: ['p-swift'] }))
    expect(found).toMatchObject({
      policy_type: 'no_parking',
      start_date: '2026-12-01',
      end_date: '2026-12-31',
      is_expired: false,
      here: null,
      unknown_providers: [],
      faults: [],
    })
    expect(fields).toMatchObject({
      policy_type: 'no_parking',
      policy_name: 'Wharf',
      operators: ['swift'],
      imported_source: about.source,
      imported_policy_id: 'p',
      agency_name: 'A',
      imported_mds: null,
    })
  })

  it('imports a policy with its MDS rules if it has unknown providers or another currency', () => {
    expect(read(policy({ provider_ids: ['p-swift', 'p-other'] }))).toMatchObject({
      found: { policy_type: null, unknown_providers: ['p-other'] },
      fields: {
        policy_type: 'unknown',
        operators: [],
        imported_mds: { provider_ids: ['p-swift', 'p-other'], rules: [rule] },
      },
    })
    expect(
      read(
        policy(
          { currency: 'EUR' },
          {
            maximum: undefined,
            states: { available: ['trip_end'] },
            rate_amount: 50,
            rate_recurrence: 'once_on_match',
            rate_applies_when: 'in_bounds',
          },
        ),
      ).fields,
    ).toMatchObject({ policy_type: 'unknown', imported_mds: { currency: 'EUR' } })
    expect(read(policy({ prev_policies: ['former'] })).previous).toEqual(['former'])
  })

  const faults: [string, unknown, string, RegExp][] = [
    ['without a start', policy({ start_date: null }), 'start_date', /./],
    ['with a start beyond all time', policy({ start_date: 1e300 }), 'start_date', /not a time/],
    ['with a rule of nowhere', policy({}, { geographies: [] }), 'rules.0.geographies', /names no geography/],
    ['on a missing geography', policy({}, { geographies: ['gone'] }), 'geographies', /no geography gone/],
    ['on one that cannot be drawn', policy({}, { geographies: ['bad'] }), 'geographies', /Place bad/],
    ['without rules', policy({ rules: [] }), 'rules', /revokes/],
    ['with a wrong time', policy({}, { start_time: "9 o'clock" }), 'rules.0.start_time', /time like/],
    ['with a wrong currency', policy({ currency: '<b>' }), 'currency', /currency/],
    ['that is a number', 7, '', /./],
  ]
  it.each(faults)('%s has a fault by field', (_, raw, field, message) => {
    const { found, fields } = read(raw)
    expect(fields).toBeNull()
    expect(found.faults[0]).toMatchObject({ field, message: expect.stringMatching(message) as string })
  })

  it('converts an imported policy from MDS 1.2 to 2.0', () => {
    const fee = policy(
      {},
      {
        rule_type: 'rate',
        rule_units: 'amount',
        geographies: ['city'],
        maximum: undefined,
        states: { on_trip: ['trip_start'] },
        rate_amount: 25,
        rate_recurrence: 'once',
      },
    )
    expect(read(fee).fields).toMatchObject({ policy_type: 'trip_fees', value: 0.25 })
    expect(read(policy({}, { vehicle_types: ['scooter'] })).fields).toMatchObject({
      policy_type: 'no_parking',
      vehicle_types: ['scooter'],
    })
    expect(read(policy({}, { states: { unknown: [] } })).found.rules[0]?.states).toEqual({
      non_contactable: [],
    })
  })
})

test('A response is a list of MDS in a supported version', () => {
  expect(readMdsList('policies', { version: '2.0.1', policies: [1] }).items).toEqual([1])
  expect(readMdsList('policies', { version: '1.2.0', data: { policies: [2] } }).items).toEqual([2])
  expect(
    readMdsList('geographies', {
      version: '1.2.0',
      geographies: [{ version: '1.2.0', geography: { geography_id: 'x' } }],
    }).items,
  ).toEqual([{ geography_id: 'x' }])
  for (const body of [
    null,
    [],
    'x',
    {},
    { policies: {} },
    { version: '0.4.1', policies: [] },
    { policies: [] },
    { version: '2.0', policies: Array.from({ length: 5001 }) },
  ])
    expect(() => readMdsList('policies', body)).toThrow(/MDS|up to 5000/)
})

test('The URLs of geographies are guessed from that of the policies', () => {
  expect(guessGeographyUrls('https://a.example/mds/policy/alder/policies?k=1')).toEqual([
    'https://a.example/mds/geography/alder/geographies?k=1',
    'https://a.example/mds/policy/alder/geographies?k=1',
  ])
  expect(guessGeographyUrls('https://a.example/policies.json')).toEqual([
    'https://a.example/geographies.json',
  ])
  expect(guessGeographyUrls('https://a.example/x')).toEqual([])
})
