/** Values of a metric's labels. */
export type Labels = Readonly<Record<string, string | number>>

/** A metric as it is declared; the names follow Prometheus. */
export interface MetricOptions {
  name: string
  help: string
  labelNames?: readonly string[]
}

/** Further combinations of labels of one metric are counted as `other`: each is a time series of its own. */
const maxSeries = 1000

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
const escapeValue = (text: string): string => escapeHelp(text).replaceAll('"', '\\"')

const formatNumber = (value: number): string =>
  value === Infinity ? '+Inf' : value === -Infinity ? '-Inf' : String(value)

const formatLabels = (labels: Labels): string => {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(String(value))}"`)
  return parts.length ? `{${parts.join(',')}}` : ''
}

/** What all metrics have; the interface is that of prom-client, which may replace this module. */
export abstract class Metric<Value> {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly string[]
  abstract readonly type: 'counter' | 'gauge' | 'histogram'
  readonly #series = new Map<string, { labels: Labels; value: Value }>()

  constructor({ name, help, labelNames = [] }: MetricOptions) {
    this.name = name
    this.help = help
    this.labelNames = labelNames
  }

  protected abstract create(): Value
  protected abstract linesOf(labels: Labels, value: Value): string[]

  /** The series of some labels, in the order of the declaration. */
  protected series(labels: Labels): { labels: Labels; value: Value } {
    const ordered = Object.fromEntries(this.labelNames.map((name) => [name, labels[name] ?? '']))
    const key = JSON.stringify(Object.values(ordered))
    const found = this.#series.get(key)
    if (found) return found
    const isOther = Object.values(ordered).every((value) => value === 'other')
    if (this.#series.size >= maxSeries && !isOther)
      return this.series(Object.fromEntries(this.labelNames.map((name) => [name, 'other'])))
    const added = { labels: ordered, value: this.create() }
    this.#series.set(key, added)
    return added
  }

  /** Forgets all values. */
  reset(): void {
    this.#series.clear()
  }

  /** The metric in Prometheus' text format. */
  format(): string {
    const lines = [...this.#series.values()].flatMap(({ labels, value }) => this.linesOf(labels, value))
    return [
      `# HELP ${this.name} ${escapeHelp(this.help)}`,
      `# TYPE ${this.name} ${this.type}`,
      ...lines,
    ].join('\n')
  }

  protected line(labels: Labels, value: number, suffix = ''): string {
    return `${this.name}${suffix}${formatLabels(labels)} ${formatNumber(value)}`
  }
}

/** A number that only grows. */
export class Counter extends Metric<{ sum: number }> {
  readonly type = 'counter'
  protected create = () => ({ sum: 0 })
  protected linesOf = (labels: Labels, { sum }: { sum: number }): string[] => [this.line(labels, sum)]

  inc(labels: Labels = {}, by = 1): void {
    if (by > 0) this.series(labels).value.sum += by
  }
}

/** A number that goes up and down. */
export class Gauge extends Metric<{ now: number }> {
  readonly type = 'gauge'
  protected create = () => ({ now: 0 })
  protected linesOf = (labels: Labels, { now }: { now: number }): string[] => [this.line(labels, now)]

  set(labels: Labels, value: number): void {
    this.series(labels).value.now = value
  }

  inc(labels: Labels = {}, by = 1): void {
    this.series(labels).value.now += by
  }
}

interface Distribution {
  counts: number[]
  sum: number
  count: number
}

/** Counts of values by upper bounds. */
export class Histogram extends Metric<Distribution> {
  readonly type = 'histogram'
  readonly #bounds: readonly number[]

  constructor({ buckets, ...options }: MetricOptions & { buckets: readonly number[] }) {
    super(options)
    this.#bounds = [...buckets, Infinity]
  }

  protected create = (): Distribution => ({ counts: this.#bounds.map(() => 0), sum: 0, count: 0 })

  protected linesOf = (labels: Labels, { counts, sum, count }: Distribution): string[] => [
    ...this.#bounds.map((bound, at) =>
      this.line({ ...labels, le: formatNumber(bound) }, counts[at] ?? 0, '_bucket'),
    ),
    this.line(labels, sum, '_sum'),
    this.line(labels, count, '_count'),
  ]

  observe(labels: Labels, value: number): void {
    const distribution = this.series(labels).value
    distribution.sum += value
    distribution.count++
    this.#bounds.forEach((bound, at) => {
      if (value <= bound) distribution.counts[at] = (distribution.counts[at] ?? 0) + 1
    })
  }
}
