import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LocalDay } from './period.ts'

/** A category of rows that are removed after a number of days. */
export interface RetentionRule {
  /** Minimum number of days. Sums, invoices and checks of the previous month need the rows. */
  minDays: number
  /** Where the days are set: by `changeRetention`, or in the settings of the region or of billing. */
  setIn: 'retention' | 'region' | 'billing'
  /** What is removed, as returned by the API. */
  description: string
}

/** All categories in their order on the screen. */
export const retentionRules = {
  trips: {
    minDays: 62,
    setIn: 'retention',
    description: 'Trips, trip reports, routes, and rows of trip files that were not stored',
  },
  events: {
    minDays: 62,
    setIn: 'retention',
    description:
      'Events, states and parking events of vehicles, vehicle snapshots, findings with raw records',
  },
  telemetry: { minDays: 7, setIn: 'retention', description: 'Telemetry and speeds of trips' },
  sessions: { minDays: 62, setIn: 'retention', description: 'Events and sessions at the curb' },
  plates: {
    minDays: 30,
    setIn: 'retention',
    description: 'Identities of vehicles at the curb: the hash is replaced by a random number',
  },
  payments: { minDays: 62, setIn: 'retention', description: 'Single payments at the curb' },
  audit: {
    minDays: 365,
    setIn: 'retention',
    description: 'Entries of the audit log, after the longest time of the regions of the organization',
  },
  raw: { minDays: 1, setIn: 'region', description: 'Raw responses of feeds and pushes' },
  invoices: {
    minDays: 365,
    setIn: 'billing',
    description: 'Issued invoices with their facts, until the day that was fixed at their issue',
  },
} as const satisfies Record<string, RetentionRule>
export type RetentionCategory = keyof typeof retentionRules
export const retentionCategories = Object.keys(retentionRules) as [RetentionCategory, ...RetentionCategory[]]
const Category = z.enum(retentionCategories)

/** Categories with retention days that are set with `changeRetention`. */
export const settableCategories = retentionCategories.filter(
  (name) => retentionRules[name].setIn === 'retention',
)

export const maxRetentionDays = 36_500

const Days = z.number().int().min(1).max(maxRetentionDays).nullable()

/** Days by category; null: rows are stored forever. */
export const RetentionDays = z.partialRecord(Category, Days).superRefine((days, context) => {
  for (const [name, value] of Object.entries(days)) {
    const { minDays, setIn } = retentionRules[name as RetentionCategory]
    const path = [name]
    if (setIn !== 'retention')
      context.addIssue({ code: 'custom', path, message: 'These days are set elsewhere.' })
    else if (value !== null && value < minDays)
      context.addIssue({ code: 'custom', path, message: `At least ${minDays} days.` })
  }
})
export type RetentionDays = z.infer<typeof RetentionDays>

/** Number of rows of one table. */
const TableRows = z.object({ table: z.string(), rows: z.number().int() })

/**
 * `removed`: rows were removed. `nothing`: none were old enough. `held`: a legal hold is set. `waits`: sums
 * of these days are not derived yet. `failed`: an error, which is in `detail`.
 */
export const retentionOutcomes = ['removed', 'nothing', 'held', 'waits', 'failed'] as const

export const RetentionStep = z
  .object({
    category: Category,
    outcome: z.enum(retentionOutcomes),
    before_day: LocalDay.nullable().meta({ description: 'Rows before this local day' }),
    tables: z.array(TableRows),
    detail: z.string().nullable(),
  })
  .meta({ id: 'RetentionStep' })
export type RetentionStep = z.infer<typeof RetentionStep>

export const RetentionRun = z
  .object({
    run_id: z.uuid(),
    started_time: z.iso.datetime(),
    ended_time: z.iso.datetime(),
    started_by: z.string().nullable().meta({ description: 'Null: the daily job' }),
    outcome: z.enum(retentionOutcomes),
    steps: z.array(RetentionStep),
  })
  .meta({ id: 'RetentionRun' })
export type RetentionRun = z.infer<typeof RetentionRun>

export const RetentionHold = z
  .object({
    reason: z.string(),
    set_by: z.string(),
    set_time: z.iso.datetime(),
    released_by: z.string().nullable(),
    released_time: z.iso.datetime().nullable(),
  })
  .meta({ id: 'RetentionHold' })
export type RetentionHold = z.infer<typeof RetentionHold>

export const Retention = z
  .object({
    categories: z.array(
      z.object({
        category: Category,
        description: z.string(),
        set_in: z.enum(['retention', 'region', 'billing']),
        min_days: z.number().int(),
        days: Days,
        removed_before: LocalDay.nullable().meta({ description: 'Rows before this local day are removed' }),
      }),
    ),
    hold: RetentionHold.nullable(),
    holds: z.array(RetentionHold).meta({ description: 'Released ones, newest first' }),
    runs: z.array(RetentionRun).meta({ description: 'The newest 50' }),
  })
  .meta({ id: 'Retention' })
export type Retention = z.infer<typeof Retention>

const regionRequest = { params: z.object({ region_id: z.string() }) }

export const getRetention = endpoint({
  route: 'GET /regions/{region_id}/retention',
  permission: 'is_admin',
  summary: 'For how long rows are stored, by category; legal hold, and what was removed',
  request: regionRequest,
  response: Retention,
})
export const changeRetention = endpoint({
  route: 'PATCH /regions/{region_id}/retention',
  permission: 'is_admin',
  summary: 'Change for how many days rows are stored',
  request: { ...regionRequest, body: z.object({ days: RetentionDays }) },
  response: Retention,
})
export const previewRetention = endpoint({
  route: 'POST /regions/{region_id}/retention/preview',
  prefixes: ['/v2'],
  permission: 'is_admin',
  reads: true,
  cost: 'heavy',
  summary: 'Count what the next run would remove, with stored or other days; nothing is changed',
  request: { ...regionRequest, body: z.object({ days: RetentionDays.default({}) }) },
  response: z.object({ steps: z.array(RetentionStep) }),
})
/** Returns before the run ends. */
export const runRetention = endpoint({
  route: 'POST /regions/{region_id}/retention/runs',
  prefixes: ['/v2'],
  permission: 'is_admin',
  summary: 'Remove now what is older than its days',
  request: regionRequest,
  response: z.object({ started: z.boolean() }),
})
export const setRetentionHold = endpoint({
  route: 'POST /regions/{region_id}/retention/hold',
  prefixes: ['/v2'],
  permission: 'is_admin',
  summary: 'Set a legal hold: nothing of the region is removed until it is released',
  request: { ...regionRequest, body: z.object({ reason: z.string().trim().min(3).max(1000) }) },
  response: Retention,
})
export const releaseRetentionHold = endpoint({
  route: 'DELETE /regions/{region_id}/retention/hold',
  prefixes: ['/v2'],
  permission: 'is_admin',
  summary: 'Release the legal hold of a region',
  request: regionRequest,
  response: Retention,
})
/** Lets pages distinguish days with removed rows from days without rows. */
export const getRetentionLimits = endpoint({
  route: 'GET /regions/{region_id}/retention/limits',
  permission: 'signed_in',
  summary:
    'The local day before which rows were removed, by category; categories without removed rows are omitted',
  request: regionRequest,
  response: z.object({ removed_before: z.partialRecord(Category, LocalDay) }),
})
