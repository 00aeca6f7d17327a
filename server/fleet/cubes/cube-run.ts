import type { Log } from '#server/jobs/log.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import type { ReadyLayers } from './ready-layer.ts'

/** What one turn of the cubes works with. */
export interface CubeRun {
  state: State
  facts: Facts
  log: Log
  layers: ReadyLayers
  /** Counts up: higher than any before. */
  nextVersion: () => bigint
  /** Layers that failed in this run: the next one tries them again. */
  failed: Set<string>
  /** The time of the turn. */
  at: Date
}

export const errorMessage = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 500)
