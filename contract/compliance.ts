import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { VehicleType } from './mobility.ts'
import { pageQuery, pageSchema } from './page.ts'
import { LocalDay, addDays } from './period.ts'
import { PolicyFields, PolicyStatus, PolicyUnit, type VehicleCountMethod } from './policy.ts'

/** Status of a day; not_applicable if it cannot be evaluated. */
export const complianceStatuses = ['compliant', 'non_compliant', 'not_applicable'] as const
export const ComplianceStatus = z.enum(complianceStatuses)
export type ComplianceStatus = z.infer<typeof ComplianceStatus>

/** The unit of a compliance count. */
export const countTypes = ['events', 'trips', 'vehicles', 'violations'] as const
export const CountType = z.enum(countTypes)
export type CountType = z.infer<typeof CountType>

/** What compliance measures for a policy (docs/metrics.md, Policy compliance). */
export type Measure =
  /** Size of the operator's fleet in the region, by one of four counting methods. */
  | { kind: 'fleet'; method: VehicleCountMethod }
  /** Vehicles in each shape: their number, or with `share` their percentage of the operator's fleet. */
  | { kind: 'fleet_in_shape'; share: boolean }
  | { kind: 'drop_offs' }
  | { kind: 'trips_per_vehicle' }
  /** Parking events longer than the limit. */
  | { kind: 'parked_longer' }
  /** Parking events that begin in a shape; each is a violation. */
  | { kind: 'parked' }
  /** Trips that pass through a shape; each is a violation. */
  | { kind: 'ridden' }
  /** Places that trips pass faster than the limit. */
  | { kind: 'speeding' }
  /** Percentage of the operator's parking events that begin in the shapes. */
  | { kind: 'parked_share' }
  /** Fees are charged and not measured. */
  | { kind: 'fee' }

/** A name after the number 1, and after any other number (the plural categories of CLDR). */
interface CountName {
  one: string
  other: string
}
interface MeasureName {
  counts: CountType
  /** Whether the policy has a minimum or maximum for it; if not, each fact found is a violation. */
  isBounded: boolean
  en: CountName
  es: CountName
}

/** What `measured` counts (docs/metrics.md, Policy compliance). */
export const measureNames = {
  vehicles: {
    counts: 'vehicles',
    isBounded: true,
    en: { one: 'vehicle', other: 'vehicles' },
    es: { one: 'vehículo', other: 'vehículos' },
  },
  percent_of_fleet: {
    counts: 'vehicles',
    isBounded: true,
    en: { one: '% of the fleet', other: '% of the fleet' },
    es: { one: '% de la flota', other: '% de la flota' },
  },
  drop_offs: {
    counts: 'events',
    isBounded: true,
    en: { one: 'drop-off', other: 'drop-offs' },
    es: { one: 'despliegue', other: 'despliegues' },
  },
  trips_per_vehicle: {
    counts: 'trips',
    isBounded: true,
    en: { one: 'trip per vehicle', other: 'trips per vehicle' },
    es: { one: 'viaje por vehículo', other: 'viajes por vehículo' },
  },
  percent_of_parking: {
    counts: 'events',
    isBounded: true,
    en: { one: '% of the parking events', other: '% of the parking events' },
    es: { one: '% de los estacionamientos', other: '% de los estacionamientos' },
  },
  parking_events: {
    counts: 'events',
    isBounded: false,
    en: { one: 'parking event that began here', other: 'parking events that began here' },
    es: { one: 'vehículo estacionado aquí', other: 'vehículos estacionados aquí' },
  },
  long_parking_events: {
    counts: 'events',
    isBounded: false,
    en: { one: 'parking event longer than the limit', other: 'parking events longer than the limit' },
    es: {
      one: 'vehículo estacionado más tiempo que el límite',
      other: 'vehículos estacionados más tiempo que el límite',
    },
  },
  trips: {
    counts: 'trips',
    isBounded: false,
    en: { one: 'trip through here', other: 'trips through here' },
    es: { one: 'viaje por esta área', other: 'viajes por esta área' },
  },
  speeding_points: {
    counts: 'violations',
    isBounded: false,
    en: { one: 'place passed faster than the limit', other: 'places passed faster than the limit' },
    es: {
      one: 'posición por encima del límite de velocidad',
      other: 'posiciones por encima del límite de velocidad',
    },
  },
  rule_violations: {
    counts: 'violations',
    isBounded: false,
    en: { one: 'violation of the rules', other: 'violations of the rules' },
    es: { one: 'infracción de reglas', other: 'infracciones de reglas' },
  },
} as const satisfies Record<string, MeasureName>
export const ComplianceMeasure = z.enum(
  Object.keys(measureNames) as [keyof typeof measureNames, ...(keyof typeof measureNames)[]],
)
export type ComplianceMeasure = z.infer<typeof ComplianceMeasure>

/**
 * Why a record has its status.
 * - compliant: `within`, `none_found`
 * - non_compliant: `over_maximum`, `under_minimum`, `found`
 * - not_applicable: the policy was not in force (`not_in_force`) or not on this weekday (`not_on_this_day`),
 *   the operator's feed had no data (`no_feed`) or missed hours (`data_gap`), there was nothing to measure
 *   (`nothing_to_measure`, `no_fleet`), the policy sets no limit (`no_limit`), or the day is not over
 *   (`day_goes_on`)
 */
export const complianceReasons = [
  'within',
  'none_found',
  'over_maximum',
  'under_minimum',
  'found',
  'not_in_force',
  'not_on_this_day',
  'no_feed',
  'data_gap',
  'nothing_to_measure',
  'no_fleet',
  'no_limit',
  'day_goes_on',
] as const
export const ComplianceReason = z.enum(complianceReasons)
export type ComplianceReason = z.infer<typeof ComplianceReason>

/** The result of one local day for one operator in one shape, with the method of measurement. */
export const ComplianceRecord = z
  .object({
    date: LocalDay,
    operator: z.string(),
    /** Null: the policy is measured as a whole, for the entire region or all of its shapes. */
    shape_uuid: z.uuid().nullable(),
    shape_name: z.string(),
    status: ComplianceStatus,
    /**
     * Size of the measured fleet; for measures that look for events, the number of vehicles that broke the
     * rule. Null: not measured.
     */
    vehicle_count: z.number().nullable(),
    drop_offs_count: z.number().int().nullable(),
    /** The status in an English sentence. */
    reason: z.string(),
    reason_code: ComplianceReason,
    measure: ComplianceMeasure,
    /** Measured value in the unit of the measure; null: nothing was measured. */
    measured: z.number().nullable(),
    minimum: z.number().nullable(),
    maximum: z.number().nullable(),
    unit: PolicyUnit.nullable(),
    /**
     * Number of facts that break the rule; 1 for a day outside its bounds. Also set on days that are not
     * applicable if something was found.
     */
    violations: z.number().int(),
    /** Violating facts closer to the border than their accuracy; regions may count them in `violations`. */
    uncertain: z.number().int(),
    /** Hours of the time window that usually have data from the operator's feed but have none. */
    gap_hours: z.number().int(),
    /** Whether the result may change without new data: the day or a parking event is not over. */
    provisional: z.boolean(),
    /** The revision in force. Null for an unsaved policy. */
    policy_uuid: z.uuid().nullable(),
    /** Version of the method (docs/metrics.md). Its other parameters are in the policy. */
    method_version: z.number().int(),
    /** Whether `violations` includes `uncertain`, as set for the region. */
    counts_uncertain: z.boolean(),
  })
  .meta({ id: 'ComplianceRecord' })
export type ComplianceRecord = z.infer<typeof ComplianceRecord>

/** The days of an operator under one policy. */
export const OperatorCompliance = z.object({
  /** non_compliant if one day is; not_applicable if no day could be evaluated. */
  status: ComplianceStatus,
  /** Number of days with a violation. */
  daysCount: z.number().int(),
  violationCount: z.number().int(),
  violationType: ComplianceMeasure,
  countType: CountType,
  uncertainCount: z.number().int(),
  compliantDays: z.number().int(),
  notApplicableDays: z.number().int(),
  /** Day by day, for a line chart. */
  days: z.array(z.object({ date: LocalDay, status: ComplianceStatus, violations: z.number().int() })),
})
export type OperatorCompliance = z.infer<typeof OperatorCompliance>

/** Compliance of one policy by operator. */
export const ComplianceSummary = z
  .object({
    policy_uuid: z.uuid(),
    constant_policy_uuid: z.uuid(),
    policyName: z.string(),
    policyType: z.string(),
    status: PolicyStatus,
    is_deleted: z.boolean(),
    complianceData: z.record(z.string(), OperatorCompliance),
  })
  .meta({ id: 'ComplianceSummary' })
export type ComplianceSummary = z.infer<typeof ComplianceSummary>

/** Returns the seven days before today, and today. */
export const defaultCompliancePeriod = (today: LocalDay): { start_date: LocalDay; end_date: LocalDay } => ({
  start_date: addDays(today, -7),
  end_date: today,
})

/** Incremented when the method of measuring or evaluating days changes. */
export const complianceMethodVersion = 2

/** Maximum number of days per request. */
export const maxComplianceDays = 366
/** Maximum number of records per response. */
export const maxComplianceRecords = 200_000

/** A fact that was counted for a record. Times are ISO 8601. */
export const ComplianceFact = z
  .object({
    /** `interval`: a vehicle in the public right of way, or in breach. `segment`: a position with speed. */
    kind: z.enum(['interval', 'drop_off', 'trip', 'parking_event', 'segment']),
    fact_id: z.string(),
    date: LocalDay,
    operator: z.string(),
    shape_uuid: z.uuid().nullable(),
    shape_name: z.string(),
    device_id: z.string(),
    vehicle_id: z.string(),
    vehicle_type: VehicleType,
    from_time: z.string(),
    until_time: z.string().nullable(),
    lon: z.number(),
    lat: z.number(),
    trip_id: z.string().nullable(),
    /** Minutes for intervals and parking events, the rule's unit of speed for segments; otherwise null. */
    value: z.number().nullable(),
    /** Meters, if reported by the operator. */
    accuracy: z.number().nullable(),
    is_violation: z.boolean(),
    is_uncertain: z.boolean(),
  })
  .meta({ id: 'ComplianceFact' })
export type ComplianceFact = z.infer<typeof ComplianceFact>

const days = { start_date: LocalDay, end_date: LocalDay }
const operators = z.array(z.string()).max(200).default([])
const regionParams = z.object({ region_id: z.string() })

export const getComplianceSummary = endpoint({
  route: 'GET /regions/{region_id}/policies/compliance/summary',
  cost: 'heavy',
  permission: 'signed_in',
  summary: 'Compliance with each policy in force in a period, by operator, except fees',
  request: { params: regionParams, query: z.object({ startDate: LocalDay, endDate: LocalDay }) },
  response: z.object({
    data: z.array(ComplianceSummary),
    start_date: LocalDay,
    end_date: LocalDay,
    today: LocalDay,
    /** Time of the oldest figures. Past days are measured again at most every ten minutes. */
    as_of: z.iso.datetime(),
  }),
})
/** The list of the specification: plain under /v2, in `data` under /apipy. Any revision names the policy. */
export const getComplianceForPolicy = endpoint({
  route: 'POST /policy_compliance/for_policy',
  cost: 'heavy',
  permission: 'signed_in',
  reads: true,
  summary: 'Compliance with one policy by day, operator and shape',
  request: {
    body: z.object({ policy_uuid: z.uuid(), ...days, operators, detail: z.boolean().default(true) }),
  },
  response: z.array(ComplianceRecord),
})
/** What a draft would find if it were in force on all of these days. Its dates are ignored. */
export const tryPolicy = endpoint({
  route: 'POST /regions/{region_id}/compliance/try',
  cost: 'heavy',
  permission: 'signed_in',
  reads: true,
  summary:
    'What a policy would have found on past days, saved or not; compared with another revision if one is named',
  request: {
    params: regionParams,
    body: z.object({
      policy: PolicyFields,
      ...days,
      operators,
      compare_with: z.uuid().nullable().default(null),
    }),
  },
  response: z.object({
    records: z.array(ComplianceRecord),
    compared: z.array(ComplianceRecord).nullable(),
    took_ms: z.number(),
  }),
})
/** Single trips are visible to users who may edit policies, and to an operator for its own vehicles. */
export const listComplianceFacts = endpoint({
  route: 'POST /regions/{region_id}/compliance/facts',
  cost: 'heavy',
  permission: 'signed_in',
  personal: true,
  reads: true,
  summary:
    'The facts behind compliance with a policy, saved or not: each vehicle, place and time, newest first',
  request: {
    params: regionParams,
    body: z
      .object({
        policy_uuid: z.uuid().optional(),
        policy: PolicyFields.optional(),
        ...days,
        operators,
        shape_uuids: z.array(z.uuid()).max(5000).default([]),
        only_violations: z.boolean().default(true),
        ...pageQuery(50, 5000),
      })
      .refine(
        ({ policy, policy_uuid: id }) => (policy === undefined) !== (id === undefined),
        'Name either policy_uuid or policy',
      ),
  },
  response: pageSchema(ComplianceFact),
})
