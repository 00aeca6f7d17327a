import { z } from 'zod'
import { GeometryShape } from './place.ts'

/**
 * Objects of the Curbs API of CDS 1.1 (Curb Data Specification, curbs/README.md), which are also the internal
 * model of the Curb Manager. Lengths are in centimeters, times in milliseconds since 1970, fees in minor
 * units of the currency. Ranges include their start and exclude their end. Fields that CDS does not define
 * are preserved.
 */

/** Activities that a rule permits or forbids. */
export const curbActivities = [
  'parking',
  'no parking',
  'loading',
  'no loading',
  'unloading',
  'no unloading',
  'stopping',
  'no stopping',
  'travel',
  'no travel',
] as const
export const CurbActivity = z.enum(curbActivities)
export type CurbActivity = z.infer<typeof CurbActivity>

export const cdsTimeUnits = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const
export const CdsTimeUnit = z.enum(cdsTimeUnits)
export type CdsTimeUnit = z.infer<typeof CdsTimeUnit>

export const cdsWeekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
export const CdsWeekday = z.enum(cdsWeekdays)
export type CdsWeekday = z.infer<typeof CdsWeekday>

/** Compass directions of `street_side`. */
export const streetSides = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const
export const StreetSide = z.enum(streetSides)
export type StreetSide = z.infer<typeof StreetSide>

/** User classes that CDS recommends; cities may add their own. */
export const wellKnownUserClasses = [
  'bicycle',
  'bus',
  'cargo_bicycle',
  'car',
  'moped',
  'motorcycle',
  'scooter',
  'shuttle',
  'truck',
  'van',
  'accessible',
  'autonomous',
  'combustion',
  'electric',
  'electric_assist',
  'human',
] as const

/** Purposes that CDS 1.1 recommends; cities may add their own. */
export const wellKnownPurposes = [
  'construction',
  'delivery',
  'disabled_parking_permit',
  'emergency_use',
  'freight',
  'parking',
  'permit',
  'rideshare',
  'carshare',
  'school',
  'service_vehicles',
  'special_events',
  'taxi',
  'utilities',
  'valet',
  'vending',
  'waste_management',
] as const

/** Values that CDS recommends for `designated_period`. The settings of a region contain their days. */
export const wellKnownPeriods = ['snow emergency', 'holidays', 'school days', 'game days'] as const

const count = z.number().int().min(0)
const Milliseconds = z.number().int().min(0)
/** CDS requires UUIDs; other ids of agencies are accepted unchanged. */
export const CurbId = z.string().min(1).max(200)
const labels = z.array(z.string().min(1).max(100)).max(100)

/** Price of the part of a stay between `start_duration` and `end_duration`, which are in `rate_unit`s. */
export const CdsRate = z.looseObject({
  rate: count,
  rate_unit: CdsTimeUnit,
  rate_unit_period: z.enum(['rolling', 'calendar']).optional(),
  increment_duration: z.number().int().min(1).optional(),
  increment_amount: z.number().int().min(1).optional(),
  start_duration: count.optional(),
  end_duration: count.optional(),
  maximum_fee: count.optional(),
})
export type CdsRate = z.infer<typeof CdsRate>

/** Who may do what and for how long. A vehicle matches all `user_classes` and no `user_classes_except`. */
export const CdsRule = z.looseObject({
  name: z.string().max(500).optional(),
  description: z.string().max(5000).optional(),
  activity: CurbActivity,
  max_stay: count.optional(),
  max_stay_unit: CdsTimeUnit.optional(),
  no_return: count.optional(),
  no_return_unit: CdsTimeUnit.optional(),
  user_classes: labels.optional(),
  user_classes_except: labels.optional(),
  purposes: labels.optional(),
  rate: z.array(CdsRate).max(100).optional(),
})
export type CdsRule = z.infer<typeof CdsRule>

/** When a policy applies: if all criteria are met. A time of day that ends before its start is overnight. */
export const CdsTimeSpan = z.looseObject({
  start_date: Milliseconds.optional(),
  end_date: Milliseconds.optional(),
  days_of_week: z.array(CdsWeekday).optional(),
  days_of_month: z.array(z.number().int().min(1).max(31)).optional(),
  weeks_of_month: z.array(z.number().int().min(1).max(5)).optional(),
  months: z.array(z.number().int().min(1).max(12)).optional(),
  time_of_day_start: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .optional(),
  /** Both 24:00 and an absent value mean the end of the day. */
  time_of_day_end: z
    .string()
    .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/)
    .optional(),
  designated_period: z.string().min(1).max(200).optional(),
  designated_period_except: z.boolean().optional(),
})
export type CdsTimeSpan = z.infer<typeof CdsTimeSpan>

/** The content of a policy. Policies of equal content share one id (`server/curb/policy-signature.ts`). */
export const CdsPolicyContent = z.looseObject({
  name: z.string().max(500).optional(),
  description: z.string().max(5000).optional(),
  priority: z.number().int().min(0).max(1_000_000),
  rules: z.array(CdsRule).min(1).max(50),
  time_spans: z.array(CdsTimeSpan).max(200).optional(),
})
export type CdsPolicyContent = z.infer<typeof CdsPolicyContent>

/** A regulation. Where time spans and user classes overlap, the lowest priority number takes precedence. */
export const CdsPolicy = CdsPolicyContent.extend({
  curb_policy_id: CurbId,
  published_date: Milliseconds,
}).meta({ id: 'CdsPolicy' })
export type CdsPolicy = z.infer<typeof CdsPolicy>

export const LocationReference = z.looseObject({
  source: z.string().max(2000),
  ref_id: z.string().max(2000),
  start: count,
  end: count,
  side: z.enum(['left', 'right']).optional(),
})
export type LocationReference = z.infer<typeof LocationReference>

/** A stretch of curb with one regulation along all of it. */
export const CdsZone = z
  .looseObject({
    curb_zone_id: CurbId,
    geometry: GeometryShape,
    curb_policy_ids: z.array(CurbId).max(500),
    prev_policies: z
      .array(
        z.looseObject({ curb_policy_ids: z.array(CurbId), start_date: Milliseconds, end_date: Milliseconds }),
      )
      .optional(),
    prev_curb_zone_ids: z.array(CurbId).optional(),
    published_date: Milliseconds,
    last_updated_date: Milliseconds,
    start_date: Milliseconds,
    end_date: Milliseconds.optional(),
    location_references: z.array(LocationReference).optional(),
    name: z.string().max(500).optional(),
    user_zone_id: z.string().max(500).optional(),
    street_name: z.string().max(500).optional(),
    cross_street_start_name: z.string().max(500).optional(),
    cross_street_end_name: z.string().max(500).optional(),
    length: count.optional(),
    width: count.optional(),
    parking_angle: z.enum(['parallel', 'perpendicular', 'angled']).optional(),
    num_spaces: count.optional(),
    street_side: StreetSide.optional(),
    median: z.boolean().optional(),
    entire_roadway: z.boolean().optional(),
    curb_area_ids: z.array(CurbId).optional(),
    curb_space_ids: z.array(CurbId).optional(),
    curb_object_ids: z.array(CurbId).optional(),
  })
  .meta({ id: 'CdsZone' })
export type CdsZone = z.infer<typeof CdsZone>

export const CdsArea = z
  .looseObject({
    curb_area_id: CurbId,
    geometry: GeometryShape,
    name: z.string().max(500).optional(),
    published_date: Milliseconds,
    last_updated_date: Milliseconds,
    curb_zone_ids: z.array(CurbId),
  })
  .meta({ id: 'CdsArea' })
export type CdsArea = z.infer<typeof CdsArea>

export const CdsSpace = z
  .looseObject({
    curb_space_id: CurbId,
    geometry: GeometryShape,
    curb_zone_id: CurbId,
    name: z.string().max(500).optional(),
    published_date: Milliseconds,
    last_updated_date: Milliseconds,
    space_number: z.number().int().optional(),
    length: count,
    width: count.optional(),
  })
  .meta({ id: 'CdsSpace' })
export type CdsSpace = z.infer<typeof CdsSpace>

/** An object at the curb, such as a hydrant, a sign or a sensor. New in CDS 1.1. */
export const CdsObject = z
  .looseObject({
    curb_object_id: CurbId,
    geometry: GeometryShape,
    object_type: z.string().max(200),
    name: z.string().max(500),
    curb_zone_id: CurbId.optional(),
    curb_space_id: CurbId.optional(),
    curb_policy_id: CurbId.optional(),
    published_date: Milliseconds,
    last_updated_date: Milliseconds,
  })
  .meta({ id: 'CdsObject' })
export type CdsObject = z.infer<typeof CdsObject>
