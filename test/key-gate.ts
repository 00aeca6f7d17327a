import { openKeyGate } from '#server/api-keys/open-api-keys.ts'
import type { KeyGate } from '#server/api-keys/key-gate.ts'
import type { RateCounters, RateState } from '#server/http/rate-limits.ts'
import type { State } from '#server/stores/state.ts'

const unlimited: RateState = { isAllowed: true, remaining: 1, resetMs: 0 }
const noLimits: RateCounters = {
  take: () => Promise.resolve(unlimited),
  peek: () => Promise.resolve(unlimited),
}

/** Opens the gate of API keys without limits, because the clocks of tests do not advance. */
export const openTestGate = (state: State, now: () => Date): KeyGate =>
  openKeyGate(state, { counters: noLimits, addresses: noLimits }, now).gate
