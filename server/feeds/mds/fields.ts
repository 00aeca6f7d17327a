import type { Fault } from './fault.ts'
import type { MdsContext } from './mds-context.ts'

export type Item = Readonly<Record<string, unknown>>

/** Whether a value is an object with fields. */
export const isItem = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The findings while one record is read. */
export interface Reading {
  readonly context: MdsContext
  readonly faults: Fault[]
  /** The field with a time too far after the receipt; '' if there is none. */
  late: string
  lateBy: number
}

export const newReading = (context: MdsContext): Reading => ({ context, faults: [], late: '', lateBy: 0 })

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const maxTextLength = 255
/** 2018-01-01: nothing in MDS is older. */
export const earliestTime = 1_514_764_800_000
const maxAheadMs = 24 * 3_600_000
/** Smaller differences of clocks are not reported. */
const allowedAhead = 60_000
const maxListedValues = 12
/** Longer lists in a record are invalid. */
const maxListLength = 1000

/** The nil UUID means none: all records with it would be merged into one. */
const nil = '00000000-0000-0000-0000-000000000000'

/** A UUID in lower case; '' if invalid. */
export function uuidOf(value: unknown): string {
  if (typeof value !== 'string' || value.length !== 36 || value === nil) return ''
  if (uuidForm.test(value)) return value
  const small = value.toLowerCase()
  return uuidForm.test(small) ? small : ''
}

/** Values for a sentence; long lists are truncated. */
function listed(words: ReadonlySet<string>): string {
  const shown = [...words].slice(0, maxListedValues).join(', ')
  return words.size > maxListedValues ? `${shown}, …` : shown
}

/** Reads the fields of one object and collects errors: `missing` or bad, by path. Invalid values are read as '' or NaN. */
export class Fields {
  readonly item: Item
  readonly reading: Reading
  readonly #path: string

  constructor(item: Item, reading: Reading, path = '') {
    this.item = item
    this.reading = reading
    this.#path = path
  }

  bad(key: string, reason: string): void {
    this.reading.faults.push({ field: this.#path + key, reason, isMissing: false })
  }

  missing(key: string): void {
    this.reading.faults.push({ field: this.#path + key, reason: 'is missing', isMissing: true })
  }

  /** Whether a field is present; null is not. */
  has(key: string): boolean {
    const value = this.item[key]
    return value !== undefined && value !== null
  }

  /** Reports a missing required field. */
  needs(key: string): boolean {
    if (this.has(key)) return true
    this.missing(key)
    return false
  }

  /** The fields of an object in a field. */
  within(key: string): Fields | null {
    if (!this.needs(key)) return null
    const value = this.item[key]
    if (isItem(value)) return new Fields(value, this.reading, `${this.#path}${key}.`)
    this.bad(key, 'must be an object')
    return null
  }

  uuid(key: string): string {
    return this.needs(key) ? this.uuidIfAny(key) : ''
  }

  uuidIfAny(key: string): string {
    if (!this.has(key)) return ''
    const uuid = uuidOf(this.item[key])
    if (!uuid) this.bad(key, 'must be a UUID')
    return uuid
  }

  uuidsIfAny(key: string): string[] {
    if (!this.has(key)) return []
    const value = this.item[key]
    const uuids = Array.isArray(value) && value.length <= maxListLength ? value.map(uuidOf) : ['']
    if (!uuids.includes('')) return uuids
    this.bad(key, 'must be a list of UUIDs')
    return []
  }

  text(key: string): string {
    return this.needs(key) ? this.textIfAny(key) : ''
  }

  textIfAny(key: string): string {
    if (!this.has(key)) return ''
    const value = this.item[key]
    if (typeof value === 'string' && value.length <= maxTextLength && !value.includes('\0')) return value
    this.bad(key, `must be a text of at most ${maxTextLength} characters`)
    return ''
  }

  oneOf<Word extends string>(key: string, words: ReadonlySet<Word>): Word | '' {
    return this.needs(key) ? this.oneOfIfAny(key, words) : ''
  }

  oneOfIfAny<Word extends string>(key: string, words: ReadonlySet<Word>): Word | '' {
    if (!this.has(key)) return ''
    const value = this.item[key]
    if (words.has(value as Word)) return value as Word
    this.bad(key, `must be one of ${listed(words)}`)
    return ''
  }

  /** A list of at least one allowed value. */
  someOf<Word extends string>(key: string, words: ReadonlySet<Word>): Word[] {
    if (!this.needs(key)) return []
    const value = this.item[key]
    if (
      Array.isArray(value) &&
      value.length > 0 &&
      value.length <= maxListLength &&
      value.every((each) => words.has(each as Word))
    )
      return value as Word[]
    this.bad(key, `must be a list of at least one of ${listed(words)}`)
    return []
  }

  /** NaN if missing. */
  numberIfAny(key: string, min = -Number.MAX_VALUE, max = Number.MAX_VALUE): number {
    if (!this.has(key)) return Number.NaN
    const value = this.item[key]
    if (typeof value === 'number' && value >= min && value <= max) return value
    this.bad(key, min > -Number.MAX_VALUE ? `must be a number from ${min} to ${max}` : 'must be a number')
    return Number.NaN
  }

  number(key: string, min: number, max: number): number {
    return this.needs(key) ? this.numberIfAny(key, min, max) : Number.NaN
  }

  /** NaN if missing. */
  integerIfAny(key: string, min: number, max: number): number {
    if (!this.has(key)) return Number.NaN
    const value = this.item[key]
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max) return value
    this.bad(
      key,
      max === Number.MAX_SAFE_INTEGER
        ? `must be an integer from ${min} on`
        : `must be an integer from ${min} to ${max}`,
    )
    return Number.NaN
  }

  integer(key: string, min = 0, max = Number.MAX_SAFE_INTEGER): number {
    return this.needs(key) ? this.integerIfAny(key, min, max) : Number.NaN
  }

  trueOrFalse(key: string): void {
    if (this.needs(key) && typeof this.item[key] !== 'boolean') this.bad(key, 'must be true or false')
  }

  /** Ms since 1970. */
  time(key: string): number {
    return this.needs(key) ? this.timeIfAny(key) : Number.NaN
  }

  /** 0 if missing. */
  timeIfAny(key: string): number {
    if (!this.has(key)) return 0
    const value = this.item[key]
    const { received } = this.reading.context
    if (typeof value !== 'number' || !Number.isSafeInteger(value))
      this.bad(key, 'must be a time in whole milliseconds since 1970')
    else if (value < earliestTime) this.bad(key, 'lies before 2018')
    else if (value > received + maxAheadMs) this.bad(key, 'lies more than a day after its receipt')
    else {
      if (value > received + allowedAhead && value - received > this.reading.lateBy) {
        this.reading.late = this.#path + key
        this.reading.lateBy = value - received
      }
      return value
    }
    return Number.NaN
  }

  /** The record's provider, which must be that of the feed. */
  provider(): void {
    if (this.needs('provider_id')) this.providerIfAny()
  }

  providerIfAny(): void {
    const provider = this.uuidIfAny('provider_id')
    const own = this.reading.context.providerId
    if (provider && own && provider !== own.toLowerCase())
      this.bad('provider_id', 'is not the one of this feed')
  }
}
