import { getErrorMessage } from '#contract/problem-text.ts'
import { runInWorker } from '#server/jobs/run-in-worker.ts'
import type { Log } from '#server/jobs/log.ts'
import { ReportFilters, ScheduledReport } from '#contract/report-schedules.ts'
import { Problem } from '#server/http/problem.ts'
import { findLanguage } from '#server/identity/find-user.ts'
import { regionScope, systemScope, viewerScope } from '#server/identity/scope.ts'
import { queueNotifications } from '#server/notifications/notification-store.ts'
import type { NotificationKind } from '#server/notifications/notification.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { addComparedPeriod, findNextDue, getReportPeriod, type ReportPeriod } from './due-dates.ts'
import { isHidden, makeReport, type ReportSources } from './report-content.ts'
import type { ReportContent } from './report-data.ts'
import { composeReportMail } from './report-mail.ts'
import { toDueDates, reportKind, type ReportPayload } from './schedules.ts'

const workerUrl = new URL('./render-report-worker.ts', import.meta.url)

/** Renders charts and PDF on a worker thread, because it takes up to a second. */
export const renderPdf = (content: ReportContent): Promise<Uint8Array> =>
  runInWorker<Uint8Array>(workerUrl, content)

interface NewRun {
  scheduleId: string
  regionId: string
  period: Pick<ReportPeriod, 'start_date' | 'end_date'>
  isManual: boolean
}

/**
 * Stores a run, the messages to its recipients and, for a scheduled run, the next due time in one
 * transaction, so that no period is sent twice or skipped, even if the process ends at any point. Returns the
 * id of the run; null if the period was run before.
 */
export async function storeRun(
  store: Store,
  { scheduleId, regionId, period: { start_date, end_date }, isManual }: NewRun,
  nextTime: Date | null,
  at: Date,
): Promise<string | null> {
  return store.transaction().execute(async (transaction) => {
    const row = await transaction
      .insertInto('report_run')
      .values({
        schedule_id: scheduleId,
        region_id: regionId,
        start_date,
        end_date,
        is_manual: isManual,
        created_time: at,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('run_id')
      .executeTakeFirst()
    if (nextTime)
      await transaction
        .updateTable('report_schedule')
        .set({ next_time: nextTime })
        .where('schedule_id', '=', scheduleId)
        .execute()
    if (!row) return null
    const recipients = await transaction
      .selectFrom('report_recipient')
      .select(['user_id', 'token'])
      .where('schedule_id', '=', scheduleId)
      .where('unsubscribed_time', 'is', null)
      .execute()
    await queueNotifications(
      transaction,
      recipients.map(({ user_id: userId, token }) => ({
        kind: reportKind,
        regionId,
        userId,
        subscriptionId: null,
        payload: { run_id: row.run_id, token } satisfies ReportPayload,
      })),
      at,
    )
    return row.run_id
  })
}

/** Runs the schedules that are due. If days of a report are being prepared, it is tried again next time. */
export async function runDueSchedules(
  sources: ReportSources & { log: Log },
  at: Date,
  stop: AbortSignal,
): Promise<void> {
  const { state, log } = sources
  const rows = await state
    .as(systemScope)
    .selectFrom('report_schedule')
    .innerJoin('region', 'region.region_id', 'report_schedule.region_id')
    .select([
      'schedule_id',
      'report_schedule.region_id',
      'report',
      'filters',
      'cadence',
      'day',
      'next_time',
      'organization_id',
      'timezone',
    ])
    .where('next_time', '<=', at)
    .orderBy('next_time')
    .execute()
  for (const row of rows) {
    if (stop.aborted) return
    const { region_id: regionId, schedule_id: scheduleId } = row
    const scope = regionScope(row.organization_id, regionId)
    const dates = toDueDates(row, row.timezone)
    const period = getReportPeriod(dates, row.next_time.getTime())
    try {
      await makeReport(sources, {
        scope,
        region: await findRegion(state, scope, regionId),
        report: ScheduledReport.parse(row.report),
        filters: ReportFilters.parse(row.filters),
        period,
        createdTime: at,
        language: 'en-US',
        at,
      })
    } catch (error) {
      // Days are not derived yet, or the organization no longer has the report.
      if (error instanceof Problem && ['being_prepared', 'not_found'].includes(error.code)) continue
      // A report that fails must not prevent the others.
      log('scheduled report could not be made', { schedule: scheduleId, error: getErrorMessage(error) })
      continue
    }
    await storeRun(
      state.as(scope),
      { scheduleId, regionId, period, isManual: false },
      new Date(findNextDue(dates, row.next_time.getTime())),
      at,
    )
  }
}

/** Finds a run with its schedule; null if it was deleted. */
async function findRun(state: State, runId: string) {
  const row = await state
    .as(systemScope)
    .selectFrom('report_run')
    .innerJoin('report_schedule', 'report_schedule.schedule_id', 'report_run.schedule_id')
    .select([
      'report_run.schedule_id',
      'report_run.region_id',
      'report',
      'filters',
      'cadence',
      'day',
      'start_date',
      'end_date',
      'report_run.created_time',
    ])
    .where('run_id', '=', runId)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Returns the report of a run, with the figures that a user may see and in the user's language; null if the
 * run was deleted, or if the user may see none of its operators.
 */
export async function findReportOfRun(
  sources: ReportSources,
  { scope, userId }: { scope: Scope; userId: string },
  runId: string,
  at: Date,
): Promise<{ scheduleId: string; content: ReportContent } | null> {
  const run = await findRun(sources.state, runId)
  const filters = run && ReportFilters.parse(run.filters)
  if (!filters || isHidden(filters, scope)) return null
  const region = await findRegion(sources.state, scope, run.region_id)
  const content = await makeReport(sources, {
    scope,
    region,
    report: ScheduledReport.parse(run.report),
    filters,
    period: addComparedPeriod(toDueDates(run, region.timezone).cadence, run.start_date, run.end_date),
    createdTime: run.created_time,
    language: await findLanguage(sources.state, userId),
    at,
  })
  return { scheduleId: run.schedule_id, content }
}

/** Composes report mails, each with the figures that its recipient may see. */
export function createReportNotifications(sources: ReportSources, now: () => Date): NotificationKind {
  const { state } = sources
  return {
    name: reportKind,
    async composeMail(payloads, { recipient, organizationId, region, publicUrl }) {
      const scope = viewerScope(organizationId, [region.regionId], recipient.userId, recipient.operators)
      const parts = []
      for (const { run_id: runId, token } of payloads as readonly ReportPayload[]) {
        const subscription = await state
          .as(systemScope)
          .selectFrom('report_recipient')
          .select('user_id')
          .where('token', '=', token)
          .where('unsubscribed_time', 'is', null)
          .executeTakeFirst()
        const reader = { scope, userId: recipient.userId }
        const report = subscription && (await findReportOfRun(sources, reader, runId, now()))
        if (report) parts.push({ content: report.content, pdf: await renderPdf(report.content), token })
      }
      return parts.length ? composeReportMail(parts, publicUrl) : null
    },
  }
}
