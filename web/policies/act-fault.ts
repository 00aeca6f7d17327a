import type { ApiError } from '#web/data/api-error.ts'

/** What is asked of a policy and has a modal of its own (1-product, section 8). */
export type PolicyAct = 'delete' | 'discard' | 'publish' | 'unpublish'

/** Which modal says that it failed; its texts are `policies:notice.<key>`. */
export type Notice = 'expired' | 'deleting' | 'saving' | 'modifying' | 'unsaved' | 'unable' | 'mds'

/** Why an act cannot even be asked for. */
export function hindrance(
  act: PolicyAct,
  policy: { policy_uuid: string | null; status: string },
): Notice | null {
  if (!policy.policy_uuid) return 'unsaved'
  return act === 'publish' && policy.status === 'expired' ? 'expired' : null
}

/** The modal of an act that the server refused; without an answer, or with none that says why: that it is unable. */
export function faultOfAct(act: PolicyAct, { status }: Pick<ApiError, 'status'>): Notice {
  if (act === 'delete') return 'deleting'
  return status >= 400 && status < 500 ? 'modifying' : 'unable'
}
