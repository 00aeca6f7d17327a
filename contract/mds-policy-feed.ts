import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { MdsGeography, MdsPolicy, MdsTime } from './mds-policy.ts'

/** Body of the policies feed of MDS 2.0; `policies` is omitted if only last_updated was requested. */
export const MdsPolicies = z
  .object({
    version: z.string(),
    last_updated: MdsTime,
    end_date: MdsTime.optional(),
    policies: z.array(MdsPolicy),
  })
  .meta({ id: 'MdsPolicies' })
export type MdsPolicies = z.infer<typeof MdsPolicies>

/** Body of the geographies feed of MDS 2.0. */
export const MdsGeographies = z
  .object({ version: z.string(), last_updated: MdsTime, geographies: z.array(MdsGeography) })
  .meta({ id: 'MdsGeographies' })
export type MdsGeographies = z.infer<typeof MdsGeographies>

const media = { media: 'application/vnd.mds+json;version=2.0' } as const
const regionParams = z.object({ region_id: z.string() })
/** Parsed by hand, because errors use the wording of MDS. */
const policyQuery = z
  .object({
    start_date: z.string(),
    end_date: z.string(),
    policy_id: z.string(),
    last_updated: z.string(),
    active_only: z.string(),
  })
  .partial()
const publicMdsCall = { prefixes: [''], permission: 'public', response: media } as const

/** The public feeds. The Accept header selects the version: 2.0, or 1.2 except for requirements. */
export const listMdsPolicies = endpoint({
  ...publicMdsCall,
  route: 'GET /mds/policy/{region_id}/policies',
  summary:
    'Published policies of a region as MDS Policy, those in force from now on unless a range is requested',
  request: { params: regionParams, query: policyQuery },
})
export const listMdsPoliciesFile = endpoint({
  ...publicMdsCall,
  route: 'GET /mds/policy/{region_id}/policies.json',
  summary: 'The same as a flat file',
  request: { params: regionParams, query: policyQuery },
})
export const getMdsPolicy = endpoint({
  ...publicMdsCall,
  route: 'GET /mds/policy/{region_id}/policies/{policy_id}',
  summary: 'One published revision of a policy as MDS Policy',
  request: { params: regionParams.extend({ policy_id: z.string() }) },
})
export const getMdsRequirements = endpoint({
  ...publicMdsCall,
  route: 'GET /mds/policy/{region_id}/requirements',
  summary: 'Which feeds operators of a region must read, as MDS Requirements',
  request: { params: regionParams },
})
export const listMdsGeographies = endpoint({
  ...publicMdsCall,
  route: 'GET /mds/geography/{region_id}/geographies',
  summary: 'Geographies of the published policies of a region as MDS Geography',
  request: { params: regionParams },
})
export const listMdsGeographiesFile = endpoint({
  ...publicMdsCall,
  route: 'GET /mds/geography/{region_id}/geographies.json',
  summary: 'The same as a flat file',
  request: { params: regionParams },
})
export const getMdsGeography = endpoint({
  ...publicMdsCall,
  route: 'GET /mds/geography/{region_id}/geographies/{geography_id}',
  summary: 'One published geography as MDS Geography',
  request: { params: regionParams.extend({ geography_id: z.string() }) },
})
