import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { operatorSlug } from './operators.ts'
import { LocalDay } from './period.ts'
import { getRequirableEndpoints, requirableSpecs } from './required-endpoints.ts'

/** Vehicle types of MDS 2.0. */
export const mdsVehicleTypes = [
  'bicycle',
  'bus',
  'cargo_bicycle',
  'car',
  'delivery_robot',
  'moped',
  'motorcycle',
  'scooter_standing',
  'scooter_seated',
  'truck',
  'other',
] as const
export const MdsVehicleType = z.enum(mdsVehicleTypes)
export type MdsVehicleType = z.infer<typeof MdsVehicleType>

const WebAddress = z.url({ protocol: /^https?$/, error: 'An address is written https://…' }).max(2000)
const fields = z.array(z.string().max(100)).max(100).default([])

/** Required and disallowed fields of one endpoint. Fields on neither list follow the standard. */
export const RequiredEndpoint = z.object({
  endpoint: z.string(),
  required_fields: fields,
  disallowed_fields: fields,
})
export type RequiredEndpoint = z.infer<typeof RequiredEndpoint>

/** What operators must provide of one standard in one version. */
export const RequiredSpec = z
  .object({
    spec: z.enum(requirableSpecs),
    version: z.string(),
    endpoints: z.array(RequiredEndpoint).min(1).max(20),
  })
  .superRefine(({ spec, version, endpoints }, context) => {
    const requirable = getRequirableEndpoints(spec, version)
    const addIssue = (message: string): void => context.addIssue({ code: 'custom', message })
    if (!requirable) return addIssue(`There is no ${spec} ${version} that can be required.`)
    if (new Set(endpoints.map((endpoint) => endpoint.endpoint)).size < endpoints.length)
      addIssue('An endpoint is named twice.')
    for (const { endpoint: name, required_fields: required, disallowed_fields: disallowed } of endpoints) {
      const declared = requirable.find((field) => field.endpoint === name)
      if (!declared) addIssue(`${spec} ${version} has no endpoint ${name}.`)
      for (const field of required)
        if (declared && !declared.optional.includes(field))
          addIssue(`${name}: ${field} is not left open by the standard.`)
      for (const field of disallowed) {
        if (declared && !declared.optional.includes(field) && !declared.standard.includes(field))
          addIssue(`${name}: ${field} cannot be left out.`)
        if (required.includes(field)) addIssue(`${name}: ${field} cannot be both required and disallowed.`)
      }
    }
  })
export type RequiredSpec = z.infer<typeof RequiredSpec>

/** Why a city requires the data: entries of a public list of use cases. */
export const UseCases = z.object({
  external_url: WebAddress,
  ids: z.array(z.string().trim().min(1).max(60)).min(1).max(50),
})

/** A program of a city: the operators and vehicles it covers, and what is required of them. */
export const RequirementsProgram = z
  .object({
    /** Null: a default text that contains the region's name. */
    description: z.string().trim().min(1).max(255).nullable().default(null),
    /** Null: the address of the region's public policies. */
    program_website_url: WebAddress.nullable().default(null),
    program_document_url: WebAddress.nullable().default(null),
    /** Null: all operators with a known MDS provider id. */
    operators: z.array(operatorSlug).max(200).nullable().default(null),
    /** Empty: all types. */
    vehicle_types: z.array(MdsVehicleType).max(mdsVehicleTypes.length).default([]),
    /** Local days of the region, both included; null: since the creation of the region, or without an end. */
    start_date: LocalDay.nullable().default(null),
    end_date: LocalDay.nullable().default(null),
    use_cases: UseCases.nullable().default(null),
    /** Each standard at most once; empty: nothing beyond the permit. */
    required: z.array(RequiredSpec).max(requirableSpecs.length).default([]),
  })
  .refine(({ start_date: start, end_date: end }) => start === null || end === null || start <= end, {
    path: ['end_date'],
    message: 'The program ends before it starts.',
  })
  .refine(({ required }) => new Set(required.map(({ spec }) => spec)).size === required.length, {
    path: ['required'],
    message: 'A standard is named twice.',
  })
export type RequirementsProgram = z.infer<typeof RequirementsProgram>

export const maxPrograms = 20
const programs = z.array(RequirementsProgram).min(1).max(maxPrograms)

/** Returns the requirements before anything is configured: one program that requires nothing. */
export const makeDefaultPrograms = (): RequirementsProgram[] => [RequirementsProgram.parse({})]

/** MDS Requirements of a region, as configured. */
export const Requirements = z
  .object({
    programs,
    /** Starts at 1, the default before anything is configured. Each save increments it. */
    file_version: z.number().int(),
    modified_time: z.string().nullable(),
    modified_by_email: z.string().nullable(),
  })
  .meta({ id: 'Requirements' })
export type Requirements = z.infer<typeof Requirements>

const params = z.object({ region_id: z.string() })

export const getRequirements = endpoint({
  route: 'GET /regions/{region_id}/requirements',
  permission: 'is_admin',
  summary: 'MDS Requirements of a region, as configured',
  request: { params },
  response: Requirements,
})
/** 409, with the stored requirements in `current`, if `if_file_version` is not the stored version. */
export const saveRequirements = endpoint({
  route: 'POST /regions/{region_id}/requirements',
  prefixes: ['/v2'],
  permission: 'is_admin',
  summary: 'Set what operators must provide, as published in the MDS Requirements of a region',
  request: { params, body: z.object({ programs, if_file_version: z.number().int().min(1) }) },
  response: Requirements,
})
