import type { ApiError } from '#web/data/api-error.ts'

/** Actions on a policy that have their own dialog. */
export type PolicyAct = 'delete' | 'discard' | 'publish' | 'unpublish'

/** Key of the message of a failure; its texts are `policies:notice.<key>`. */
export type Notice = 'expired' | 'deleting' | 'saving' | 'modifying' | 'unsaved' | 'unable' | 'mds'

/** Why an action is not available; null if it is. */
export function hindrance(
  act: PolicyAct,
  policy: { policy_uuid: string | null; status: string },
): Notice | null {
  if (!policy.policy_uuid) return 'unsaved'
  return act === 'publish' && policy.status === 'expired' ? 'expired' : null
}

/** The message for an action that the server refused; the general one if the response has no reason. */
export function faultOfAct(act: PolicyAct, { status }: Pick<ApiError, 'status'>): Notice {
  if (act === 'delete') return 'deleting'
  return status >= 400 && status < 500 ? 'modifying' : 'unable'
}
