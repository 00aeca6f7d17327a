import { civilClock } from '#contract/civil-clock.ts'
import { dayNumber, type LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { getRequirableEndpoints } from '#contract/required-endpoints.ts'
import type { RequiredSpec, Requirements, RequirementsProgram } from '#contract/requirements.ts'

interface Agency {
  region: Region
  /** Name of the organization. */
  name: string
  /** Operators with a known MDS provider id. */
  operators: readonly { slug: string; providerId: string }[]
  requirements: Requirements
  created: number
  /** The URL of this deployment, without a trailing slash. */
  publicUrl: string
}

/** Endpoints of MDS Agency 2.0 that operators may push to with their token. */
const agencyEndpoints = ['vehicles', 'vehicles/status', 'trips', 'telemetry', 'events', 'stops', 'reports']

/** The APIs that operators must provide, in the format of MDS. Empty lists of fields are omitted. */
const requiredApis = ({ spec, version, endpoints }: RequiredSpec) => {
  const knownEndpoints = getRequirableEndpoints(spec, version) ?? []
  const apis = [...new Set(knownEndpoints.map(({ api }) => api))]
  return apis.map((api) => ({
    api_name: api,
    required_endpoints: knownEndpoints
      .filter((each) => each.api === api)
      .flatMap(({ endpoint }) => endpoints.filter((required) => required.endpoint === endpoint))
      .map(({ endpoint, required_fields: required, disallowed_fields: disallowed }) => ({
        endpoint_name: endpoint,
        ...(required.length ? { required_fields: required } : {}),
        ...(disallowed.length ? { disallowed_fields: disallowed } : {}),
      })),
  }))
}

/**
 * The requirements of a region in the format of MDS Requirements: the city's feeds that operators must read
 * or may push to, and the feeds that they must provide.
 */
export function toMdsRequirements({
  region,
  name,
  operators,
  requirements: { programs, file_version, modified_time: modified },
  created,
  publicUrl,
}: Agency) {
  const url = (room: string, list: string): string => `${publicUrl}/mds/${room}/${region.regionId}/${list}`
  const endpoint = (room: string, list: string) => ({ endpoint_name: list, url: url(room, list) })
  const clock = civilClock(region.timezone)
  const midnight = (day: LocalDay, daysLater: number): number =>
    Math.max(clock.instant(dayNumber(day) + daysLater, 0).ms, Date.UTC(2018, 0, 1))
  const served = {
    available_apis: [
      {
        api_name: 'policy',
        available_endpoints: [endpoint('policy', 'policies'), endpoint('policy', 'requirements')],
      },
      { api_name: 'geography', available_endpoints: [endpoint('geography', 'geographies')] },
      // Operators may push instead of being pulled.
      {
        api_name: 'agency',
        available_endpoints: agencyEndpoints.map((list) => ({
          endpoint_name: list,
          url: `${publicUrl}/mds/agency/${list}`,
        })),
      },
    ],
  }
  const toDataSpecs = ({ required, use_cases: useCases }: RequirementsProgram) => {
    const mdsSpec = required.find(({ spec, version }) => spec === 'MDS' && version === '2.0')
    const others = required.filter((each) => each !== mdsSpec)
    const mode = { mode_id: 'micromobility' }
    return [
      {
        data_spec_name: 'MDS',
        version: '2.0',
        ...mode,
        ...(mdsSpec ? { required_apis: requiredApis(mdsSpec) } : {}),
        ...served,
        ...(useCases ? { use_cases: [useCases] } : {}),
      },
      ...others.map((each) => ({
        data_spec_name: each.spec,
        version: each.version,
        ...(each.spec === 'MDS' ? mode : {}),
        required_apis: requiredApis(each),
      })),
    ]
  }
  const toProgram = (program: RequirementsProgram) => ({
    description: program.description ?? `Shared mobility in ${region.text}`.slice(0, 255),
    program_website_url: program.program_website_url ?? `${publicUrl}/${region.regionId}/public/policies`,
    ...(program.program_document_url ? { program_document_url: program.program_document_url } : {}),
    provider_ids: operators
      .filter(({ slug }) => program.operators === null || program.operators.includes(slug))
      .map(({ providerId }) => providerId),
    ...(program.vehicle_types.length ? { vehicle_type: program.vehicle_types } : {}),
    start_date: program.start_date === null ? created : midnight(program.start_date, 0),
    end_date: program.end_date === null ? null : midnight(program.end_date, 1),
    required_data_specs: toDataSpecs(program),
  })
  return {
    metadata: {
      mds_release: '2.0.2',
      file_version,
      last_updated: modified === null ? created : Math.max(created, Date.parse(modified)),
      max_update_interval: 'P1M',
      agency_id: region.organizationId,
      agency_name: name.slice(0, 255),
      agency_timezone: region.timezone,
      agency_language: 'en-US',
      agency_currency: region.currencyCode,
      agency_website_url: publicUrl,
      url: url('policy', 'requirements'),
    },
    // The standard allows no program without an operator.
    programs: programs.map(toProgram).filter(({ provider_ids: ids }) => ids.length),
  }
}
