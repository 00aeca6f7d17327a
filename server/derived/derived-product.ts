import type { Scope } from '#server/stores/scope.ts'

/** A region as derivations see it. */
export interface DerivedRegion {
  regionId: string
  organizationId: string
  scope: Scope
  timezone: string
  lat: number
  lon: number
  lostAfterHours: number
}

export interface DerivedRun {
  signal: AbortSignal
  /** Parts that failed and are not tried again for a minute; '' is the product itself. */
  failed: Set<string>
}

/** A kind of derived data: one file that says what it reads, what it writes and how it withdraws rows. */
export interface DerivedProduct {
  name: string
  /** What it reads and writes, for administrators. */
  description: string
  /** A span is derived this long after it became dirty, so that late records are derived together, ms. */
  settleMs: number
  /** The same for a span that was derived before, such as a day that late records change; default: `settleMs`. */
  settleAgainMs?: number
  /** Spans of one portion. */
  maxSpans: number
  /** After a portion the product rests this many times as long as it worked (1), at most `maxRestMs` (10 s). */
  restFactor?: number
  maxRestMs?: number
  /** Runs beside the other products, so that a long portion of theirs does not delay it. */
  isPrompt?: boolean
  /** Spans are derived once and then forgotten, such as runs. */
  isOnce?: boolean
  /** Tables of the state store by which `advance` is due; it is also due every minute. */
  watches?: readonly string[]
  /**
   * Derives spans of a region, newest first. Must be repeatable. If it throws, the spans stay dirty. Returns the spans that were derived;
   * undefined: all.
   */
  derive(
    region: DerivedRegion,
    spans: readonly string[],
    run: DerivedRun,
    part: string,
  ): Promise<readonly string[] | void>
  /** Marks what the passing of time or a setting makes dirty, and takes one step of other work. Returns whether more remains. */
  advance?(region: DerivedRegion, run: DerivedRun): Promise<boolean>
}
