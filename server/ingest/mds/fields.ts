import type { Fault } from './fault.ts'
import type { MdsContext } from './mds-context.ts'

export type Item = Readonly<Record<string, unknown>>

/** Whether a value is an object with fields. */
export const isItem = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What is found while one record is read. */
export interface Reading {
  readonly context: MdsContext
  readonly faults: Fault[]
  /** The field whose time lies after the receipt by more than a clock may be off; '' for none. */
  late: string
  lateBy: number
}

export const newReading = (context: MdsContext): Reading => ({ context, faults: [], late: '', lateBy: 0 })

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const longestText = 255
/** 2018-01-01: nothing in MDS is older. */
export const earliestTime = 1_514_764_800_000
const mostAhead = 24 * 3_600_000
/** Clocks that are off by less are not worth a word. */
const allowedAhead = 60_000
const mostShown = 12
/** No list in a record is longer. */
const longestList = 1000

/** Says that there is none: what bears it would be one thing with all others that do. */
const nil = '00000000-0000-0000-0000-000000000000'

/** A UUID in small letters; '' where it is none. */
export function uuidOf(value: unknown): string {
  if (typeof value !== 'string' || value.length !== 36 || value === nil) return ''
  if (uuidForm.test(value)) return value
  const small = value.toLowerCase()
  return uuidForm.test(small) ? small : ''
}

/** Words for a sentence: long lists are cut. */
function listed(words: ReadonlySet<string>): string {
  const shown = [...words].slice(0, mostShown).join(', ')
  return words.size > mostShown ? `${shown}, …` : shown
}

/** Reads the fields of one object, and notes what is wrong with them: `missing` or bad, by path. What is wrong reads as '' or NaN. */
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

  /** Whether a field is there; null is not. */
  has(key: string): boolean {
    const value = this.item[key]
    return value !== undefined && value !== null
  }

  /** Notes a required field that is not there. */
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
    const uuids = Array.isArray(value) && value.length <= longestList ? value.map(uuidOf) : ['']
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
    if (typeof value === 'string' && value.length <= longestText && !value.includes('\0')) return value
    this.bad(key, `must be a text of at most ${longestText} characters`)
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

  /** A list of at least one word. */
  someOf<Word extends string>(key: string, words: ReadonlySet<Word>): Word[] {
    if (!this.needs(key)) return []
    const value = this.item[key]
    if (
      Array.isArray(value) &&
      value.length > 0 &&
      value.length <= longestList &&
      value.every((each) => words.has(each as Word))
    )
      return value as Word[]
    this.bad(key, `must be a list of at least one of ${listed(words)}`)
    return []
  }

  /** NaN where it is not there. */
  numberIfAny(key: string, least = -Number.MAX_VALUE, most = Number.MAX_VALUE): number {
    if (!this.has(key)) return Number.NaN
    const value = this.item[key]
    if (typeof value === 'number' && value >= least && value <= most) return value
    this.bad(
      key,
      least > -Number.MAX_VALUE ? `must be a number from ${least} to ${most}` : 'must be a number',
    )
    return Number.NaN
  }

  number(key: string, least: number, most: number): number {
    return this.needs(key) ? this.numberIfAny(key, least, most) : Number.NaN
  }

  /** NaN where it is not there. */
  integerIfAny(key: string, least: number, most: number): number {
    if (!this.has(key)) return Number.NaN
    const value = this.item[key]
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most)
      return value
    this.bad(
      key,
      most === Number.MAX_SAFE_INTEGER
        ? `must be an integer from ${least} on`
        : `must be an integer from ${least} to ${most}`,
    )
    return Number.NaN
  }

  integer(key: string, least = 0, most = Number.MAX_SAFE_INTEGER): number {
    return this.needs(key) ? this.integerIfAny(key, least, most) : Number.NaN
  }

  trueOrFalse(key: string): void {
    if (this.needs(key) && typeof this.item[key] !== 'boolean') this.bad(key, 'must be true or false')
  }

  /** Ms since 1970. */
  time(key: string): number {
    return this.needs(key) ? this.timeIfAny(key) : Number.NaN
  }

  /** 0 where it is not there. */
  timeIfAny(key: string): number {
    if (!this.has(key)) return 0
    const value = this.item[key]
    const { received } = this.reading.context
    if (typeof value !== 'number' || !Number.isSafeInteger(value))
      this.bad(key, 'must be a time in whole milliseconds since 1970')
    else if (value < earliestTime) this.bad(key, 'lies before 2018')
    else if (value > received + mostAhead) this.bad(key, 'lies more than a day after its receipt')
    else {
      if (value > received + allowedAhead && value - received > this.reading.lateBy) {
        this.reading.late = this.#path + key
        this.reading.lateBy = value - received
      }
      return value
    }
    return Number.NaN
  }

  /** The record's provider, which must be the feed's. */
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
