/** What was omitted or changed while a boundary file was read, as a sentence for the user who uploaded it. */
export interface BoundaryNote {
  /** 1-based position of the record; null if the note concerns the whole file. */
  position: number | null
  code: string
  text: string
}
