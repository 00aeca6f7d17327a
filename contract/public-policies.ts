import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { MdsRule } from './mds-policy.ts'
import { pageQuery, pageSchema } from './page.ts'
import { GeometryShape } from './place.ts'
import { PolicyFields } from './policy.ts'

/** The fields of a policy that are public. */
export const publicFields = {
  policy_type: true,
  policy_name: true,
  description: true,
  unit: true,
  allocation: true,
  vehicle_types: true,
  vehicle_states: true,
  propulsion_types: true,
  minimum: true,
  maximum: true,
  value: true,
  fee_properties: true,
  start_time: true,
  end_time: true,
  days: true,
  messages: true,
  start_date: true,
  end_date: true,
} as const

/** A published policy without any personal data: its content, to whom it applies and when it is in force. */
export const PublicPolicy = PolicyFields.pick(publicFields)
  .extend({
    policy_uuid: z.uuid(),
    /** The same for all revisions of a policy, so that permanent addresses can use it. */
    constant_policy_uuid: z.uuid(),
    /** Empty: all operators. */
    operators: z.array(z.object({ slug: z.string(), name: z.string() })),
    published_time: z.string(),
    /**
     * Start and end of its validity. It starts when the notice period of its publication is over at the
     * earliest; it ends on its own end date or when another revision replaces it. A null end means no end.
     */
    effective_from: z.string(),
    effective_until: z.string().nullable(),
    geography_ids: z.array(z.string()),
    /** Applies to the whole region. */
    is_region_wide: z.boolean(),
    /** For a policy that matches none of our types: its rules as in the feed, in the terms of MDS. */
    mds: z
      .object({ rules: z.array(MdsRule), currency: z.string().nullable(), provider_ids: z.array(z.string()) })
      .nullable(),
  })
  .meta({ id: 'PublicPolicy' })
export type PublicPolicy = z.infer<typeof PublicPolicy>

/** A geography of a published policy, frozen at the publication. */
export const PublicGeography = z
  .object({ geography_id: z.string(), name: z.string(), geometries: z.array(GeometryShape) })
  .meta({ id: 'PublicGeography' })
export type PublicGeography = z.infer<typeof PublicGeography>

/** A shape in which a published policy is in force. */
export const PublicShape = z
  .object({
    shape_uuid: z.string(),
    shape_name: z.string(),
    shape_description: z.string().nullable(),
    geometries: z.array(GeometryShape),
  })
  .meta({ id: 'PublicShape' })
export type PublicShape = z.infer<typeof PublicShape>

export const PublicPolicies = z
  .object({
    text: z.string(),
    lat: z.number(),
    lon: z.number(),
    mapZoom: z.number(),
    isMetric: z.boolean(),
    currencyCode: z.string(),
    timezone: z.string(),
    /** Time of the last publication or its reversal; null: never. */
    last_updated: z.string().nullable(),
    policies: z.array(PublicPolicy),
    geographies: z.array(PublicGeography),
  })
  .meta({ id: 'PublicPolicies' })
export type PublicPolicies = z.infer<typeof PublicPolicies>

export const getPublicPolicies = endpoint({
  route: 'GET /public/regions/{region_id}/policies',
  permission: 'public',
  summary:
    'Policies of a region that are in force, will be, or ended in the last thirty days, in plain fields, with their geographies, and the name and time zone of the region',
  request: { params: z.object({ region_id: z.string() }) },
  response: PublicPolicies,
})

const regionParams = z.object({ region_id: z.string() })

/** Public variants of the shape calls: only published shapes of policies on the public pages. */
export const listPublicShapes = endpoint({
  route: 'GET /regions/{region_id}/shapes/public',
  permission: 'public',
  summary: 'Shapes in which published policies of a region are in force, by name',
  request: {
    params: regionParams,
    query: z.object({ text: z.string().max(200).optional(), ...pageQuery(50, 5000) }),
  },
  response: pageSchema(PublicShape),
})
export const getPublicShape = endpoint({
  route: 'GET /regions/{region_id}/shapes/public/{shape_uuid}',
  permission: 'public',
  summary: 'One of these shapes',
  request: { params: regionParams.extend({ shape_uuid: z.string() }) },
  response: PublicShape,
})
