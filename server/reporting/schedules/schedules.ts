import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import {
  resetUnusedFilters,
  maxListedRuns,
  maxSchedules,
  type NewReportSchedule,
  type ReportRun,
  ReportFilters,
  type ReportSchedule,
  ScheduledReport,
} from '#contract/report-schedules.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { systemScope } from '#server/identity/scope.ts'
import { findRecipient } from '#server/notifications/recipient.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { Facts } from '#server/stores/facts.ts'
import { checkNames } from '../exports/check-question.ts'
import { isHidden, listVisibleOperators } from './report-content.ts'
import { type DueDates, findNextDue } from './due-dates.ts'

type ScheduleRow = Selectable<StateTables['report_schedule']>
type RunRow = Selectable<StateTables['report_run']>

/** The kind of notifications that contain a scheduled report. */
export const reportKind = 'scheduled_report'

/** The payload of a notification with a scheduled report. */
export interface ReportPayload {
  run_id: string
  /** Token with which the recipient unsubscribes without signing in. */
  token: string
}

/** Identifies a schedule, by the parameters of paths. */
export interface ScheduleRef {
  region_id: string
  schedule_id: string
}

export const toDueDates = (
  { cadence, day }: Pick<ScheduleRow, 'cadence' | 'day'>,
  timezone: string,
): DueDates => ({ cadence: cadence === 'monthly' ? 'monthly' : 'weekly', day, timezone })

/** Whether a viewer may change a schedule: its owner and administrators may. */
const canEdit = (viewer: Viewer, row: ScheduleRow): boolean =>
  row.user_id === viewer.userId || viewer.permissions.includes('is_admin')

/** Counts the mails of runs by outcome, by run id. */
async function countMails(
  store: Store,
  regionId: string,
  runs: readonly RunRow[],
): Promise<Map<string, ReportRun['mails']>> {
  const mailsByRun = new Map(runs.map((run) => [run.run_id, { sent: 0, waiting: 0, failed: 0 }]))
  const firstMs = Math.min(...runs.map((run) => run.created_time.getTime()))
  if (!runs.length) return mailsByRun
  const rows = await store
    .selectFrom('notification')
    .select(['payload', 'state'])
    .where('region_id', '=', regionId)
    .where('kind', '=', reportKind)
    .where('created_time', '>=', new Date(firstMs))
    .execute()
  for (const { payload, state } of rows) {
    const mails = mailsByRun.get((payload as ReportPayload).run_id)
    const outcome = state === 'failed' ? 'failed' : 'waiting'
    if (mails) mails[state === 'done' ? 'sent' : outcome]++
  }
  return mailsByRun
}

function getRunState({ waiting, failed }: ReportRun['mails']): ReportRun['state'] {
  if (waiting) return 'waiting'
  return failed ? 'failed' : 'sent'
}

/** Converts runs to their representation in the API. */
export async function readRuns(
  store: Store,
  regionId: string,
  runs: readonly RunRow[],
): Promise<ReportRun[]> {
  const mails = await countMails(store, regionId, runs)
  return runs.map(({ run_id, start_date, end_date, is_manual, created_time }) => {
    const counts = mails.get(run_id) ?? { sent: 0, waiting: 0, failed: 0 }
    return {
      run_id,
      start_date,
      end_date,
      is_manual,
      created_time: created_time.toISOString(),
      state: getRunState(counts),
      mails: counts,
    }
  })
}

/** Converts the schedules that a viewer may see to their representation in the API. */
async function readSchedules(
  store: Store,
  viewer: Viewer,
  regionId: string,
  rows: readonly ScheduleRow[],
): Promise<ReportSchedule[]> {
  if (!rows.length) return []
  const ids = rows.map(({ schedule_id: id }) => id)
  const [recipients, runs] = await Promise.all([
    store
      .selectFrom('report_recipient')
      .innerJoin('user', 'user.id', 'report_recipient.user_id')
      .select(['schedule_id', 'report_recipient.user_id', 'email', 'unsubscribed_time'])
      .where('schedule_id', 'in', ids)
      .orderBy('email')
      .execute(),
    store
      .selectFrom('report_run')
      .selectAll()
      .distinctOn('schedule_id')
      .where('schedule_id', 'in', ids)
      .orderBy('schedule_id')
      .orderBy('created_time', 'desc')
      .execute(),
  ])
  const lastRuns = await readRuns(store, regionId, runs)
  const lastRunBySchedule = new Map(runs.map((run, index) => [run.schedule_id, lastRuns[index] ?? null]))
  const schedules = rows.map((row) => ({ row, filters: ReportFilters.parse(row.filters) }))
  return schedules
    .filter(({ filters }) => !isHidden(filters, viewer.scope))
    .map(({ row, filters }) => ({
      schedule_id: row.schedule_id,
      report: ScheduledReport.parse(row.report),
      filters: { ...filters, operators: listVisibleOperators(filters, viewer.scope) },
      cadence: row.cadence === 'monthly' ? 'monthly' : 'weekly',
      day: row.day,
      created_by: row.created_by,
      can_edit: canEdit(viewer, row),
      recipients: recipients
        .filter(
          (recipient) =>
            recipient.schedule_id === row.schedule_id &&
            (canEdit(viewer, row) || recipient.user_id === viewer.userId),
        )
        .map(({ email, unsubscribed_time }) => ({ email, has_unsubscribed: unsubscribed_time !== null })),
      next_time: row.next_time.toISOString(),
      last_run: lastRunBySchedule.get(row.schedule_id) ?? null,
    }))
}

/** Lists schedules that a viewer created or receives (administrators: all), of operators it may see. */
export async function listSchedules(
  state: State,
  viewer: Viewer,
  regionId: string,
): Promise<ReportSchedule[]> {
  await findRegion(state, viewer.scope, regionId)
  const store = state.as(viewer.scope)
  let rows = store.selectFrom('report_schedule').selectAll().where('region_id', '=', regionId)
  if (!viewer.permissions.includes('is_admin'))
    rows = rows.where((is) =>
      is.or([
        is('user_id', '=', viewer.userId),
        is.exists(
          is
            .selectFrom('report_recipient')
            .select('report_recipient.user_id')
            .whereRef('report_recipient.schedule_id', '=', 'report_schedule.schedule_id')
            .where('report_recipient.user_id', '=', viewer.userId),
        ),
      ]),
    )
  return readSchedules(store, viewer, regionId, await rows.orderBy('created_time').execute())
}

/** Finds a schedule that the viewer may see. @throws Problem `not_found` for others. */
export async function findSchedule(
  state: State,
  viewer: Viewer,
  { region_id, schedule_id }: ScheduleRef,
): Promise<ReportSchedule> {
  const schedule = (await listSchedules(state, viewer, region_id)).find(
    (listed) => listed.schedule_id === schedule_id,
  )
  if (!schedule) throw new Problem('not_found', 'There is no such scheduled report.')
  return schedule
}

/** Finds a schedule that the viewer may change and run. @throws Problem `forbidden` or `not_found`. */
export async function findEditableSchedule(
  state: State,
  viewer: Viewer,
  ref: ScheduleRef,
): Promise<ReportSchedule> {
  const schedule = await findSchedule(state, viewer, ref)
  if (!schedule.can_edit)
    throw new Problem('forbidden', 'Only its owner or an administrator may change a scheduled report.')
  return schedule
}

/** Finds users by address. @throws Problem if one may not see the region or any of the operators. */
async function findRecipients(
  state: State,
  viewer: Viewer,
  regionId: string,
  { recipients: emails, filters }: NewReportSchedule,
): Promise<string[]> {
  const requested = [...new Set(emails.map((email) => email.toLowerCase()))]
  const rows = await state
    .as(systemScope)
    .selectFrom('user')
    .select(['id', 'email'])
    .where('organizationId', '=', viewer.organizationId)
    .where('email', 'in', requested)
    .execute()
  const ids: string[] = []
  for (const email of requested) {
    const user = rows.find((row) => row.email.toLowerCase() === email)
    const recipient = user && (await findRecipient(state, user.id, regionId))
    if (!recipient)
      throw new Problem('validation_error', `body.recipients: ${email} is not a user of this region.`, [
        { path: 'body.recipients', message: `${email} is no user of this region` },
      ])
    if (isHidden(filters, recipient))
      throw new Problem('validation_error', `body.recipients: ${email} may see none of the operators.`, [
        { path: 'body.recipients', message: `${email} may see none of the operators` },
      ])
    ids.push(recipient.userId)
  }
  return ids
}

/** Columns of a schedule that its owner chooses, and when it is due next. */
type ScheduleColumns = Pick<ScheduleRow, 'report' | 'cadence' | 'day' | 'next_time'> & { filters: string }

/** Stores a new schedule. @throws Problem `conflict` if the region has too many. */
async function insertSchedule(
  transaction: Store,
  viewer: Viewer,
  { region_id: regionId, schedule_id: scheduleId }: ScheduleRef,
  columns: ScheduleColumns & { created_time: Date },
): Promise<void> {
  const { count } = await transaction
    .selectFrom('report_schedule')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('region_id', '=', regionId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxSchedules)
    throw new Problem('conflict', `A region has at most ${maxSchedules} scheduled reports.`)
  await transaction
    .insertInto('report_schedule')
    .values({
      schedule_id: scheduleId,
      region_id: regionId,
      user_id: viewer.userId,
      created_by: viewer.email,
      ...columns,
    })
    .execute()
}

/** Replaces the recipients of a schedule. The tokens of those who remain do not change. */
async function saveRecipients(
  transaction: Store,
  { region_id, schedule_id }: ScheduleRef,
  userIds: readonly string[],
): Promise<void> {
  await transaction
    .deleteFrom('report_recipient')
    .where('schedule_id', '=', schedule_id)
    .where('user_id', 'not in', userIds)
    .execute()
  await transaction
    .insertInto('report_recipient')
    .values(userIds.map((user_id) => ({ schedule_id, region_id, user_id })))
    .onConflict((conflict) => conflict.columns(['schedule_id', 'user_id']).doNothing())
    .execute()
}

/** Changes the schedule `ref`, or creates one if it is null. */
export async function saveSchedule(
  stores: { state: State; facts: Facts },
  viewer: Viewer,
  {
    regionId,
    fields,
    ref: existing,
  }: { regionId: string; fields: NewReportSchedule; ref: ScheduleRef | null },
  at: Date,
): Promise<ReportSchedule> {
  const { state } = stores
  const { report, cadence, day } = fields
  const filters = resetUnusedFilters(report, fields.filters)
  const { timezone } = await findRegion(state, viewer.scope, regionId)
  if (existing) await findEditableSchedule(state, viewer, existing)
  await checkNames(stores, viewer.scope, regionId, filters)
  const userIds = await findRecipients(state, viewer, regionId, fields)
  const columns: ScheduleColumns = {
    report,
    cadence,
    day,
    filters: JSON.stringify(filters),
    next_time: new Date(findNextDue({ cadence, day, timezone }, at.getTime())),
  }
  const ref = { region_id: regionId, schedule_id: existing?.schedule_id ?? randomUUID() }
  await state
    .as(viewer.scope)
    .transaction()
    .execute(async (transaction) => {
      if (existing)
        await transaction
          .updateTable('report_schedule')
          .set(columns)
          .where('schedule_id', '=', ref.schedule_id)
          .execute()
      else await insertSchedule(transaction, viewer, ref, { ...columns, created_time: at })
      await saveRecipients(transaction, ref, userIds)
    })
  return findSchedule(state, viewer, ref)
}

export async function deleteSchedule(
  state: State,
  viewer: Viewer,
  ref: ScheduleRef,
): Promise<{ deleted: boolean }> {
  await findEditableSchedule(state, viewer, ref)
  await state
    .as(viewer.scope)
    .deleteFrom('report_schedule')
    .where('schedule_id', '=', ref.schedule_id)
    .execute()
  return { deleted: true }
}

/** Lists the last runs of a schedule, newest first. */
export async function listRuns(state: State, viewer: Viewer, ref: ScheduleRef): Promise<ReportRun[]> {
  await findSchedule(state, viewer, ref)
  const store = state.as(viewer.scope)
  const rows = await store
    .selectFrom('report_run')
    .selectAll()
    .where('schedule_id', '=', ref.schedule_id)
    .orderBy('created_time', 'desc')
    .limit(maxListedRuns)
    .execute()
  return readRuns(store, ref.region_id, rows)
}

/** Unsubscribes the recipient with a token. The result does not disclose whether the token exists. */
export async function unsubscribe(state: State, token: string, at: Date): Promise<{ ended: boolean }> {
  await state
    .as(systemScope)
    .updateTable('report_recipient')
    .set({ unsubscribed_time: at })
    .where('token', '=', token)
    .where('unsubscribed_time', 'is', null)
    .execute()
  return { ended: true }
}
