import { z } from 'zod'
import { stationTerms } from './bikeshare.ts'
import { endpoint } from './endpoint.ts'
import { metricFilters, ParkingLimit } from './metrics.ts'
import { LocalDay } from './period.ts'

/** Report pages that can be sent weekly or monthly. */
export const scheduledReports = [
  'trip_counts',
  'mobility_metrics',
  'trip_distance',
  'trip_duration',
  'time_of_day',
  'trip_distance_by_tech',
  'trip_speed_by_tech',
  'parking_time',
  'parking_time_by_district',
  'bikeshare_stations',
] as const
export const ScheduledReport = z.enum(scheduledReports)
export type ScheduledReport = z.infer<typeof ScheduledReport>

export const reportCadences = ['weekly', 'monthly'] as const
export type ReportCadence = (typeof reportCadences)[number]

/** Filters of a scheduled report: those of its page, without the period. */
export const ReportFilters = z
  .object({
    ...metricFilters,
    parking_limit: ParkingLimit,
    /** The layer of areas; null: the first layer of the region. */
    shape_layer_uuid: z.uuid().nullable().default(null),
    ...stationTerms,
  })
  .meta({ id: 'ReportFilters' })
export type ReportFilters = z.output<typeof ReportFilters>

const commonFilters = Object.keys(metricFilters) as (keyof ReportFilters)[]
const filtersByReport: Partial<Record<ScheduledReport, readonly (keyof ReportFilters)[]>> = {
  parking_time: [...commonFilters, 'parking_limit'],
  parking_time_by_district: [...commonFilters, 'parking_limit', 'shape_layer_uuid'],
  bikeshare_stations: ['operators', 'window_from', 'window_until', 'tolerance'],
}
/** Resets filters that a report does not use to their defaults. */
export const resetUnusedFilters = (report: ScheduledReport, filters: ReportFilters): ReportFilters =>
  ReportFilters.parse(
    Object.fromEntries((filtersByReport[report] ?? commonFilters).map((key) => [key, filters[key]])),
  )

/** Maximum number of recipients per schedule. */
export const maxRecipients = 50
/** Maximum number of schedules per region. */
export const maxSchedules = 100
/** Maximum number of runs that a response lists. */
export const maxListedRuns = 30

/** A run: the report of one period, sent to all recipients. */
export const ReportRun = z
  .object({
    run_id: z.uuid(),
    start_date: LocalDay,
    end_date: LocalDay,
    /** `waiting`: some emails are not sent yet. `sent`: all are. `failed`: some were given up. */
    state: z.enum(['waiting', 'sent', 'failed']),
    /** Whether a user started it with "Run now". */
    is_manual: z.boolean(),
    created_time: z.iso.datetime(),
    /** Number of emails by state; old ones are not counted. */
    mails: z.object({ sent: z.number().int(), waiting: z.number().int(), failed: z.number().int() }),
  })
  .meta({ id: 'ReportRun' })
export type ReportRun = z.infer<typeof ReportRun>

export const ReportSchedule = z
  .object({
    schedule_id: z.uuid(),
    report: ScheduledReport,
    cadence: z.enum(reportCadences),
    /** ISO weekday, or day of the month; a month without it runs on its last day. */
    day: z.number().int(),
    /** Without operators that the viewer may not see. */
    filters: ReportFilters,
    created_by: z.string(),
    /** Whether the viewer created it or is an administrator. */
    can_edit: z.boolean(),
    /** Recipients. Users who cannot edit it see only themselves. */
    recipients: z.array(z.object({ email: z.string(), has_unsubscribed: z.boolean() })),
    /** Start of the next run. */
    next_time: z.iso.datetime(),
    last_run: ReportRun.nullable(),
  })
  .meta({ id: 'ReportSchedule' })
export type ReportSchedule = z.infer<typeof ReportSchedule>

export const NewReportSchedule = z
  .object({
    report: ScheduledReport,
    cadence: z.enum(reportCadences),
    day: z.number().int().min(1).max(31),
    filters: ReportFilters.prefault({}),
    /** Email addresses of users who may see the region. */
    recipients: z.array(z.email()).min(1).max(maxRecipients),
  })
  .refine(({ cadence, day }) => cadence === 'monthly' || day <= 7, {
    path: ['day'],
    message: 'A weekday is 1 (Monday) to 7 (Sunday)',
  })
export type NewReportSchedule = z.output<typeof NewReportSchedule>

const regionParams = z.object({ region_id: z.string() })
const scheduleParams = regionParams.extend({ schedule_id: z.uuid() })
const listPath = '/regions/{region_id}/report_schedules' as const
const schedulePath = `${listPath}/{schedule_id}` as const

export const listReportSchedules = endpoint({
  route: `GET ${listPath}`,
  permission: 'signed_in',
  summary: 'Scheduled reports of a region that the user made or receives; for administrators all of them',
  request: { params: regionParams },
  response: z.object({ items: z.array(ReportSchedule) }),
})
export const createReportSchedule = endpoint({
  route: `POST ${listPath}`,
  prefixes: ['/v2'],
  permission: 'signed_in',
  summary: 'Send a report page every week or month, by email with a PDF',
  request: { params: regionParams, body: NewReportSchedule },
  response: ReportSchedule,
})
export const changeReportSchedule = endpoint({
  route: `PATCH ${schedulePath}`,
  permission: 'signed_in',
  summary: 'Change a scheduled report; recipients who unsubscribed remain unsubscribed',
  request: { params: scheduleParams, body: NewReportSchedule },
  response: ReportSchedule,
})
export const deleteReportSchedule = endpoint({
  route: `DELETE ${schedulePath}`,
  permission: 'signed_in',
  summary: 'Delete a scheduled report with its history',
  request: { params: scheduleParams },
  response: z.object({ deleted: z.boolean() }),
})
export const runReportSchedule = endpoint({
  route: `POST ${schedulePath}/run`,
  cost: 'heavy',
  permission: 'signed_in',
  summary: 'Send the report of the last period now',
  request: { params: scheduleParams },
  response: ReportRun,
})
export const listReportRuns = endpoint({
  route: `GET ${schedulePath}/runs`,
  permission: 'signed_in',
  summary: `The last ${maxListedRuns} runs of a scheduled report, newest first`,
  request: { params: scheduleParams },
  response: z.object({ items: z.array(ReportRun) }),
})
export const getReportPdf = endpoint({
  route: `GET ${schedulePath}/pdf`,
  cost: 'heavy',
  permission: 'signed_in',
  summary: 'The PDF of a run, or of the last period, with the figures that the user may see',
  request: { params: scheduleParams, query: z.object({ run_id: z.uuid().optional() }) },
  response: { media: 'application/pdf' },
})
export const endReportByToken = endpoint({
  route: 'POST /report_schedules/unsubscribe',
  permission: 'public',
  summary: 'Unsubscribe a recipient from a scheduled report with the token from the link in its emails',
  request: { body: z.object({ token: z.uuid() }) },
  response: z.object({ ended: z.boolean() }),
})
