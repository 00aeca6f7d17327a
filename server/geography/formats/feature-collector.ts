import { BoundaryFileError } from './boundary-file-error.ts'
import type { BoundaryFeature } from './boundary-geometry.ts'
import type { BoundaryNote } from './boundary-note.ts'
import type { ReadBoundaries } from './boundaries-read.ts'
import { GeometryProblem } from './geometry-problem.ts'
import { geometryBounds } from './geometry-bounds.ts'
import { limits } from './limits.ts'
import { plainGeometries } from './plain-geometries.ts'
import { PositionReader } from './position-reader.ts'
import type { Projector } from './projector.ts'
import { rankProperties } from './rank-properties.ts'

type Properties = BoundaryFeature['properties']

/** Properties as plain values: nested ones as JSON text, numbers that are none as null. */
function plainProperties(raw: unknown): Properties {
  const plain: Properties = {}
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return plain
  for (const [name, value] of Object.entries(raw)) {
    // Assigning this one would change the object's prototype instead of adding a property.
    if (name === '__proto__') continue
    plain[name] = plainValue(value)
  }
  return plain
}

function plainValue(value: unknown): string | number | boolean | null {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'object' || value === null) return null
  try {
    return JSON.stringify(value)
  } catch {
    // Nested deeper than the stack reaches: no name or number a city would look for.
    return null
  }
}

/** Stands for the geometry of a record without a usable one. */
const nowhere = { type: 'Point' as const, coordinates: [] }

/** So many reasons are given where every record is bad. */
const reasonTexts = 5

/** Gathers the records of one file: good ones become features, bad ones a note that names them. */
export class FeatureCollector {
  private readonly noun: string
  private readonly positions = new PositionReader()
  private readonly features: BoundaryFeature[] = []
  private readonly notes: BoundaryNote[] = []
  private unsaid = 0
  /** Properties of records that were left out, by position: notes on them say their names. */
  private readonly leftOut = new Map<number, BoundaryFeature['properties']>()

  /** @param noun What a record is called in this format: "Feature", "Placemark". */
  constructor(noun: string) {
    this.noun = noun
  }

  /** Coordinates added from here on are in this projection. */
  projectedBy(project: Projector | null): void {
    this.positions.project = project
  }

  add(position: number, geometry: unknown, properties: unknown): void {
    try {
      const found = plainGeometries(geometry, this.positions)
      const plain = plainProperties(properties)
      for (const part of found)
        this.features.push({ geometry: part, properties: found.length > 1 ? { ...plain } : plain, position })
      if (found.length > 1)
        this.note(
          position,
          'split',
          `${this.noun} ${position} mixes areas, lines or points and became ${found.length} shapes.`,
        )
    } catch (problem) {
      if (!(problem instanceof GeometryProblem)) throw problem
      const stop = /[.?]$/.test(problem.message) ? '' : '.'
      this.note(position, problem.code, `${this.noun} ${position} ${problem.message}${stop}`)
      if (this.leftOut.size < limits.notes) this.leftOut.set(position, plainProperties(properties))
    }
  }

  note(position: number | null, code: string, text: string): void {
    if (this.notes.length < limits.notes) this.notes.push({ position, code, text })
    else this.unsaid += 1
  }

  /** Puts the names of the records that were left out into the notes on them. */
  private nameLeftOut(suggested: string | null): void {
    const left = [...this.leftOut].map(([position, properties]) => ({
      position,
      properties,
      geometry: nowhere,
    }))
    const by = suggested ?? rankProperties(left).suggestedName
    if (by === null) return
    for (const [at, { position, code, text }] of this.notes.entries()) {
      const value = position === null ? undefined : this.leftOut.get(position)?.[by]
      const name = value === undefined || value === null ? '' : String(value).trim().slice(0, 100)
      const start = `${this.noun} ${position} `
      if (name !== '' && text.startsWith(start))
        this.notes[at] = { position, code, text: `${start}(“${name}”) ${text.slice(start.length)}` }
    }
  }

  /** @throws BoundaryFileError when nothing usable was added. */
  finish(format: string): ReadBoundaries {
    const { features, notes } = this
    const ranked = rankProperties(features)
    this.nameLeftOut(ranked.suggestedName)
    if (features.length === 0) {
      const ofFeatures = notes.filter((note) => note.position !== null)
      const first = ofFeatures[0] ?? notes[0]
      const reasons = (ofFeatures.length > 0 ? ofFeatures : notes.slice(0, 1))
        .slice(0, reasonTexts)
        .map(({ text }) => text)
      const more = ofFeatures.length - reasonTexts + this.unsaid
      if (more > 0)
        reasons.push(`${more.toLocaleString('en')} more ${more === 1 ? 'shape was' : 'shapes were'} refused.`)
      throw new BoundaryFileError(
        'no-usable-feature',
        first === undefined
          ? 'The file is readable but holds no shapes.'
          : `The file holds no shape that can be used. ${reasons.join(' ')}`,
        first?.position ?? null,
      )
    }
    if (this.positions.heightsDropped)
      notes.push({
        position: null,
        code: 'heights-dropped',
        text: 'The file has heights; shapes are flat, so they were left out.',
      })
    if (this.unsaid > 0)
      notes.push({
        position: null,
        code: 'more-notes',
        text: `${this.unsaid.toLocaleString('en')} more notes are not listed.`,
      })
    return {
      format,
      features,
      ...ranked,
      notes,
      bbox: geometryBounds(features.map((feature) => feature.geometry)),
    }
  }
}
