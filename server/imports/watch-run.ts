import { getErrorMessage } from '#contract/problem-text.ts'
import type { Log } from '#server/jobs/log.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { renewLease } from './import-queue.ts'
import type { ImportRow } from './read-import.ts'
import type { ReadAhead } from './trips/read-ahead.ts'

export interface ImportJobServices {
  state: State
  facts: Facts
  blobs: BlobStore
  log: Log
  /** The owner of the lease, which makes sure that only one process imports a file. */
  owner: string
  ahead: ReadAhead
  now: () => Date
}

/** The interval at which a run renews its lease, stores its progress and checks whether it was canceled. */
const heartbeatMs = 1000
/** A run without progress for this long is stopped. */
const stallMs = 10 * 60_000

/** A run was stopped from outside. */
export class RunStopped extends Error {
  override name = 'RunStopped'
  readonly reason: 'shutdown' | 'canceled' | 'stalled'
  constructor(reason: RunStopped['reason']) {
    super(`The run of an import was stopped: ${reason}`)
    this.reason = reason
  }
}

/** Renews a run's lease until `end`. Aborts its signal at shutdown, when it was canceled or if it stalls. */
export function watchRun(
  { state, owner, now, log }: ImportJobServices,
  scope: Scope,
  row: ImportRow,
  stop: AbortSignal,
) {
  const stopController = new AbortController()
  let bytesRead = 0
  let bytesSurveyed = 0
  let lastProgress = ''
  let lastProgressMs = now().getTime()
  const onShutdown = (): void => stopController.abort(new RunStopped('shutdown'))
  if (stop.aborted) onShutdown()
  stop.addEventListener('abort', onShutdown, { once: true })
  const sendHeartbeat = async (): Promise<void> => {
    const progress = `${bytesRead} ${bytesSurveyed} ${row.chunks}`
    if (progress !== lastProgress) lastProgressMs = now().getTime()
    else if (now().getTime() - lastProgressMs > stallMs) stopController.abort(new RunStopped('stalled'))
    lastProgress = progress
    const readShare = Math.min(1, bytesRead / Math.max(1, Number(row.bytes)))
    if (
      !(await renewLease(state, scope, {
        owner,
        importId: row.import_id,
        progress: Math.max(readShare, row.progress),
        at: now(),
      }))
    )
      stopController.abort(new RunStopped('canceled'))
  }
  const timer = setInterval(
    () =>
      void sendHeartbeat().catch((error: unknown) =>
        log('lease of an import could not be renewed', {
          importId: row.import_id,
          error: getErrorMessage(error),
        }),
      ),
    heartbeatMs,
  )
  return {
    signal: stopController.signal,
    onBytes: (bytes: number): void => void (bytesRead = bytes),
    /** Prevents the run from stalling without counting as progress of the import. */
    onSurveyed: (bytes: number): void => void (bytesSurveyed = bytes),
    end(): void {
      clearInterval(timer)
      stop.removeEventListener('abort', onShutdown)
    },
  }
}

/** A watched run: its abort signal, and callbacks that report its progress. */
export type RunWatch = ReturnType<typeof watchRun>
