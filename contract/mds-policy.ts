import { z } from 'zod'
import { EventType, VehicleState } from './vehicle-states.ts'

/** Milliseconds since 1970, as MDS writes instants. */
export const MdsTime = z.number().finite()

export const mdsTimeUnits = ['seconds', 'minutes', 'hours', 'days'] as const
export const mdsSpeedUnits = ['mph', 'kph'] as const
export const mdsDays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
export type MdsDay = (typeof mdsDays)[number]

/** A wall-clock time; 24:00 is the end of the day. */
export const MdsClockTime = z
  .string()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?|24:00(:00)?)$/, 'must be a time like 09:30:00')

/** A rule of MDS 2.0 Policy, parsed leniently: null means absent, and unknown fields are ignored. */
export const MdsRule = z
  .object({
    name: z.string().default(''),
    rule_id: z.string().min(1),
    rule_type: z.string().min(1),
    geographies: z.array(z.string()),
    states: z.partialRecord(VehicleState, z.array(EventType).nullish()).nullish(),
    rule_units: z.string().nullish(),
    vehicle_types: z.array(z.string()).nullish(),
    propulsion_types: z.array(z.string()).nullish(),
    accessibility_options: z.array(z.string()).nullish(),
    minimum: z.number().nullish(),
    maximum: z.number().nullish(),
    inclusive_minimum: z.boolean().nullish(),
    inclusive_maximum: z.boolean().nullish(),
    rate_amount: z.number().nullish(),
    rate_recurrence: z.string().nullish(),
    rate_applies_when: z.enum(['in_bounds', 'out_of_bounds']).nullish(),
    start_time: MdsClockTime.nullish(),
    end_time: MdsClockTime.nullish(),
    days: z.array(z.enum(mdsDays)).nullish(),
    messages: z.record(z.string(), z.string()).nullish(),
    value_url: z.string().nullish(),
  })
  .meta({ id: 'MdsRule' })
export type MdsRule = z.infer<typeof MdsRule>

/** A policy of MDS 2.0. */
export const MdsPolicy = z
  .object({
    name: z.string().default(''),
    mode_id: z.string().nullish(),
    policy_id: z.string().min(1),
    provider_ids: z.array(z.string()).nullish(),
    description: z.string().nullish(),
    currency: z.string().nullish(),
    start_date: MdsTime,
    end_date: MdsTime.nullish(),
    published_date: MdsTime.nullish(),
    prev_policies: z.array(z.string()).nullish(),
    rules: z.array(MdsRule),
  })
  .meta({ id: 'MdsPolicy' })
export type MdsPolicy = z.infer<typeof MdsPolicy>

/** A geography of MDS 2.0. Its GeoJSON of any kind is parsed where it is used. */
export const MdsGeography = z
  .object({
    name: z.string().default(''),
    description: z.string().nullish(),
    geography_type: z.string().nullish(),
    geography_id: z.string().min(1),
    geography_json: z.record(z.string(), z.unknown()),
    effective_date: MdsTime.nullish(),
    published_date: MdsTime.nullish(),
    retire_date: MdsTime.nullish(),
    prev_geographies: z.array(z.string()).nullish(),
  })
  .meta({ id: 'MdsGeography' })
export type MdsGeography = z.infer<typeof MdsGeography>
