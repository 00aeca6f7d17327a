import { describe, expect, it } from 'vitest'
import { RequirementsProgram } from '#contract/requirements.ts'
import {
  type FieldRequirement,
  getFieldRequirement,
  toDraft,
  emptyProgram,
  findProgramIssues,
  toProgram,
  withEndpoint,
  withField,
  withVersion,
} from './program-draft.ts'

const completeProgram = RequirementsProgram.parse({
  description: 'Bikes',
  program_website_url: 'https://a.example/',
  program_document_url: 'https://a.example/p.pdf',
  operators: ['lark'],
  vehicle_types: ['bicycle'],
  start_date: '2026-01-01',
  end_date: '2026-12-31',
  use_cases: { external_url: 'https://a.example/cases', ids: ['1', '2'] },
  required: [
    {
      spec: 'MDS',
      version: '2.0',
      endpoints: [{ endpoint: 'trips', required_fields: ['currency'], disallowed_fields: ['distance'] }],
    },
  ],
})

describe('a draft', () => {
  it('converts back to the original', () => {
    expect(toProgram(toDraft(completeProgram))).toEqual(completeProgram)
    expect(toProgram(emptyProgram())).toEqual(RequirementsProgram.parse({}))
  })
  it('reports errors by field', () => {
    expect([...findProgramIssues(toDraft(completeProgram))]).toEqual([])
    expect(
      [
        ...findProgramIssues({
          ...emptyProgram(),
          program_website_url: 'city',
          use_case_ids: '7',
          start_date: '2026-02-02',
          end_date: '2026-02-01',
        }).keys(),
      ].toSorted(),
    ).toEqual(['end_date', 'program_website_url', 'use_case_list'])
    expect([
      ...findProgramIssues({ ...emptyProgram(), start_date: '2026-02-02', end_date: '2026-02-01' }).keys(),
    ]).toEqual(['end_date'])
    expect([...findProgramIssues({ ...emptyProgram(), use_case_list: 'https://a.example' }).keys()]).toEqual([
      'use_case_ids',
    ])
  })
})

describe('the required endpoints', () => {
  const tripsRequired = withEndpoint(withVersion([], 'MDS', '2.0'), 'MDS', 'trips', true)
  it('include a standard once one of its boxes is checked', () => {
    expect(toProgram({ ...emptyProgram(), required: withVersion([], 'MDS', '2.0') }).required).toEqual([])
    expect(toProgram({ ...emptyProgram(), required: tripsRequired }).required).toEqual([
      {
        spec: 'MDS',
        version: '2.0',
        endpoints: [{ endpoint: 'trips', required_fields: [], disallowed_fields: [] }],
      },
    ])
    expect(withEndpoint(tripsRequired, 'MDS', 'trips', false)[0]?.endpoints).toEqual([])
  })
  it('have exactly one setting per field', () => {
    const applyRequirements = (...settings: [field: string, requirement: FieldRequirement][]) =>
      settings.reduce(
        (required, [field, requirement]) =>
          withField(required, { spec: 'MDS', endpoint: 'trips', field }, requirement),
        tripsRequired,
      )[0]?.endpoints[0]
    expect(applyRequirements(['currency', 'required'], ['currency', 'disallowed'])).toMatchObject({
      required_fields: [],
      disallowed_fields: ['currency'],
    })
    expect(
      applyRequirements(['currency', 'required'], ['trip_type', 'required'], ['currency', 'standard']),
    ).toMatchObject({ required_fields: ['trip_type'], disallowed_fields: [] })
    const found = applyRequirements(['currency', 'required'], ['distance', 'disallowed'])
    expect(
      ['currency', 'distance', 'trip_type'].map((field) => found && getFieldRequirement(found, field)),
    ).toEqual(['required', 'disallowed', 'standard'])
  })
  it('stay selected in another version that also has them', () => {
    const both = withVersion(
      withField(
        withField(
          withEndpoint(tripsRequired, 'MDS', 'telemetry', true),
          { spec: 'MDS', endpoint: 'trips', field: 'currency' },
          'required',
        ),
        { spec: 'MDS', endpoint: 'trips', field: 'trip_type' },
        'required',
      ),
      'GBFS',
      '3.0',
    )
    const earlier = withVersion(both, 'MDS', '1.2')
    expect(earlier).toEqual([
      {
        spec: 'MDS',
        version: '1.2',
        endpoints: [{ endpoint: 'trips', required_fields: ['currency'], disallowed_fields: [] }],
      },
      { spec: 'GBFS', version: '3.0', endpoints: [] },
    ])
    expect(withVersion(earlier, 'MDS', null).map(({ spec }) => spec)).toEqual(['GBFS'])
  })
})
