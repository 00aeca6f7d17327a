import { getErrorMessage } from '#contract/problem-text.ts'
import type { Log } from '#server/jobs/log.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import type { ReadyLayers } from './ready-layer.ts'

/** Dependencies and state of one run of the product. */
export interface CubeRun {
  state: State
  facts: Facts
  log: Log
  layers: ReadyLayers
  /** Returns a version that is higher than all earlier ones. */
  nextVersion: () => bigint
  /** Layers that failed in this run; the next run retries them. */
  failed: Set<string>
  /** The time of the run. */
  at: Date
}

/** Returns the message of an error, cut to 500 characters for `cube_layer.problem`. */
export const getShortErrorMessage = (error: unknown): string => getErrorMessage(error).slice(0, 500)
