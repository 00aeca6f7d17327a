/** Counts calls an address makes, over fixed windows; in memory, as one process serves them all. */
export class AddressLimit {
  readonly #most: number
  readonly #windowMs: number
  readonly #counts = new Map<string, number>()
  #window = -1
  constructor(most: number, windowMs: number) {
    this.#most = most
    this.#windowMs = windowMs
  }

  /** Whether one more call is within the limit; counts it. */
  admits(address: string, at: Date): boolean {
    const window = Math.floor(at.getTime() / this.#windowMs)
    if (window !== this.#window) {
      this.#window = window
      this.#counts.clear()
    }
    const key = networkOf(address)
    const count = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, count)
    return count <= this.#most
  }
}

/** One customer of a network has a whole /64 of IPv6 addresses. */
export function networkOf(address: string): string {
  if (!address.includes(':') || !URL.canParse(`http://[${address}]`)) return address
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = head.split(':').filter(Boolean)
  const rest = tail?.split(':').filter(Boolean) ?? []
  const whole =
    tail === undefined
      ? groups
      : [...groups, ...Array.from({ length: 8 - groups.length - rest.length }, () => '0'), ...rest]
  return whole.slice(0, 5).join(':') === '0:0:0:0:0' ? address : whole.slice(0, 4).join(':')
}
