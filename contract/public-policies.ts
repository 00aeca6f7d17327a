import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { MdsRule } from './mds-policy.ts'
import { pageQuery, pageOf } from './page.ts'
import { GeometryShape } from './place.ts'
import { PolicyFields } from './policy.ts'

/** A published policy as everybody may see it: what it says, who it is for and when it holds; nobody's name or address. */
export const PublicPolicy = PolicyFields.pick({
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
})
  .extend({
    policy_uuid: z.uuid(),
    /** Empty: all of them. */
    operators: z.array(z.object({ slug: z.string(), name: z.string() })),
    published_time: z.string(),
    /** From when it holds, not before the notice of its publication is over; until when, null without an end: its own, or because another revision takes its place. */
    effective_from: z.string(),
    effective_until: z.string().nullable(),
    geography_ids: z.array(z.string()),
    /** Of the whole region. */
    is_region_wide: z.boolean(),
    /** Of one that equals none of our types: its rules as they are in the feed, in the words of MDS. */
    mds: z
      .object({ rules: z.array(MdsRule), currency: z.string().nullable(), provider_ids: z.array(z.string()) })
      .nullable(),
  })
  .meta({ id: 'PublicPolicy' })
export type PublicPolicy = z.infer<typeof PublicPolicy>

/** A place that a published policy stands on, as it was when the policy was published. */
export const PublicGeography = z
  .object({ geography_id: z.string(), name: z.string(), geometries: z.array(GeometryShape) })
  .meta({ id: 'PublicGeography' })
export type PublicGeography = z.infer<typeof PublicGeography>

/** A shape on which a published policy holds, as everybody may see it. */
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
    /** When something was published or taken out last; null: never. */
    last_updated: z.string().nullable(),
    policies: z.array(PublicPolicy),
    geographies: z.array(PublicGeography),
  })
  .meta({ id: 'PublicPolicies' })
export type PublicPolicies = z.infer<typeof PublicPolicies>

export const getPublicPolicies = endpoint({
  method: 'GET',
  path: '/public/regions/{region_id}/policies',
  permission: 'public',
  summary:
    'Policies of a region that hold, will, or ended in the last thirty days, in plain fields, with their places, and the name and zone of the region',
  ask: { params: z.object({ region_id: z.string() }) },
  answer: PublicPolicies,
})

const inRegion = z.object({ region_id: z.string() })

/** The public variants of the shape calls: only shapes of policies that the public pages show, as they were when published. No other shape of a layer is told. */
export const listPublicShapes = endpoint({
  method: 'GET',
  path: '/regions/{region_id}/shapes/public',
  permission: 'public',
  summary: 'Shapes on which the published policies of a region hold, by name',
  ask: {
    params: inRegion,
    query: z.object({ text: z.string().max(200).optional(), ...pageQuery(50, 5000) }),
  },
  answer: pageOf(PublicShape),
})
export const getPublicShape = endpoint({
  method: 'GET',
  path: '/regions/{region_id}/shapes/public/{shape_uuid}',
  permission: 'public',
  summary: 'One of these shapes',
  ask: { params: inRegion.extend({ shape_uuid: z.string() }) },
  answer: PublicShape,
})
