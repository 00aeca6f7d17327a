import { viewerOf } from '#server/identity/find-viewer.ts'
import type { State } from '#server/stores/state.ts'

/** Who may be told of a region. */
export interface Hearer {
  email: string
  /** Null: of every operator. */
  operators: readonly string[] | null
}

/** A user as somebody to be told of a region: by the same rules as what they may ask for. Null: disabled, gone, or the region is not theirs any more. */
export async function hearerOf(state: State, userId: string, regionId: string): Promise<Hearer | null> {
  const viewer = await viewerOf(state, userId, '')
  return viewer?.scope.regionIds?.includes(regionId)
    ? { email: viewer.email, operators: viewer.scope.operators }
    : null
}

export const hears = ({ operators }: Hearer, operator: string): boolean =>
  operators?.includes(operator) ?? true
