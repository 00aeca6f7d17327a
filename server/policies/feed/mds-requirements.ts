import { civilClock } from '#contract/civil-clock.ts'
import { dayNumber } from '#contract/period.ts'
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
  /** When the region was created, ms since 1970. */
  created: number
  /** The URL of this deployment, without a trailing slash. */
  publicUrl: string
}

/** The earliest time that MDS allows. */
const earliestMdsTime = Date.UTC(2018, 0, 1)
/** Endpoints of MDS Agency 2.0 that operators may push to with their token. */
const agencyEndpoints = ['vehicles', 'vehicles/status', 'trips', 'telemetry', 'events', 'stops', 'reports']

/** Returns the APIs that operators must provide, in the format of MDS. Empty lists of fields are omitted. */
const listRequiredApis = ({ spec, version, endpoints }: RequiredSpec) => {
  const knownEndpoints = getRequirableEndpoints(spec, version) ?? []
  const apis = [...new Set(knownEndpoints.map(({ api }) => api))]
  return apis.map((api) => ({
    api_name: api,
    required_endpoints: knownEndpoints
      .filter((known) => known.api === api)
      .flatMap(({ endpoint }) => endpoints.filter((required) => required.endpoint === endpoint))
      .map(({ endpoint, required_fields: required, disallowed_fields: disallowed }) => ({
        endpoint_name: endpoint,
        ...(required.length ? { required_fields: required } : {}),
        ...(disallowed.length ? { disallowed_fields: disallowed } : {}),
      })),
  }))
}

/** Returns the APIs of the city. @param makeUrl Returns the URL of a list of one of its APIs. */
const listServedApis = (publicUrl: string, makeUrl: (api: string, list: string) => string) => {
  const makeEndpoint = (api: string, list: string) => ({ endpoint_name: list, url: makeUrl(api, list) })
  return [
    {
      api_name: 'policy',
      available_endpoints: [makeEndpoint('policy', 'policies'), makeEndpoint('policy', 'requirements')],
    },
    { api_name: 'geography', available_endpoints: [makeEndpoint('geography', 'geographies')] },
    // Operators may push instead of being pulled.
    {
      api_name: 'agency',
      available_endpoints: agencyEndpoints.map((list) => ({
        endpoint_name: list,
        url: `${publicUrl}/mds/agency/${list}`,
      })),
    },
  ]
}

/** Lists the specifications that a program requires, always with MDS 2.0, in which the city's APIs are. */
function toDataSpecs(
  { required, use_cases: useCases }: RequirementsProgram,
  servedApis: ReturnType<typeof listServedApis>,
) {
  const mdsSpec = required.find(({ spec, version }) => spec === 'MDS' && version === '2.0')
  const otherSpecs = required.filter((spec) => spec !== mdsSpec)
  const mode = { mode_id: 'micromobility' }
  return [
    {
      data_spec_name: 'MDS',
      version: '2.0',
      ...mode,
      ...(mdsSpec ? { required_apis: listRequiredApis(mdsSpec) } : {}),
      available_apis: servedApis,
      ...(useCases ? { use_cases: [useCases] } : {}),
    },
    ...otherSpecs.map((otherSpec) => ({
      data_spec_name: otherSpec.spec,
      version: otherSpec.version,
      ...(otherSpec.spec === 'MDS' ? mode : {}),
      required_apis: listRequiredApis(otherSpec),
    })),
  ]
}

/** Returns a program in the format of MDS Requirements. */
function toProgram(
  program: RequirementsProgram,
  { region, operators, created, publicUrl }: Agency,
  servedApis: ReturnType<typeof listServedApis>,
) {
  const clock = civilClock(region.timezone)
  const getMidnight = (localDayNumber: number): number =>
    Math.max(clock.instant(localDayNumber, 0).ms, earliestMdsTime)
  return {
    description: program.description ?? `Shared mobility in ${region.text}`.slice(0, 255),
    program_website_url: program.program_website_url ?? `${publicUrl}/${region.regionId}/public/policies`,
    ...(program.program_document_url ? { program_document_url: program.program_document_url } : {}),
    provider_ids: operators
      .filter(({ slug }) => program.operators === null || program.operators.includes(slug))
      .map(({ providerId }) => providerId),
    ...(program.vehicle_types.length ? { vehicle_type: program.vehicle_types } : {}),
    start_date: program.start_date === null ? created : getMidnight(dayNumber(program.start_date)),
    end_date: program.end_date === null ? null : getMidnight(dayNumber(program.end_date) + 1),
    required_data_specs: toDataSpecs(program, servedApis),
  }
}

/**
 * Returns the requirements of a region in the format of MDS Requirements: the city's feeds that operators
 * must read or may push to, and the feeds that they must provide.
 */
export function toMdsRequirements(agency: Agency) {
  const { region, name, requirements, created, publicUrl } = agency
  const { programs, file_version, modified_time: modified } = requirements
  const makeUrl = (api: string, list: string): string => `${publicUrl}/mds/${api}/${region.regionId}/${list}`
  const servedApis = listServedApis(publicUrl, makeUrl)
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
      url: makeUrl('policy', 'requirements'),
    },
    programs: programs
      .map((program) => toProgram(program, agency, servedApis))
      // The standard allows no program without an operator.
      .filter(({ provider_ids: ids }) => ids.length),
  }
}
