import type { EndpointOutput, Endpoint } from '#contract/endpoint.ts'
import type { ComplianceRecord } from '#contract/compliance.ts'
import { type OpenAlerts, openAlerts } from '#server/compliance/alerts/open-alerts.ts'
import { type GuardedFetch, createGuardedCheck, createGuardedFetch } from '#server/http/guarded-fetch.ts'
import type { Message } from '#server/mail/message.ts'
import { openNotifications } from '#server/notifications/open-notifications.ts'
import { createSecretBox } from '#server/stores/secret-box.ts'
import { call, type CallInput, sendTo, serveRoutes, type SignedIn, type TestApp } from './app.ts'

/** Alerts on the stores of an application, with a clock, records and a mail server that tests control. */
export interface TestAlerts extends OpenAlerts {
  mails: Message[]
  /** Records of compliance of all days, by the constant id of a policy. */
  records: Map<string, ComplianceRecord[]>
  /** Milliseconds since 1970. */
  clock: number
  logged: string[]
  /** Sends messages that are due. */
  send: () => Promise<void>
  /** Replaces the mail server. */
  sendMail: (message: Message) => Promise<void>
  /** Replaces the network between the server and webhooks. */
  fetch: GuardedFetch
  sendTo<E extends Endpoint>(
    as: SignedIn | null,
    endpoint: E,
    input?: CallInput<E>,
  ): Promise<{ status: number; text: string }>
  callAs<E extends Endpoint>(
    as: SignedIn | null,
    endpoint: E,
    input?: CallInput<E>,
  ): Promise<EndpointOutput<E>>
  /** Advances the clock, evaluates the policies and sends messages that are due. */
  pass(ms: number): Promise<void>
  close(): Promise<void>
}

/** Opens alerts, which share records and clock with another instance as after a restart. */
export async function openTestAlerts(
  app: TestApp,
  shared: TestAlerts | null = null,
  privateAddresses = true,
): Promise<TestAlerts> {
  const guard = { privateAddresses }
  const logged: string[] = []
  const log = (line: string, details: Record<string, unknown> = {}): void =>
    void logged.push(JSON.stringify({ line, ...details }))
  const secretBox = createSecretBox('ab'.repeat(32))
  const now = (): Date => new Date(alerts.clock)
  const notifications = openNotifications({
    state: app.state,
    secretBox,
    publicUrl: 'http://city.example',
    log,
    now,
    fetch: (...input) => alerts.fetch(...input),
    mail: { send: (message) => alerts.sendMail(message) },
  })
  const opened = openAlerts({
    state: app.state,
    secretBox,
    log,
    now,
    checkAddress: createGuardedCheck(guard),
    notifications,
    findRecords: async ({ policyUuid, first, last }) => {
      const policy = await app.state.library
        .selectFrom('policy')
        .select('constant_policy_id')
        .where('policy_id', '=', policyUuid)
        .executeTakeFirstOrThrow()
      return (alerts.records.get(policy.constant_policy_id) ?? []).filter(
        ({ date }) => date >= first && date <= last,
      )
    },
  })
  const http = await serveRoutes(app, opened.routes, { log })
  const alerts: TestAlerts = {
    ...opened,
    send: () => notifications.deliver(),
    mails: [],
    records: shared?.records ?? new Map(),
    clock: shared?.clock ?? Date.now(),
    logged,
    sendTo: (...args) => sendTo({ http }, ...args),
    callAs: (...args) => call({ http }, ...args),
    sendMail: async (message) => void alerts.mails.push(message),
    fetch: createGuardedFetch(guard),
    async pass(ms) {
      alerts.clock += ms
      await opened.detect()
      await notifications.deliver()
    },
    async close() {
      await http.close()
    },
  }
  return alerts
}

/** Makes a record of a day on which an operator violated a policy. */
export const makeViolation = (date: string, overrides: Partial<ComplianceRecord> = {}): ComplianceRecord => ({
  date,
  operator: 'swift',
  shape_uuid: null,
  shape_name: 'All of Alder',
  status: 'non_compliant',
  vehicle_count: 501,
  drop_offs_count: null,
  reason: '501 vehicles, over the maximum of 500.',
  reason_code: 'over_maximum',
  measure: 'vehicles',
  measured: 501,
  minimum: null,
  maximum: 500,
  unit: null,
  violations: 1,
  uncertain: 0,
  gap_hours: 0,
  provisional: false,
  policy_uuid: null,
  method_version: 1,
  counts_uncertain: false,
  ...overrides,
})
