import { useState } from 'react'
import { getPolicyByConstant, listPolicies, listPolicyRevisions, savePolicy } from '#contract/policies.ts'
import { Policy, type PolicyFields } from '#contract/policy.ts'
import { sentPolicy } from '#contract/policy-types/sent-policy.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { type ApiError, getFieldIssues } from '#web/data/api-error.ts'

interface SaveOptions {
  regionId: string
  /** The stored policy at the start of editing; null for a new one. */
  saved: Policy | null
  onSaved: (policy: Policy) => void
  /** Receives errors that only the server detects, by field. */
  onIssues: (issues: ReadonlyMap<string, string>) => void
}

/** Result of the last failed save. `theirs`: the revision that somebody saved; null if it was deleted. */
export type SaveFault =
  | { kind: 'conflict'; theirs: Policy | null }
  | { kind: 'refused'; error: ApiError }
  | null

/** Returns the stored revision from the response to a conflict. */
function readStoredRevision(error: ApiError): Policy | null | undefined {
  const problem = error.problem
  if (error.status !== 409 || !problem || !('current' in problem)) return undefined
  return problem.current === null ? null : Policy.safeParse(problem.current).data
}

/** Saves a policy over the loaded version or, after a conflict, over the other user's version. */
export function useSavePolicy({ regionId, saved, onSaved, onIssues }: SaveOptions) {
  const [fault, setFault] = useState<SaveFault>(null)
  const saving = useEndpointMutation(savePolicy, [listPolicies, getPolicyByConstant, listPolicyRevisions])
  const save = (fields: PolicyFields, over: Policy | null = saved): void => {
    const version = over
      ? {
          policy_uuid: over.policy_uuid,
          constant_policy_uuid: over.constant_policy_uuid,
          if_modified_time: over.modified_time,
        }
      : {}
    saving.mutate(
      { body: { ...sentPolicy(fields), region_id: regionId, ...version } },
      {
        onSuccess: ({ plcy }) => onSaved(plcy),
        onError: (error) => {
          const theirs = readStoredRevision(error)
          const issues = getFieldIssues(error)
          if (theirs !== undefined) return setFault({ kind: 'conflict', theirs })
          if (issues.size) {
            setFault(null)
            return onIssues(issues)
          }
          return setFault({ kind: 'refused', error })
        },
      },
    )
  }
  return { save, isPending: saving.isPending, fault, clear: () => setFault(null) }
}
