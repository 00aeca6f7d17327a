import type { ApiError } from '#web/data/api-error.ts'

/** Actions on a policy that have their own dialog. */
export type PolicyAction = 'delete' | 'discard' | 'publish' | 'unpublish'

/** Key of the message of a failure; its texts are `policies:notice.<key>`. */
export type Notice = 'expired' | 'deleting' | 'saving' | 'modifying' | 'unsaved' | 'unable' | 'mds'

/** Returns why an action is not available; null if it is. */
export function findObstacle(
  action: PolicyAction,
  policy: { policy_uuid: string | null; status: string },
): Notice | null {
  if (!policy.policy_uuid) return 'unsaved'
  return action === 'publish' && policy.status === 'expired' ? 'expired' : null
}

/** Returns the notice for an action that failed; the general one unless the server refused it. */
export function noticeForFailure(action: PolicyAction, { status }: Pick<ApiError, 'status'>): Notice {
  if (action === 'delete') return 'deleting'
  return status >= 400 && status < 500 ? 'modifying' : 'unable'
}
