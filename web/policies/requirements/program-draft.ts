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

const orNull = (text: string): string | null => text.trim() || null

/** Returns the request of the draft. A standard without a checked box is omitted. */
export function toProgram({
  operators,
  vehicle_types,
  required,
  use_case_list: list,
  use_case_ids: ids,
  ...texts
}: ProgramDraft): RequirementsProgram {
  const named = ids
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean)
  return {
    description: orNull(texts.description),
    program_website_url: orNull(texts.program_website_url),
    program_document_url: orNull(texts.program_document_url),
    operators,
    vehicle_types: vehicle_types ?? [],
    start_date: orNull(texts.start_date),
    end_date: orNull(texts.end_date),
    use_cases: list.trim() || named.length ? { external_url: list.trim(), ids: named } : null,
    required: required.filter(({ endpoints }) => endpoints.length),
  }
}

/** Returns the errors of a draft by field. */
export function programIssues(draft: ProgramDraft): ReadonlyMap<string, string> {
  const issues = RequirementsProgram.safeParse(toProgram(draft)).error?.issues ?? []
  const getField = ([field, part]: readonly PropertyKey[]): string =>
    field === 'use_cases' ? (part === 'ids' ? 'use_case_ids' : 'use_case_list') : String(field)
  return new Map(issues.map(({ path, message }) => [getField(path), message]))
}

const withSpec = (
  required: readonly RequiredSpec[],
  spec: RequirableSpec,
  change: (requiredSpec: RequiredSpec) => RequiredSpec,
): RequiredSpec[] =>
  required.map((requiredSpec) => (requiredSpec.spec === spec ? change(requiredSpec) : requiredSpec))

/**
 * The standard with another version selected; null if it is not required. Endpoints that the version has stay
 * selected.
 */
export function withVersion(
  required: readonly RequiredSpec[],
  spec: RequirableSpec,
  version: string | null,
): RequiredSpec[] {
  const before = required.find((requiredSpec) => requiredSpec.spec === spec)
  const others = required.filter((requiredSpec) => requiredSpec.spec !== spec)
  if (version === null) return others
  const endpointSpecs = getRequirableEndpoints(spec, version) ?? []
  const endpoints = (before?.endpoints ?? []).flatMap((previous): RequiredEndpoint[] => {
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
  return [...others, { spec, version, endpoints }].toSorted((a, b) => b.spec.localeCompare(a.spec))
}

/** Returns the requirements with an endpoint required or not. */
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

/** Whether a field is required or forbidden, or follows the standard. */
export const getFieldRequirement = (
  { required_fields: required, disallowed_fields: disallowed }: RequiredEndpoint,
  field: string,
): FieldRequirement =>
  required.includes(field) ? 'required' : disallowed.includes(field) ? 'disallowed' : 'standard'

/** Returns the requirements with a field required, forbidden, or as in the standard. */
export function withField(
  required: readonly RequiredSpec[],
  { spec, endpoint, field }: { spec: RequirableSpec; endpoint: string; field: string },
  demand: FieldRequirement,
): RequiredSpec[] {
  const change = (fields: readonly string[], isIn: boolean): string[] => [
    ...fields.filter((name) => name !== field),
    ...(isIn ? [field] : []),
  ]
  const changed = (requiredEndpoint: RequiredEndpoint): RequiredEndpoint => ({
    ...requiredEndpoint,
    required_fields: change(requiredEndpoint.required_fields, demand === 'required'),
    disallowed_fields: change(requiredEndpoint.disallowed_fields, demand === 'disallowed'),
  })
  return withSpec(required, spec, (requiredSpec) => ({
    ...requiredSpec,
    endpoints: requiredSpec.endpoints.map((requiredEndpoint) =>
      requiredEndpoint.endpoint === endpoint ? changed(requiredEndpoint) : requiredEndpoint,
    ),
  }))
}
