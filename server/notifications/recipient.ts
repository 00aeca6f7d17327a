import { loadViewer } from '#server/identity/find-viewer.ts'
import type { State } from '#server/stores/state.ts'

/** A user who may receive messages about a region. */
export interface Recipient {
  userId: string
  email: string
  /** Null: about every operator. */
  operators: readonly string[] | null
}

/**
 * A user as a recipient of messages about a region, by the same rules as what the user may request. Null: disabled, deleted, or the region
 * is no longer the user's.
 */
export async function findRecipient(
  state: State,
  userId: string,
  regionId: string,
): Promise<Recipient | null> {
  const viewer = await loadViewer(state, userId, '')
  return viewer?.scope.regionIds?.includes(regionId)
    ? { userId, email: viewer.email, operators: viewer.scope.operators }
    : null
}

export const canReceive = ({ operators }: Recipient, operator: string): boolean =>
  operators?.includes(operator) ?? true
