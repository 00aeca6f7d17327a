export interface FleetDerivation {
  regionId: string
  /** The runs of which the vehicles are derived again. */
  runIds: readonly string[]
  /** Counts derivations: higher than any before in this region. */
  version: bigint
  /** Without an event for this long, a vehicle is lost (metrics.md: lostAfterHours). */
  lostAfterHours: number
  /** Whether nothing was derived of these vehicles before, so that no rows must be withdrawn. */
  isFirst?: boolean
}

/** The input of every derivation step: the vehicles, and from when on. */
export interface DerivationStep extends Omit<FleetDerivation, 'runIds'> {
  spans: string
  /** The spans that begin from here on, ms: nothing older is read. */
  since: string
  /** And before this. */
  before: string
}
