import { describe, expect, it } from 'vitest'
import { getRequirableEndpoints, requirableSpecs, requirableVersions } from './required-endpoints.ts'
import { RequirementsProgram, makeDefaultPrograms } from './requirements.ts'

const parseSpec = (spec: string, version: string, ...endpoints: object[]) =>
  RequirementsProgram.safeParse({ required: [{ spec, version, endpoints }] })
const listTexts = (result: ReturnType<typeof parseSpec>): string[] =>
  result.error?.issues.map(({ message }) => message) ?? []

describe('requirements of operators', () => {
  it('requirements of operators are empty by default', () =>
    expect(makeDefaultPrograms()).toEqual([
      {
        description: null,
        program_website_url: null,
        program_document_url: null,
        operators: null,
        vehicle_types: [],
        start_date: null,
        end_date: null,
        use_cases: null,
        required: [],
      },
    ]))

  it('accepts each field that the standard leaves open', () => {
    for (const spec of requirableSpecs)
      for (const version of requirableVersions(spec))
        for (const { endpoint, optional, standard } of getRequirableEndpoints(spec, version) ?? []) {
          expect(
            listTexts(
              parseSpec(spec, version, { endpoint, required_fields: optional, disallowed_fields: standard }),
            ),
          ).toEqual([])
          expect(
            listTexts(parseSpec(spec, version, { endpoint, disallowed_fields: [...optional, ...standard] })),
          ).toEqual([])
        }
  })

  it.each([
    ['MDS', '3.0', { endpoint: 'trips' }, 'There is no MDS 3.0 that can be required.'],
    ['MDS', '2.0', { endpoint: 'status_changes' }, 'MDS 2.0 has no endpoint status_changes.'],
    [
      'MDS',
      '2.0',
      { endpoint: 'trips', required_fields: ['start_time'] },
      'trips: start_time is not left open by the standard.',
    ],
    [
      'MDS',
      '2.0',
      { endpoint: 'trips', disallowed_fields: ['trip_id'] },
      'trips: trip_id cannot be left out.',
    ],
    [
      'MDS',
      '2.0',
      { endpoint: 'trips', required_fields: ['currency'], disallowed_fields: ['currency'] },
      'trips: currency cannot be both required and disallowed.',
    ],
  ])('%s %s %j is refused', (spec, version, endpoint, text) =>
    expect(listTexts(parseSpec(spec, version, endpoint))).toEqual([text]),
  )

  it('requires an endpoint, and refuses a field that is given twice', () => {
    expect(listTexts(parseSpec('MDS', '2.0', { endpoint: 'trips' }, { endpoint: 'trips' }))).toEqual([
      'An endpoint is named twice.',
    ])
    expect(parseSpec('MDS', '2.0').success).toBe(false)
    const mds = { spec: 'MDS', version: '2.0', endpoints: [{ endpoint: 'trips' }] }
    expect(listTexts(RequirementsProgram.safeParse({ required: [mds, mds] }))).toEqual([
      'A standard is named twice.',
    ])
  })

  it.each([
    [{ program_website_url: 'javascript:alert(1)' }],
    [{ program_document_url: 'permit.pdf' }],
    [{ description: '' }],
    [{ start_date: '2026-02-02', end_date: '2026-02-01' }],
    [{ vehicle_types: ['scooter'] }],
    [{ use_cases: { external_url: 'https://a.example', ids: [] } }],
  ])('%j is refused', (program) => {
    expect(RequirementsProgram.safeParse(program).success).toBe(false)
  })
})
