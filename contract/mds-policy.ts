import { z } from 'zod'
import { EventType, VehicleState } from './vehicle-states.ts'

/** Milliseconds since 1970, as MDS writes instants. */
export const MdsTime = z.number().finite()
const optional = <T extends z.ZodType>(shape: T) => shape.nullish()

export const mdsTimeUnits = ['seconds', 'minutes', 'hours', 'days'] as const
export const mdsSpeedUnits = ['mph', 'kph'] as const
export const mdsDays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
export type MdsDay = (typeof mdsDays)[number]

/** A wall-clock time; 24:00 is the end of the day. */
export const MdsClockTime = z
  .string()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?|24:00(:00)?)$/, 'must be a time like 09:30:00')

/**
 * A rule of MDS 2.0 Policy, parsed leniently: null is the same as absent
 * (SOURCES.md, defect 9), unknown fields are ignored.
 */
export const MdsRule = z
  .object({
    name: z.string().default(''),
    rule_id: z.string().min(1),
    rule_type: z.string().min(1),
    geographies: z.array(z.string()),
    states: optional(z.partialRecord(VehicleState, z.array(EventType).nullish())),
    rule_units: optional(z.string()),
    vehicle_types: optional(z.array(z.string())),
    propulsion_types: optional(z.array(z.string())),
    accessibility_options: optional(z.array(z.string())),
    minimum: optional(z.number()),
    maximum: optional(z.number()),
    inclusive_minimum: optional(z.boolean()),
    inclusive_maximum: optional(z.boolean()),
    rate_amount: optional(z.number()),
    rate_recurrence: optional(z.string()),
    rate_applies_when: optional(z.enum(['in_bounds', 'out_of_bounds'])),
    start_time: optional(MdsClockTime),
    end_time: optional(MdsClockTime),
    days: optional(z.array(z.enum(mdsDays))),
    messages: optional(z.record(z.string(), z.string())),
    value_url: optional(z.string()),
  })
  .meta({ id: 'MdsRule' })
export type MdsRule = z.infer<typeof MdsRule>

/** A policy of MDS 2.0. */
export const MdsPolicy = z
  .object({
    name: z.string().default(''),
    mode_id: optional(z.string()),
    policy_id: z.string().min(1),
    provider_ids: optional(z.array(z.string())),
    description: optional(z.string()),
    currency: optional(z.string()),
    start_date: MdsTime,
    end_date: optional(MdsTime),
    published_date: optional(MdsTime),
    prev_policies: optional(z.array(z.string())),
    rules: z.array(MdsRule),
  })
  .meta({ id: 'MdsPolicy' })
export type MdsPolicy = z.infer<typeof MdsPolicy>

/**
 * A geography of MDS 2.0. Its GeoJSON (a feature collection, a feature
 * or a bare geometry) is parsed where it is used.
 */
export const MdsGeography = z
  .object({
    name: z.string().default(''),
    description: optional(z.string()),
    geography_type: optional(z.string()),
    geography_id: z.string().min(1),
    geography_json: z.record(z.string(), z.unknown()),
    effective_date: optional(MdsTime),
    published_date: optional(MdsTime),
    retire_date: optional(MdsTime),
    prev_geographies: optional(z.array(z.string())),
  })
  .meta({ id: 'MdsGeography' })
export type MdsGeography = z.infer<typeof MdsGeography>
