/** What everything of the model is reckoned with. */
export interface Reckoning {
  seed: number
  /** Metres a degree of longitude. */
  lonMetres: number
  /** Local midnight (ms) at which a day begins. */
  midnight: (day: number) => number
}
