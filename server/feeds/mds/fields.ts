import { dayMs } from '#contract/period.ts'
import type { FieldError } from './field-error.ts'
import type { MdsContext } from './mds-context.ts'

export type Item = Readonly<Record<string, unknown>>

/** Returns whether a value is a JSON object. */
export const isItem = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The state of reading one record. */
export interface Reading {
  readonly context: MdsContext
  readonly errors: FieldError[]
  /** The field with the time furthest after the receipt, and by how much; '' if all times are plausible. */
  skewedField: string
  skewMs: number
}

/** Starts to read a record. */
export const createReading = (context: MdsContext): Reading => ({
  context,
  errors: [],
  skewedField: '',
  skewMs: 0,
})

const lowerCaseUuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const maxTextLength = 255
/** 2018-01-01, the year in which MDS was published. */
export const earliestTime = 1_514_764_800_000
/** A time further after its receipt is invalid. */
const maxAheadMs = dayMs
/** Smaller differences between clocks are not reported. */
const toleratedAheadMs = 60_000
/** The number of allowed values that an error message lists. */
const maxListedValues = 12
/** Longer lists in a record are invalid. */
const maxListLength = 1000

/** The nil UUID is invalid: all records with it would be merged into one. */
const nilUuid = '00000000-0000-0000-0000-000000000000'

/** Parses a UUID in lower case; '' if invalid. */
export function parseUuid(value: unknown): string {
  if (typeof value !== 'string' || value.length !== 36 || value === nilUuid) return ''
  if (lowerCaseUuidPattern.test(value)) return value
  const lowerCase = value.toLowerCase()
  return lowerCaseUuidPattern.test(lowerCase) ? lowerCase : ''
}

/** Formats the allowed values for an error message; long lists are truncated. */
function formatValues(values: ReadonlySet<string>): string {
  const listed = [...values].slice(0, maxListedValues).join(', ')
  return values.size > maxListedValues ? `${listed}, …` : listed
}

/**
 * Reads the fields of an object and collects their errors by path. Missing and invalid values are returned as
 * '', NaN or []. `optional…`: a missing field is no error. `check…`: the field is validated, but its value is
 * not needed.
 */
export class Fields {
  readonly item: Item
  readonly reading: Reading
  readonly #path: string

  constructor(item: Item, reading: Reading, path = '') {
    this.item = item
    this.reading = reading
    this.#path = path
  }

  addError(key: string, reason: string): void {
    this.reading.errors.push({ field: this.#path + key, reason, isMissing: false })
  }

  addMissing(key: string): void {
    this.reading.errors.push({ field: this.#path + key, reason: 'is missing', isMissing: true })
  }

  /** Returns whether a field is present and not null. */
  has(key: string): boolean {
    const value = this.item[key]
    return value !== undefined && value !== null
  }

  /** Returns whether a required field is present; adds an error if it is not. */
  requires(key: string): boolean {
    if (this.has(key)) return true
    this.addMissing(key)
    return false
  }

  /** Returns the fields of a nested object; null if it is missing or not an object. */
  object(key: string): Fields | null {
    if (!this.requires(key)) return null
    const value = this.item[key]
    if (isItem(value)) return new Fields(value, this.reading, `${this.#path}${key}.`)
    this.addError(key, 'must be an object')
    return null
  }

  uuid(key: string): string {
    return this.requires(key) ? this.optionalUuid(key) : ''
  }

  optionalUuid(key: string): string {
    if (!this.has(key)) return ''
    const uuid = parseUuid(this.item[key])
    if (!uuid) this.addError(key, 'must be a UUID')
    return uuid
  }

  optionalUuids(key: string): string[] {
    if (!this.has(key)) return []
    const value = this.item[key]
    const uuids = Array.isArray(value) && value.length <= maxListLength ? value.map(parseUuid) : ['']
    if (!uuids.includes('')) return uuids
    this.addError(key, 'must be a list of UUIDs')
    return []
  }

  text(key: string): string {
    return this.requires(key) ? this.optionalText(key) : ''
  }

  optionalText(key: string): string {
    if (!this.has(key)) return ''
    const value = this.item[key]
    if (typeof value === 'string' && value.length <= maxTextLength && !value.includes('\0')) return value
    this.addError(key, `must be a text of at most ${maxTextLength} characters`)
    return ''
  }

  oneOf<Value extends string>(key: string, values: ReadonlySet<Value>): Value | '' {
    return this.requires(key) ? this.optionalOneOf(key, values) : ''
  }

  optionalOneOf<Value extends string>(key: string, values: ReadonlySet<Value>): Value | '' {
    if (!this.has(key)) return ''
    const value = this.item[key]
    if (values.has(value as Value)) return value as Value
    this.addError(key, `must be one of ${formatValues(values)}`)
    return ''
  }

  /** Reads a list of allowed values, which must not be empty. */
  listOf<Value extends string>(key: string, values: ReadonlySet<Value>): Value[] {
    if (!this.requires(key)) return []
    const value = this.item[key]
    if (
      Array.isArray(value) &&
      value.length > 0 &&
      value.length <= maxListLength &&
      value.every((item) => values.has(item as Value))
    )
      return value as Value[]
    this.addError(key, `must be a list of at least one of ${formatValues(values)}`)
    return []
  }

  /** Returns NaN if missing. */
  optionalNumber(key: string, min = -Number.MAX_VALUE, max = Number.MAX_VALUE): number {
    if (!this.has(key)) return Number.NaN
    const value = this.item[key]
    if (typeof value === 'number' && value >= min && value <= max) return value
    this.addError(
      key,
      min > -Number.MAX_VALUE ? `must be a number from ${min} to ${max}` : 'must be a number',
    )
    return Number.NaN
  }

  number(key: string, min: number, max: number): number {
    return this.requires(key) ? this.optionalNumber(key, min, max) : Number.NaN
  }

  /** Returns NaN if missing. */
  optionalInteger(key: string, min: number, max: number): number {
    if (!this.has(key)) return Number.NaN
    const value = this.item[key]
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max) return value
    this.addError(
      key,
      max === Number.MAX_SAFE_INTEGER
        ? `must be an integer from ${min} on`
        : `must be an integer from ${min} to ${max}`,
    )
    return Number.NaN
  }

  integer(key: string, min = 0, max = Number.MAX_SAFE_INTEGER): number {
    return this.requires(key) ? this.optionalInteger(key, min, max) : Number.NaN
  }

  checkBoolean(key: string): void {
    if (this.requires(key) && typeof this.item[key] !== 'boolean') this.addError(key, 'must be true or false')
  }

  /** Returns milliseconds since 1970. */
  time(key: string): number {
    return this.requires(key) ? this.optionalTime(key) : Number.NaN
  }

  /** Returns milliseconds since 1970: 0 if missing, NaN if invalid. */
  optionalTime(key: string): number {
    if (!this.has(key)) return 0
    const value = this.item[key]
    const { received } = this.reading.context
    if (typeof value !== 'number' || !Number.isSafeInteger(value))
      this.addError(key, 'must be a time in whole milliseconds since 1970')
    else if (value < earliestTime) this.addError(key, 'is before 2018')
    else if (value > received + maxAheadMs) this.addError(key, 'is more than a day after its receipt')
    else {
      if (value > received + toleratedAheadMs && value - received > this.reading.skewMs) {
        this.reading.skewedField = this.#path + key
        this.reading.skewMs = value - received
      }
      return value
    }
    return Number.NaN
  }

  /** Checks that the record names a provider, which is that of the feed. */
  checkProvider(): void {
    if (this.requires('provider_id')) this.checkOptionalProvider()
  }

  checkOptionalProvider(): void {
    const provider = this.optionalUuid('provider_id')
    const expected = this.reading.context.providerId
    if (provider && expected && provider !== expected.toLowerCase())
      this.addError('provider_id', 'is not the one of this feed')
  }

  checkText(key: string): void {
    this.text(key)
  }

  checkInteger(key: string): void {
    this.integer(key)
  }

  checkListOf(key: string, values: ReadonlySet<string>): void {
    this.listOf(key, values)
  }

  checkOptionalUuid(key: string): void {
    this.optionalUuid(key)
  }

  checkOptionalUuids(key: string): void {
    this.optionalUuids(key)
  }

  checkOptionalText(key: string): void {
    this.optionalText(key)
  }

  checkOptionalOneOf(key: string, values: ReadonlySet<string>): void {
    this.optionalOneOf(key, values)
  }

  checkOptionalNumber(key: string): void {
    this.optionalNumber(key)
  }

  checkOptionalInteger(key: string, min: number, max: number): void {
    this.optionalInteger(key, min, max)
  }
}
