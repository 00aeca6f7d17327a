import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { MdsGeographies, MdsPolicies } from './mds-policy-feed.ts'
import { SeenTime } from './geography.ts'
import { pageQuery } from './page.ts'
import { VehicleType } from './mobility.ts'
import { Policy, PolicyFields, PolicyStatus } from './policy.ts'

/** Default page size of policies. */
export const policyPageSize = 300
export const policyOrders = [
  'policy_name',
  '-policy_name',
  'policy_type',
  '-policy_type',
  'status',
  '-status',
  'start_date',
  '-start_date',
  'end_date',
  '-end_date',
  'modified_time',
  '-modified_time',
] as const
export const PolicyOrder = z.enum(policyOrders)
export type PolicyOrder = z.infer<typeof PolicyOrder>

/** Filters of the library; an empty list does not filter. `text` is searched in name and description. */
export const PolicyFilter = z.object({
  region_id: z.string(),
  policy_category: z.string().default('mobility'),
  text: z.string().max(200).default(''),
  types: z.array(z.string()).default([]),
  statuses: z.array(PolicyStatus).default([]),
  /** A policy for all operators matches each of them; likewise for vehicle types. */
  operators: z.array(z.string()).default([]),
  vehicle_types: z.array(VehicleType).default([]),
  sort: PolicyOrder.default('policy_name'),
  ...pageQuery(policyPageSize, 1000),
})
export type PolicyFilter = z.infer<typeof PolicyFilter>

/**
 * A policy to save. Without `policy_uuid` a new policy is created. A draft is changed in place; for a
 * published revision a new, unpublished one is created under the same constant id. If `if_modified_time`
 * differs from the stored time, nothing is changed, and the response is a 409 with the stored Policy in
 * `current` (null if it was deleted).
 */
export const PolicyToSave = PolicyFields.extend({
  region_id: z.string(),
  policy_uuid: z.uuid().nullish(),
  constant_policy_uuid: z.uuid().nullish(),
  if_modified_time: SeenTime.optional(),
})
export type PolicyToSave = z.infer<typeof PolicyToSave>

/** A field that differs from the previous revision. Values as in Policy; null means no value. */
export const FieldChange = z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })
export type FieldChange = z.infer<typeof FieldChange>

/** One revision, for the history. */
export const PolicyRevision = z
  .object({
    policy_uuid: z.uuid(),
    /** Counts from 1. */
    revision: z.number().int(),
    /** `draft`: never published; `superseded`: replaced by a later revision; `unpublished`: withdrawn. */
    state: z.enum(['draft', 'published', 'superseded', 'unpublished', 'deleted']),
    policy_name: z.string(),
    created_time: z.string(),
    created_by_email: z.string().nullable(),
    modified_time: z.string(),
    modified_by_email: z.string().nullable(),
    published_time: z.string().nullable(),
    published_by_email: z.string().nullable(),
    unpublished_time: z.string().nullable(),
    /** Changes from the previous revision; empty for the first one. */
    changes: z.array(FieldChange),
  })
  .meta({ id: 'PolicyRevision' })
export type PolicyRevision = z.infer<typeof PolicyRevision>

const policyId = z.object({ policy_uuid: z.uuid() })
const constantPolicyId = z.object({ constant_policy_uuid: z.uuid() })
const savedResponse = z.object({ plcy: Policy })
/** The version that the editor saw; a 409 if the stored one differs. */
const seenVersion = { if_modified_time: SeenTime.optional() }
const regionParams = z.object({ region_id: z.string() })

/** A policy in a list: its newest draft, if any; `published_policy_uuid` is then the published one. */
export const ListedPolicy = Policy.extend({ published_policy_uuid: z.uuid().nullable() }).meta({
  id: 'ListedPolicy',
})
export type ListedPolicy = z.infer<typeof ListedPolicy>

export const listPolicies = endpoint({
  route: 'POST /policies/list',
  permission: 'signed_in',
  scope: 'policies:read',
  reads: true,
  summary: 'Policies of a region, newest revision of each, filtered and sorted',
  request: { body: PolicyFilter },
  response: z.object({
    data: z.array(ListedPolicy),
    total: z.number().int(),
    page: z.number().int(),
    size: z.number().int(),
  }),
})
export const getPolicy = endpoint({
  route: 'GET /policies/{policy_uuid}',
  permission: 'signed_in',
  scope: 'policies:read',
  summary: 'One revision of a policy',
  request: { params: policyId },
  response: ListedPolicy,
})
export const getPolicyByConstant = endpoint({
  route: 'GET /policies/constant/{constant_policy_uuid}',
  permission: 'signed_in',
  scope: 'policies:read',
  summary: 'The newest revision of a policy',
  request: { params: constantPolicyId },
  response: z.object({ policy: ListedPolicy }),
})
/** A policy for views of the past. A deleted policy is returned in its last published revision. */
export const StoredPolicy = ListedPolicy.extend({ is_deleted: z.boolean() }).meta({ id: 'KeptPolicy' })
export type StoredPolicy = z.infer<typeof StoredPolicy>
export const getKeptPolicy = endpoint({
  route: 'GET /policies/constant/{constant_policy_uuid}/kept',
  permission: 'signed_in',
  summary: 'The newest revision of a policy, also if it was deleted after its publication',
  request: { params: constantPolicyId },
  response: z.object({ policy: StoredPolicy }),
})
export const listPolicyRevisions = endpoint({
  route: 'GET /policies/constant/{constant_policy_uuid}/revisions',
  permission: 'signed_in',
  scope: 'policies:read',
  summary: 'Every revision of a policy, newest first, with author, time and changes',
  request: { params: constantPolicyId },
  response: z.object({ items: z.array(PolicyRevision) }),
})
export const savePolicy = endpoint({
  route: 'POST /policies/save',
  permission: 'edit_policy',
  summary: 'Save a policy: a new one, a draft in place, or a new revision of a published one',
  request: { body: PolicyToSave },
  response: savedResponse,
})
export const duplicatePolicy = endpoint({
  route: 'POST /policies/duplicate',
  permission: 'edit_policy',
  summary: 'Save a copy of a policy as a draft',
  request: { body: policyId },
  response: savedResponse,
})
/** A draft is removed; a published policy leaves the feed and is retained for history and compliance. */
export const deletePolicy = endpoint({
  route: 'POST /policies/delete',
  permission: 'edit_policy',
  summary: 'Delete a policy',
  request: { body: policyId.extend(seenVersion) },
  response: z.object({ deleted: z.boolean() }),
})
export const publishPolicy = endpoint({
  route: 'POST /policies/publish',
  permission: 'edit_policy',
  summary: 'Publish a policy to the public MDS feed, or unpublish it',
  request: { body: policyId.extend({ published: z.boolean(), ...seenVersion }) },
  response: savedResponse,
})
/** Discards a published policy's draft and returns the published revision; 409 if it changed meanwhile. */
export const discardDraft = endpoint({
  route: 'POST /policies/discard_draft',
  permission: 'edit_policy',
  summary: 'Discard the draft beside a published policy',
  request: { body: policyId.extend(seenVersion) },
  response: z.object({ plcy: ListedPolicy }),
})
export const getMdsPolicies = endpoint({
  route: 'POST /policies/get_mds_policies',
  permission: 'signed_in',
  scope: 'policies:read',
  reads: true,
  summary: 'The public MDS policies of a region',
  request: { body: regionParams },
  response: MdsPolicies,
})
export const getMdsGeographies = endpoint({
  route: 'POST /policies/get_mds_geographies',
  permission: 'signed_in',
  scope: 'geographies:read',
  reads: true,
  summary: 'The public MDS geographies of a region',
  request: { body: regionParams },
  response: MdsGeographies,
})
