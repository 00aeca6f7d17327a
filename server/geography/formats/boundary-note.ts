/** What was left out or changed while a boundary file was read, in a sentence for the person who sent it. */
export interface BoundaryNote {
  /** 1-based index of the record, null when the note is about the whole file. */
  position: number | null
  code: string
  text: string
}
