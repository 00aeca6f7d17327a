import { maxBoundaryNotes } from '#contract/boundary-files.ts'
import { BoundaryFileError, GeometryProblem } from './boundary-file-error.ts'
import type { BoundaryFeature } from './boundary-geometry.ts'
import type { BoundaryNote, ReadBoundaries } from './boundary-content.ts'
import { computeBounds } from './geometry-bounds.ts'
import { toPlainGeometries } from './plain-geometries.ts'
import { PositionReader, type Projector } from './position-reader.ts'
import { rankProperties } from './rank-properties.ts'

type Properties = BoundaryFeature['properties']

/** Converts properties to plain values: nested ones to JSON text, numbers that are not finite to null. */
function toPlainProperties(raw: unknown): Properties {
  const plain: Properties = {}
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return plain
  for (const [name, value] of Object.entries(raw)) {
    // Assigning this name would change the prototype instead of adding a property.
    if (name === '__proto__') continue
    plain[name] = toPlainValue(value)
  }
  return plain
}

function toPlainValue(value: unknown): string | number | boolean | null {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'object' || value === null) return null
  try {
    return JSON.stringify(value)
  } catch {
    // The value is nested too deep to serialize, so it is not useful.
    return null
  }
}

/** Placeholder geometry of a record without a usable one. */
const nowhere = { type: 'Point' as const, coordinates: [] }

/** Maximum number of reasons that are listed if no record is usable. */
const maxReasons = 5

/** Collects the records of a file. Valid ones become features, others get a note. */
export class FeatureCollector {
  readonly #noun: string
  readonly #positions = new PositionReader()
  readonly #features: BoundaryFeature[] = []
  readonly #notes: BoundaryNote[] = []
  #unlistedNotes = 0
  /** Properties of omitted records by position, so that notes can include their names. */
  readonly #omitted = new Map<number, BoundaryFeature['properties']>()

  /** @param noun The term for a record of the format: "Feature", "Placemark". */
  constructor(noun: string) {
    this.#noun = noun
  }

  /** Sets the projection of the records that are added next; null: degrees. */
  setProjector(project: Projector | null): void {
    this.#positions.project = project
  }

  /** Adds a record, unvalidated. @param position its number in the file, from 1 */
  add(position: number, geometry: unknown, properties: unknown): void {
    try {
      const geometries = toPlainGeometries(geometry, this.#positions)
      const plain = toPlainProperties(properties)
      for (const part of geometries)
        this.#features.push({
          geometry: part,
          properties: geometries.length > 1 ? { ...plain } : plain,
          position,
        })
      if (geometries.length > 1)
        this.note(
          position,
          'split',
          `${this.#noun} ${position} mixes areas, lines or points and became ${geometries.length} shapes.`,
        )
    } catch (problem) {
      if (!(problem instanceof GeometryProblem)) throw problem
      const stop = /[.?]$/.test(problem.message) ? '' : '.'
      this.note(position, problem.code, `${this.#noun} ${position} ${problem.message}${stop}`)
      if (this.#omitted.size < maxBoundaryNotes) this.#omitted.set(position, toPlainProperties(properties))
    }
  }

  /** Adds a note for the user, on the record at `position` or (null) on the file. */
  note(position: number | null, code: string, text: string): void {
    if (this.#notes.length < maxBoundaryNotes) this.#notes.push({ position, code, text })
    else this.#unlistedNotes += 1
  }

  /** Adds the names of omitted records to their notes. */
  #nameOmitted(suggested: string | null): void {
    const omittedFeatures = [...this.#omitted].map(([position, properties]) => ({
      position,
      properties,
      geometry: nowhere,
    }))
    const nameProperty = suggested ?? rankProperties(omittedFeatures).suggestedName
    if (nameProperty === null) return
    for (const [index, { position, code, text }] of this.#notes.entries()) {
      const value = position === null ? undefined : this.#omitted.get(position)?.[nameProperty]
      const name = value === undefined || value === null ? '' : String(value).trim().slice(0, 100)
      const start = `${this.#noun} ${position} `
      if (name !== '' && text.startsWith(start))
        this.#notes[index] = { position, code, text: `${start}(“${name}”) ${text.slice(start.length)}` }
    }
  }

  /** Returns the content of the file. @throws BoundaryFileError if nothing usable was added. */
  finish(format: string): ReadBoundaries {
    const features = this.#features
    const notes = this.#notes
    const ranked = rankProperties(features)
    this.#nameOmitted(ranked.suggestedName)
    if (features.length === 0) {
      const recordNotes = notes.filter((note) => note.position !== null)
      const [firstNote] = [...recordNotes, ...notes]
      const reasons = (recordNotes.length > 0 ? recordNotes : notes.slice(0, 1))
        .slice(0, maxReasons)
        .map(({ text }) => text)
      const unlisted = recordNotes.length - maxReasons + this.#unlistedNotes
      if (unlisted > 0)
        reasons.push(
          `${unlisted.toLocaleString('en')} more ${unlisted === 1 ? 'shape was' : 'shapes were'} refused.`,
        )
      throw new BoundaryFileError(
        'no-usable-feature',
        firstNote === undefined
          ? 'The file is readable but contains no shapes.'
          : `The file contains no shape that can be used. ${reasons.join(' ')}`,
        firstNote?.position ?? null,
      )
    }
    if (this.#positions.hasDroppedHeights)
      notes.push({
        position: null,
        code: 'heights-dropped',
        text: 'The file has heights; shapes are flat, so they were left out.',
      })
    if (this.#unlistedNotes > 0)
      notes.push({
        position: null,
        code: 'more-notes',
        text: `${this.#unlistedNotes.toLocaleString('en')} more notes are not listed.`,
      })
    return {
      format,
      features,
      ...ranked,
      notes,
      bbox: computeBounds(features.map((feature) => feature.geometry)),
    }
  }
}
