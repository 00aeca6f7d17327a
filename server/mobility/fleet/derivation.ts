export interface Derivation {
  regionId: string
  /** The runs whose vehicles are derived anew. */
  runIds: readonly string[]
  /** Counts derivations: higher than any before in this region. */
  version: bigint
  /** Without an event for this long, a vehicle is lost (metrics.md: lostAfterHours). */
  lostAfterHours: number
}

/** What every step of a derivation asks: which vehicles, from when on. */
export interface Steps extends Omit<Derivation, 'runIds'> {
  spans: string
  /** No span begins before, ms: what is older is not read. */
  since: string
  /** The vehicles whose whole past counts, or the others. */
  isOld: boolean
}
