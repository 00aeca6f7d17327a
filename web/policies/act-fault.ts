import type { ApiError } from '#web/data/api-error.ts'

/** Actions on a policy with a modal of their own. */
export type PolicyAct = 'delete' | 'discard' | 'publish' | 'unpublish'

/** The key of the modal for a failure; its texts are `policies:notice.<key>`. */
export type Notice = 'expired' | 'deleting' | 'saving' | 'modifying' | 'unsaved' | 'unable' | 'mds'

/** Why an action is not available. */
export function hindrance(
  act: PolicyAct,
  policy: { policy_uuid: string | null; status: string },
): Notice | null {
  if (!policy.policy_uuid) return 'unsaved'
  return act === 'publish' && policy.status === 'expired' ? 'expired' : null
}

/** The modal of an action that the server refused; the general one if there is no response or no reason in it. */
export function faultOfAct(act: PolicyAct, { status }: Pick<ApiError, 'status'>): Notice {
  if (act === 'delete') return 'deleting'
  return status >= 400 && status < 500 ? 'modifying' : 'unable'
}
