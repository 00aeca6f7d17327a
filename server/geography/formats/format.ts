import type { ReadBoundaries } from './boundaries-read.ts'

/** A kind of boundary file. A member never imports the list. */
export interface Format {
  key: string
  title: string
  /** Whether the start of the file, or failing that its name (lower case), says that it is of this kind. */
  recognises(name: string, head: Uint8Array): 'by content' | 'by name' | null
  read(bytes: Uint8Array): ReadBoundaries
}
