import type { Scope } from '#server/stores/scope.ts'

/** The settings of a region that derived data depends on. */
export interface DerivedRegion {
  regionId: string
  organizationId: string
  scope: Scope
  timezone: string
  lat: number
  lon: number
  lostAfterHours: number
}

/** State of one run of a product in a region. */
export interface DerivedRun {
  signal: AbortSignal
  /** Parts that failed and are not retried for a minute; '' is the product itself. */
  failed: Set<string>
}

/** A kind of derived data: what it reads and writes, and how it withdraws obsolete rows. One file each. */
export interface DerivedProduct {
  name: string
  /** What it reads and writes, for administrators. */
  description: string
  /** Time from the first mark of a span to its derivation, ms, so that late records are derived together. */
  settleMs: number
  /** The same for spans that late records change after they were derived. Default: `settleMs`. */
  settleAgainMs?: number
  /** Maximum number of spans in one portion. */
  maxSpans: number
  /** The pause after a portion, in its durations (default 1), at most `maxPauseMs` (default 10 s). */
  pauseFactor?: number
  maxPauseMs?: number
  /** Runs in a group of its own, so that long portions of other products do not delay it. */
  isPrompt?: boolean
  /** Spans are derived once and then deleted, such as runs. */
  isOnce?: boolean
  /** Changes of these tables of the state store make `advance` due. It is also due every minute. */
  watches?: readonly string[]
  /** Derives spans, newest first; idempotent. Returns those that were derived (undefined: all), or throws. */
  derive(
    region: DerivedRegion,
    spans: readonly string[],
    run: DerivedRun,
    part: string,
  ): Promise<readonly string[] | void>
  /** Marks spans that time or settings make dirty, and does other work. Returns whether more remains. */
  advance?(region: DerivedRegion, run: DerivedRun): Promise<boolean>
}
