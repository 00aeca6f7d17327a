import type { Log } from '#server/jobs/log.ts'
import { endpoints } from '#contract/endpoints.ts'
import { getErrorMessage } from '#contract/problem-text.ts'
import type { CompletedRequest } from '#server/http/serve.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { State } from '#server/stores/state.ts'
import { systemScope } from './scope.ts'

/** An entry of the audit log. */
export interface AuditEvent {
  viewer: Pick<Viewer, 'userId' | 'email' | 'organizationId' | 'admin' | 'apiKey'>
  action: string
  method: string
  path: string
  status: number
  address: string | null
  at: Date
}

const endpointNames = new Map([...endpoints].map(([name, endpoint]) => [endpoint, name]))

/** Identical reads within this time are logged once, because panning a map repeats the same call. */
const repeatedReadMs = 60_000
const maxCachedReads = 10_000
const maxPathLength = 500

/** Writes an entry to the audit log, with the user and, during impersonation, the administrator. */
export async function writeAudit(
  state: State,
  { viewer, action, method, path, status, address, at }: AuditEvent,
): Promise<void> {
  const { admin } = viewer
  await state
    .as(systemScope)
    .insertInto('audit')
    .values({
      organization_id: viewer.organizationId,
      at,
      user_id: viewer.userId,
      user_email: viewer.email,
      admin_id: admin?.userId ?? null,
      admin_email: admin?.email ?? null,
      action,
      method,
      path: path.slice(0, maxPathLength),
      status,
      address,
      api_key_id: viewer.apiKey?.keyId ?? null,
    })
    .execute()
}

/**
 * Returns a function that writes requests to the audit log: every change, every read of personal data, and
 * everything during impersonation. A change waits for its entry and fails if it cannot be stored. For reads,
 * such failures are only logged.
 */
export function createAuditor(state: State, log: Log): (done: CompletedRequest) => Promise<void> {
  /** The time (ms) at which a read was last logged, by reader and request. */
  const lastReads = new Map<string, number>()
  return async ({ viewer, endpoint, path, status, address, at }) => {
    const isRead = endpoint.method === 'GET' || endpoint.reads === true
    if (isRead && !endpoint.personal && !viewer.admin) return
    // Tiles are frequent and contain no personal data.
    if (isRead && endpoint.path.includes('/vector/')) return
    if (isRead) {
      const key = `${viewer.admin?.userId} ${viewer.apiKey?.keyId} ${viewer.userId} ${endpoint.method} ${path} ${status}`
      const lastReadMs = lastReads.get(key)
      if (lastReadMs !== undefined && at.getTime() - lastReadMs < repeatedReadMs) return
      if (lastReads.size > maxCachedReads) lastReads.clear()
      lastReads.set(key, at.getTime())
    }
    const action = endpointNames.get(endpoint) ?? endpoint.path
    const writing = writeAudit(state, { viewer, action, method: endpoint.method, path, status, address, at })
    if (isRead)
      void writing.catch((error: unknown) =>
        log('audit entry could not be written', { action, error: getErrorMessage(error) }),
      )
    else await writing
  }
}
