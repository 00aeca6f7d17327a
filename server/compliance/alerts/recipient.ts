import { loadViewer } from '#server/identity/find-viewer.ts'
import type { State } from '#server/stores/state.ts'

/** Who may be told of a region. */
export interface Recipient {
  email: string
  /** Null: of every operator. */
  operators: readonly string[] | null
}

/** A user as somebody to be told of a region: by the same rules as what they may ask for. Null: disabled, gone, or the region is not theirs any more. */
export async function findRecipient(
  state: State,
  userId: string,
  regionId: string,
): Promise<Recipient | null> {
  const viewer = await loadViewer(state, userId, '')
  return viewer?.scope.regionIds?.includes(regionId)
    ? { email: viewer.email, operators: viewer.scope.operators }
    : null
}

export const canReceive = ({ operators }: Recipient, operator: string): boolean =>
  operators?.includes(operator) ?? true
