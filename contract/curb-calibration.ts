import { z } from 'zod'
import { CurbId } from './cds.ts'
import { DayType, TimeBand } from './curb-occupancy.ts'
import { endpoint } from './endpoint.ts'
import { LocalDay } from './period.ts'

const regionParams = z.object({ region_id: z.string() })
const curb = '/regions/{region_id}/curb'

/** Ratio `k` of counted to paid occupancy by time band and day type. Null: nothing was paid meanwhile. */
export const CalibrationCell = z.object({
  band: z.string(),
  day_type: z.string(),
  k: z.number().nullable(),
  /** 95% bootstrap interval. */
  interval: z.tuple([z.number(), z.number()]).nullable(),
  /** Number of pairs of zone and day that were both counted and paid. */
  n: z.number().int(),
  counted_hours: z.number(),
  paid_hours: z.number(),
})
export type CalibrationCell = z.infer<typeof CalibrationCell>

/** Kinds of changes that users record. Calibrations counted before a change expire. */
export const changeKinds = ['rules', 'enforcement', 'payment'] as const
export const ChangeKind = z.enum(changeKinds)
export type ChangeKind = z.infer<typeof ChangeKind>

export const Calibration = z
  .object({
    calibration_id: z.uuid(),
    name: z.string(),
    /** Null: all zones. */
    zone_ids: z.array(CurbId).nullable(),
    bands: z.array(TimeBand),
    day_types: z.array(DayType),
    start_date: LocalDay,
    end_date: LocalDay,
    cells: z.array(CalibrationCell),
    /** Days with estimates by this calibration; `valid_until` is excluded. */
    valid_from: LocalDay,
    valid_until: LocalDay,
    is_expired: z.boolean(),
    /** The recorded change because of which it expired. */
    expired: z
      .object({ kind: ChangeKind, day: LocalDay, note: z.string(), by: z.string(), time: z.string() })
      .nullable(),
    created_by: z.string(),
    created_time: z.string(),
  })
  .meta({ id: 'CurbCalibration' })
export type Calibration = z.output<typeof Calibration>

export const listCalibrations = endpoint({
  route: `GET ${curb}/calibrations`,
  permission: 'signed_in',
  summary: 'Calibrations of paid to counted occupancy, newest first',
  request: { params: regionParams },
  response: z.object({ items: z.array(Calibration) }),
})
export const CalibrationInput = z
  .object({
    name: z.string().trim().min(1).max(200),
    zone_ids: z.array(CurbId).min(1).max(5000).nullable().default(null),
    bands: z.array(TimeBand).min(1).max(12),
    day_types: z.array(DayType).min(1).max(7),
    start_date: LocalDay,
    end_date: LocalDay,
  })
  .refine(({ start_date, end_date }) => start_date <= end_date, {
    path: ['end_date'],
    message: 'The last day is before the first',
  })
  .refine(
    ({ bands }) =>
      bands
        .toSorted((a, b) => a.from - b.from)
        .every((band, index, sorted) => index === 0 || (sorted[index - 1]?.until ?? 0) <= band.from),
    { path: ['bands'], message: 'Bands overlap' },
  )
  .refine(
    ({ day_types }) =>
      new Set(day_types.flatMap(({ weekdays }) => weekdays)).size ===
      day_types.flatMap(({ weekdays }) => weekdays).length,
    { path: ['day_types'], message: 'A weekday may belong to only one day type' },
  )
export type CalibrationInput = z.output<typeof CalibrationInput>
export const createCalibration = endpoint({
  route: `POST ${curb}/calibrations`,
  cost: 'heavy',
  permission: 'edit_curb_regulations',
  summary: 'Compare counted with paid occupancy over a period and store the ratio by band and type of days',
  request: { params: regionParams, body: CalibrationInput },
  response: Calibration,
})
export const recordCurbChange = endpoint({
  route: `POST ${curb}/calibrations/changes`,
  permission: 'edit_curb_regulations',
  summary:
    'Record a change of rules, enforcement or payment: calibrations counted before it expire on its day',
  request: {
    params: regionParams,
    body: z.object({
      kind: ChangeKind,
      day: LocalDay,
      note: z.string().trim().max(1000).default(''),
      /** Absent: all calibrations of the region. */
      calibration_ids: z.array(z.uuid()).min(1).max(200).optional(),
    }),
  },
  response: z.object({ items: z.array(Calibration) }),
})
