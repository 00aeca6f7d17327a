import { getRequirableEndpoints, type RequirableSpec } from '#contract/required-endpoints.ts'
import {
  type MdsVehicleType,
  type RequiredEndpoint,
  type RequiredSpec,
  RequirementsProgram,
} from '#contract/requirements.ts'

/** A program as edited in the form: unset texts are empty. */
export interface ProgramDraft extends Pick<RequirementsProgram, 'operators' | 'required'> {
  /** Null for all, also if no box is checked. */
  vehicle_types: MdsVehicleType[] | null
  description: string
  program_website_url: string
  program_document_url: string
  /** YYYY-MM-DD. */
  start_date: string
  end_date: string
  /** Address of a public list of use cases, and its entries separated by commas. */
  use_case_list: string
  use_case_ids: string
}

/** Whether a field is required or forbidden, or follows the standard. */
export type FieldRequirement = 'standard' | 'required' | 'disallowed'

/** Returns the editable fields of a stored program. */
export function toDraft({
  description,
  program_website_url,
  program_document_url,
  operators,
  vehicle_types,
  start_date,
  end_date,
  use_cases,
  required,
}: RequirementsProgram): ProgramDraft {
  return {
    description: description ?? '',
    program_website_url: program_website_url ?? '',
    program_document_url: program_document_url ?? '',
    operators,
    vehicle_types: vehicle_types.length ? vehicle_types : null,
    start_date: start_date ?? '',
    end_date: end_date ?? '',
    use_case_list: use_cases?.external_url ?? '',
    use_case_ids: use_cases?.ids.join(', ') ?? '',
    required,
  }
}

/** Returns the draft of a new program. */
export const emptyProgram = (): ProgramDraft => toDraft(RequirementsProgram.parse({}))

const emptyToNull = (text: string): string | null => text.trim() || null

/** Returns the request of the draft. A standard without a checked box is omitted. */
export function toProgram({
  operators,
  vehicle_types,
  required,
  use_case_list: list,
  use_case_ids: ids,
  ...texts
}: ProgramDraft): RequirementsProgram {
  const useCaseIds = ids
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean)
  return {
    description: emptyToNull(texts.description),
    program_website_url: emptyToNull(texts.program_website_url),
    program_document_url: emptyToNull(texts.program_document_url),
    operators,
    vehicle_types: vehicle_types ?? [],
    start_date: emptyToNull(texts.start_date),
    end_date: emptyToNull(texts.end_date),
    use_cases: list.trim() || useCaseIds.length ? { external_url: list.trim(), ids: useCaseIds } : null,
    required: required.filter(({ endpoints }) => endpoints.length),
  }
}

/** Returns the errors of a draft by field. */
export function findProgramIssues(draft: ProgramDraft): ReadonlyMap<string, string> {
  const issues = RequirementsProgram.safeParse(toProgram(draft)).error?.issues ?? []
  const getField = ([field, part]: readonly PropertyKey[]): string => {
    if (field !== 'use_cases') return String(field)
    return part === 'ids' ? 'use_case_ids' : 'use_case_list'
  }
  return new Map(issues.map(({ path, message }) => [getField(path), message]))
}

const withSpec = (
  required: readonly RequiredSpec[],
  spec: RequirableSpec,
  change: (requiredSpec: RequiredSpec) => RequiredSpec,
): RequiredSpec[] =>
  required.map((requiredSpec) => (requiredSpec.spec === spec ? change(requiredSpec) : requiredSpec))

/** Returns the requirements with another version of a standard, with its endpoints; null removes it. */
export function withVersion(
  required: readonly RequiredSpec[],
  spec: RequirableSpec,
  version: string | null,
): RequiredSpec[] {
  const previousSpec = required.find((requiredSpec) => requiredSpec.spec === spec)
  const otherSpecs = required.filter((requiredSpec) => requiredSpec.spec !== spec)
  if (version === null) return otherSpecs
  const endpointSpecs = getRequirableEndpoints(spec, version) ?? []
  const endpoints = (previousSpec?.endpoints ?? []).flatMap((previous): RequiredEndpoint[] => {
    const endpointSpec = endpointSpecs.find(({ endpoint }) => endpoint === previous.endpoint)
    return endpointSpec
      ? [
          {
            endpoint: previous.endpoint,
            required_fields: previous.required_fields.filter((field) =>
              endpointSpec.optional.includes(field),
            ),
            disallowed_fields: previous.disallowed_fields.filter((field) =>
              [...endpointSpec.optional, ...endpointSpec.standard].includes(field),
            ),
          },
        ]
      : []
  })
  return [...otherSpecs, { spec, version, endpoints }].toSorted((a, b) => b.spec.localeCompare(a.spec))
}

/** Returns the requirements with an endpoint that is required or not. */
export const withEndpoint = (
  required: readonly RequiredSpec[],
  spec: RequirableSpec,
  endpoint: string,
  isRequired: boolean,
): RequiredSpec[] =>
  withSpec(required, spec, (requiredSpec) => ({
    ...requiredSpec,
    endpoints: isRequired
      ? [...requiredSpec.endpoints, { endpoint, required_fields: [], disallowed_fields: [] }]
      : requiredSpec.endpoints.filter((requiredEndpoint) => requiredEndpoint.endpoint !== endpoint),
  }))

/** Returns what an endpoint demands of a field. */
export function getFieldRequirement(endpoint: RequiredEndpoint, field: string): FieldRequirement {
  if (endpoint.required_fields.includes(field)) return 'required'
  return endpoint.disallowed_fields.includes(field) ? 'disallowed' : 'standard'
}

/** Returns the requirements with a field required, forbidden, or as in the standard. */
export function withField(
  required: readonly RequiredSpec[],
  { spec, endpoint, field }: { spec: RequirableSpec; endpoint: string; field: string },
  demand: FieldRequirement,
): RequiredSpec[] {
  const addOrRemove = (fields: readonly string[], isIn: boolean): string[] => [
    ...fields.filter((name) => name !== field),
    ...(isIn ? [field] : []),
  ]
  const changeEndpoint = (requiredEndpoint: RequiredEndpoint): RequiredEndpoint => ({
    ...requiredEndpoint,
    required_fields: addOrRemove(requiredEndpoint.required_fields, demand === 'required'),
    disallowed_fields: addOrRemove(requiredEndpoint.disallowed_fields, demand === 'disallowed'),
  })
  return withSpec(required, spec, (requiredSpec) => ({
    ...requiredSpec,
    endpoints: requiredSpec.endpoints.map((requiredEndpoint) =>
      requiredEndpoint.endpoint === endpoint ? changeEndpoint(requiredEndpoint) : requiredEndpoint,
    ),
  }))
}
