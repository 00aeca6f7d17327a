import type { Region } from '#contract/regions.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

export interface MetricsSources {
  state: State
  facts: Facts
}

export interface MetricsContext {
  scope: Scope
  region: Region
  at: Date
  signal: AbortSignal
}
