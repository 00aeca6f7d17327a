import type { Language } from '#contract/identity.ts'
import { findLanguage } from '#server/identity/find-user.ts'
import { loadViewer } from '#server/identity/find-viewer.ts'
import type { State } from '#server/stores/state.ts'

/** A user who may receive messages about a region. */
export interface Recipient {
  userId: string
  email: string
  /** The operators about which the user may receive messages; null for all. */
  operators: readonly string[] | null
  isAdmin: boolean
  /** The language of mails. */
  language: Language
}

/**
 * Finds a user as a recipient of messages about a region, by the same access rules as for requests; null if
 * the user is disabled, deleted, or has lost access to the region.
 */
export async function findRecipient(
  state: State,
  userId: string,
  regionId: string,
): Promise<Recipient | null> {
  const viewer = await loadViewer(state, userId, '')
  return viewer?.scope.regionIds?.includes(regionId)
    ? {
        userId,
        email: viewer.email,
        operators: viewer.scope.operators,
        isAdmin: viewer.permissions.includes('is_admin'),
        language: await findLanguage(state, userId),
      }
    : null
}

/** Returns whether a recipient may see an operator. Null operators mean all. */
export const canReceive = ({ operators }: Recipient, operator: string): boolean =>
  operators?.includes(operator) ?? true
