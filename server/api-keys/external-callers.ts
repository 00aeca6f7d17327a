import { Problem } from '#server/http/problem.ts'
import type { ExternalCall, ExternalCallers } from '#server/http/serve.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { FoundKey } from './find-key.ts'
import type { KeyGate } from './key-gate.ts'

/** Returns the viewer of a key: its owner, within the limits of the key. */
function toViewer({ viewer }: FoundKey): Viewer {
  if (!viewer) throw new Problem('forbidden', 'This key has no owner, so it cannot be used here.')
  return viewer
}

/** Finds viewers for calls under `/external`. */
export const createExternalCallers = (gate: KeyGate): ExternalCallers => {
  const toCall = ({ endpoint, ...call }: ExternalCall) => ({
    ...call,
    scopes: endpoint.scope ? [endpoint.scope] : [],
  })
  return {
    admit: async (call) => toViewer(await gate.admit(toCall(call))),
    recheck: async (call) => toViewer(await gate.recheck(toCall(call))),
  }
}
