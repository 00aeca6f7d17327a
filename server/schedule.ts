import type { ApiKeys } from './api-keys/open-api-keys.ts'
import { removeOldInvoices } from './billing/invoices/remove-old-invoices.ts'
import type { OpenAlerts } from './compliance/alerts/open-alerts.ts'
import type { Compliance } from './compliance/days/find-records.ts'
import { refreshDays } from './compliance/days/read-compliance.ts'
import type { Curb } from './curb/open-curb.ts'
import { publishDueRates } from './curb/pricing/proposals/publish-due.ts'
import type { Derivation } from './derived/derivation.ts'
import type { OpenFeeds } from './feeds/open-feeds.ts'
import type { OpenHealth } from './health/open-health.ts'
import { resumeImports } from './imports/import-queue.ts'
import type { ReadAhead } from './imports/trips/read-ahead.ts'
import { importFilesJob } from './imports/run-import.ts'
import type { Job } from './jobs/job.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Log } from './jobs/log.ts'
import type { Backups } from './operations/backup/backups.ts'
import type { RetentionRuns } from './operations/retention/retention-runs.ts'
import type { ReportSchedules } from './reporting/schedules/open-report-schedules.ts'
import { announceExpiredPolicies } from './policies/expired-policies.ts'
import { removeOldNotifications } from './notifications/notification-store.ts'
import type { Notifications } from './notifications/open-notifications.ts'
import type { OpenExports } from './reporting/exports/open-exports.ts'
import type { BlobStore } from './stores/blobs/blob-store.ts'
import type { Facts } from './stores/facts.ts'
import type { State } from './stores/state.ts'

/** The services that the jobs use. */
interface JobServices {
  state: State
  facts: Facts
  blobs: BlobStore
  jobs: Jobs
  ahead: ReadAhead
  feeds: OpenFeeds
  derivation: Derivation
  health: OpenHealth
  compliance: Compliance
  alerts: OpenAlerts
  notifications: Notifications
  reportSchedules: ReportSchedules
  exports: OpenExports
  curb: Curb
  backups: Backups
  retention: RetentionRuns
  apiKeys: ApiKeys
  log: Log
  now: () => Date
}

/** Durations in seconds. */
const minute = 60
const hour = 3600

/** Name of the job that derives facts from new fleet data. */
export const fleetJob = 'derive-fleet'

/** Lists all background work of the server. */
export function listJobs(services: JobServices): Job[] {
  const { state, retention, backups, apiKeys, now } = services
  return [
    ...listInputJobs(services),
    ...listDerivationJobs(services),
    ...listMonitoringJobs(services),
    ...listMessageJobs(services),
    ...listRemovalJobs(services),
    ...apiKeys.jobs,
    {
      name: 'announce-expired-policies',
      description: 'Publishes webhook events of policies that have ended',
      every: { seconds: 5 * minute, on: 'one server' },
      run: (stop) => announceExpiredPolicies(state, now(), stop),
    },
    ...listCurbJobs(services),
    ...listExportJobs(services),
    ...retention.jobs(),
    ...backups.jobs(),
  ]
}

function listInputJobs({ state, facts, blobs, jobs, ahead, feeds, log, now }: JobServices): Job[] {
  return [
    {
      name: 'pull-feeds',
      description: 'Requests new data of feeds that are due',
      every: { seconds: 1, on: 'each server', isDue: feeds.isDue },
      run: feeds.pull,
    },
    feeds.readDeferred,
    importFilesJob({ state, facts, blobs, log, ahead, now }),
    {
      name: 'resume-imports',
      description: 'Continues imports that a server left when it stopped',
      every: { seconds: minute, on: 'each server' },
      run: () => resumeImports(state, jobs, now()),
    },
  ]
}

function listDerivationJobs({ derivation }: JobServices): Job[] {
  return [
    {
      name: fleetJob,
      description: 'Derives intervals, parking events, trips and routes from new data of feeds',
      every: { seconds: 0.5, on: 'each server', isDue: () => derivation.isDue('prompt') },
      run: () => derivation.run('prompt'),
    },
    {
      name: 'derive-sums',
      description: 'Derives sums by shape, street volumes and speeds of rides',
      every: { seconds: 0.5, on: 'each server', isDue: () => derivation.isDue('other') },
      run: () => derivation.run('other'),
    },
  ]
}

function listMonitoringJobs({ health, alerts, compliance, now }: JobServices): Job[] {
  return [
    {
      name: 'data-health',
      description: 'Opens and closes data health incidents',
      every: { seconds: 5 * minute, on: 'one server' },
      run: (stop) => health.evaluateRules(now(), stop),
    },
    {
      name: 'find-violations',
      description: 'Finds new policy violations for subscribers of alerts',
      every: { seconds: 5 * minute, on: 'one server' },
      run: (stop) => alerts.detect(stop),
    },
    {
      name: 'measure-compliance',
      description: 'Measures compliance of the last two weeks again where facts changed',
      every: { seconds: 10 * minute, on: 'one server' },
      run: (stop) => refreshDays(compliance, now(), stop),
    },
  ]
}

function listMessageJobs({ state, reportSchedules, notifications, now }: JobServices): Job[] {
  return [
    {
      name: 'run-scheduled-reports',
      description: 'Queues the mails of scheduled reports that are due',
      every: { seconds: minute, on: 'one server' },
      run: (stop) => reportSchedules.runDue(stop),
    },
    {
      name: 'send-notifications',
      description: 'Sends mails and webhooks that are due',
      every: { seconds: 1, on: 'each server', isDue: notifications.isDue },
      run: (stop) => notifications.deliver(stop),
    },
    {
      name: 'remove-old-notifications',
      description: 'Removes messages that were sent, or failed for good, 60 days ago',
      every: { seconds: 6 * hour, on: 'one server' },
      run: () => removeOldNotifications(state, now()),
    },
  ]
}

function listRemovalJobs({ state, facts, feeds, now }: JobServices): Job[] {
  return [
    {
      name: 'remove-raw-input',
      description: 'Removes raw input of feeds past its retention',
      every: { seconds: 6 * hour, on: 'each server' },
      run: () => feeds.removeOldRaw(),
    },
    {
      name: 'remove-old-invoices',
      description: 'Removes invoices past their retention',
      every: { seconds: 12 * hour, on: 'one server' },
      run: () => removeOldInvoices(state, facts, now()),
    },
  ]
}

function listCurbJobs({ curb, jobs, log, now }: JobServices): Job[] {
  return [
    curb.imports.stage,
    {
      name: 'resume-curb-imports',
      description: 'Continues curb imports that a server left when it stopped',
      every: { seconds: minute, on: 'each server' },
      run: () => curb.imports.resume(),
    },
    curb.imports.pull,
    {
      name: 'remove-old-curb-files',
      description: 'Removes files of curb imports after 30 days',
      every: { seconds: 12 * hour, on: 'each server' },
      run: () => curb.imports.removeOldFiles(),
    },
    curb.counts.stage,
    {
      name: 'resume-curb-counts',
      description: 'Continues imports of curb counts that a server left when it stopped',
      every: { seconds: minute, on: 'each server' },
      run: () => curb.counts.resume(),
    },
    curb.payments.job,
    {
      name: 'resume-payment-imports',
      description: 'Continues imports of payments that a server left when it stopped',
      every: { seconds: minute, on: 'each server' },
      run: () => curb.payments.resume(jobs),
    },
    {
      name: 'publish-curb-rates',
      description: 'Publishes approved curb rates on their effective day',
      every: { seconds: minute, on: 'one server' },
      run: () => publishDueRates(curb.pricing, log, now()),
    },
  ]
}

function listExportJobs({ exports }: JobServices): Job[] {
  return [
    exports.write,
    {
      name: 'resume-exports',
      description: 'Restarts exports that a server left when it stopped',
      every: { seconds: minute, on: 'each server' },
      run: exports.resume,
    },
    {
      name: 'remove-old-exports',
      description: 'Removes files of exports that have expired',
      every: { seconds: hour, on: 'each server' },
      run: exports.removeOld,
    },
    {
      name: 'monthly-zips',
      description: "Queues the previous month's zip of each region with monthly zips",
      every: { seconds: hour, on: 'one server' },
      run: exports.queueZips,
    },
  ]
}
