interface Repair {
  code: string
  text: string
}

/** Collects the repairs of a shape and counts equal ones, so that a thousand of them are one sentence. */
export class RepairLog {
  readonly #counts = new Map<string, number>()
  readonly #sentences: Repair[] = []

  /** Counts repairs that `list` describes in one sentence. */
  count(code: keyof typeof noteTexts, times = 1): void {
    if (times > 0) this.#counts.set(code, (this.#counts.get(code) ?? 0) + times)
  }

  /** Adds a repair with a sentence of its own. */
  add(code: string, text: string): void {
    this.#sentences.push({ code, text })
  }

  list(): Repair[] {
    const counted = [...this.#counts].map(([code, times]) => ({
      code,
      text: noteTexts[code as keyof typeof noteTexts](times),
    }))
    return [...counted, ...this.#sentences]
  }
}

const pluralize = (count: number, one: string, more: string): string =>
  count === 1 ? `One ${one}` : `${count.toLocaleString('en')} ${more}`

const noteTexts = {
  'position-not-finite': (count: number) =>
    `${pluralize(count, 'position that is no number was', 'positions that are no numbers were')} left out.`,
  'points-repeated': (count: number) =>
    `${pluralize(count, 'repeated point was', 'repeated points were')} removed.`,
  'ring-closed': (count: number) =>
    `${pluralize(count, 'border that did not end where it began was', 'borders that did not end where they began were')} closed.`,
  'ring-dropped': (count: number) =>
    `${pluralize(count, 'border with fewer than three corners was', 'borders with fewer than three corners were')} dropped.`,
  'line-dropped': (count: number) =>
    `${pluralize(count, 'line with fewer than two points was', 'lines with fewer than two points were')} dropped.`,
}
