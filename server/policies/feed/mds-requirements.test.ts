import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Region } from '#contract/regions.ts'
import { getRequirableEndpoints, requirableSpecs, requirableVersions } from '#contract/required-endpoints.ts'
import {
  mdsVehicleTypes,
  type RequiredSpec,
  RequirementsProgram,
  makeDefaultPrograms,
} from '#contract/requirements.ts'
import { loadFeedSchema } from '../../../test/mds-feed-schemas.ts'
import { toMdsRequirements } from './mds-requirements.ts'

const created = Date.UTC(2026, 0, 1)
const region = {
  regionId: 'alder',
  organizationId: 'aaaaaaaa-0000-4000-8000-000000000001',
  text: 'Alder',
  timezone: 'America/New_York',
  currencyCode: 'USD',
} as Region
const operators = ['swift', 'lark'].map((slug, index) => ({
  slug,
  providerId: `aaaaaaaa-0000-4000-8000-00000000000${index}`,
}))
const requirements = (
  programs: readonly object[] = makeDefaultPrograms(),
  modified: string | null = null,
  who = operators,
) =>
  toMdsRequirements({
    region,
    name: 'City of Alder',
    operators: who,
    requirements: {
      programs: programs.map((program) => RequirementsProgram.parse(program)),
      file_version: modified ? 2 : 1,
      modified_time: modified,
      modified_by_email: null,
    },
    created,
    publicUrl: 'https://streets.example',
  })
const trips = {
  endpoint: 'trips',
  required_fields: ['parking_category'],
  disallowed_fields: ['fare_attributes'],
}
const schema = loadFeedSchema('requirements-2.0')

describe('the requirements', () => {
  it('the requirements list the feeds of the city, and require nothing, by default', () => {
    expect(schema(requirements())).toBeNull()
    expect(requirements()).toEqual({
      metadata: {
        mds_release: '2.0.2',
        file_version: 1,
        last_updated: created,
        max_update_interval: 'P1M',
        agency_id: region.organizationId,
        agency_name: 'City of Alder',
        agency_timezone: 'America/New_York',
        agency_language: 'en-US',
        agency_currency: 'USD',
        agency_website_url: 'https://streets.example',
        url: 'https://streets.example/mds/policy/alder/requirements',
      },
      programs: [
        {
          description: 'Shared mobility in Alder',
          program_website_url: 'https://streets.example/alder/public/policies',
          provider_ids: operators.map(({ providerId }) => providerId),
          start_date: created,
          end_date: null,
          required_data_specs: [
            {
              data_spec_name: 'MDS',
              version: '2.0',
              mode_id: 'micromobility',
              available_apis: [
                {
                  api_name: 'policy',
                  available_endpoints: [
                    { endpoint_name: 'policies', url: 'https://streets.example/mds/policy/alder/policies' },
                    {
                      endpoint_name: 'requirements',
                      url: 'https://streets.example/mds/policy/alder/requirements',
                    },
                  ],
                },
                {
                  api_name: 'geography',
                  available_endpoints: [
                    {
                      endpoint_name: 'geographies',
                      url: 'https://streets.example/mds/geography/alder/geographies',
                    },
                  ],
                },
                {
                  api_name: 'agency',
                  available_endpoints: [
                    'vehicles',
                    'vehicles/status',
                    'trips',
                    'telemetry',
                    'events',
                    'stops',
                    'reports',
                  ].map((list) => ({
                    endpoint_name: list,
                    url: `https://streets.example/mds/agency/${list}`,
                  })),
                },
              ],
            },
          ],
        },
      ],
    })
  })

  it('the requirements list required feeds next to the provided ones, and other versions and standards separately', () => {
    const [program] = requirements([
      {
        required: [
          { spec: 'MDS', version: '2.0', endpoints: [{ endpoint: 'stops' }, trips] },
          { spec: 'GBFS', version: '3.0', endpoints: [{ endpoint: 'vehicle_status' }] },
        ],
      },
    ]).programs
    expect(program?.required_data_specs).toMatchObject([
      {
        data_spec_name: 'MDS',
        version: '2.0',
        available_apis: [{ api_name: 'policy' }, { api_name: 'geography' }, { api_name: 'agency' }],
      },
      { data_spec_name: 'GBFS', version: '3.0' },
    ])
    // In the order of the standard. Empty lists are omitted.
    expect(
      program?.required_data_specs.map((spec) => ('required_apis' in spec ? spec.required_apis : null)),
    ).toEqual([
      [
        {
          api_name: 'provider',
          required_endpoints: [
            {
              endpoint_name: 'trips',
              required_fields: ['parking_category'],
              disallowed_fields: ['fare_attributes'],
            },
            { endpoint_name: 'stops' },
          ],
        },
      ],
      [{ api_name: 'gbfs', required_endpoints: [{ endpoint_name: 'vehicle_status' }] }],
    ])
    const [earlier] = requirements([
      { required: [{ spec: 'MDS', version: '1.2', endpoints: [{ endpoint: 'trips' }] }] },
    ]).programs
    expect(
      earlier?.required_data_specs.map(({ data_spec_name: name, version, ...others }) => [
        name,
        version,
        Object.keys(others),
      ]),
    ).toEqual([
      ['MDS', '2.0', ['mode_id', 'available_apis']],
      ['MDS', '1.2', ['mode_id', 'required_apis']],
    ])
  })

  it('requirements are in force on whole days of the region, for the chosen operators', () => {
    const response = requirements(
      [
        {
          description: 'Bikes',
          operators: ['lark'],
          start_date: '2026-03-08',
          end_date: '2026-03-08',
          program_document_url: 'https://city.example/permit.pdf',
          vehicle_types: ['bicycle'],
          use_cases: { external_url: 'https://city.example/cases', ids: ['7'] },
        },
      ],
      '2026-05-01T00:00:00.000Z',
    )
    expect(schema(response)).toBeNull()
    expect(response).toMatchObject({
      metadata: { file_version: 2, last_updated: Date.UTC(2026, 4, 1) },
      // This day has 23 hours.
      programs: [
        {
          description: 'Bikes',
          provider_ids: [operators[1]?.providerId],
          start_date: Date.UTC(2026, 2, 8, 5),
          end_date: Date.UTC(2026, 2, 9, 4),
          program_document_url: 'https://city.example/permit.pdf',
          vehicle_type: ['bicycle'],
          required_data_specs: [{ use_cases: [{ external_url: 'https://city.example/cases', ids: ['7'] }] }],
        },
      ],
    })
  })

  it('the requirements omit programs without an operator with a known id', () => {
    expect(requirements(makeDefaultPrograms(), null, []).programs).toEqual([])
    expect(requirements([{ operators: ['heron'] }, {}]).programs).toHaveLength(1)
  })

  const anySpec = (spec: RequiredSpec['spec']): fc.Arbitrary<unknown> =>
    fc.constantFrom(...requirableVersions(spec)).chain((version) =>
      fc.subarray([...(getRequirableEndpoints(spec, version) ?? [])], { minLength: 1 }).chain((chosen) =>
        fc
          .tuple(
            ...chosen.map(({ endpoint, optional, standard }) =>
              fc.subarray([...optional]).chain((required) =>
                fc
                  .subarray([...optional.filter((field) => !required.includes(field)), ...standard])
                  .map((disallowed) => ({
                    endpoint,
                    required_fields: required,
                    disallowed_fields: disallowed,
                  })),
              ),
            ),
          )
          .map((endpoints) => ({ spec, version, endpoints })),
      ),
    )
  it('requirements are valid in the official schema for any choice', () => {
    const required = fc
      .tuple(...requirableSpecs.map((spec) => fc.option(anySpec(spec))))
      .map((specs) => specs.filter((spec) => spec !== null))
    fc.assert(
      fc.property(
        fc.record({
          required,
          vehicle_types: fc.subarray([...mdsVehicleTypes]),
          end_date: fc.constantFrom(null, '1999-01-01', '2030-12-31'),
        }),
        (program) => {
          expect(schema(requirements([program]))).toBeNull()
        },
      ),
    )
  })
})
