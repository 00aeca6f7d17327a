/** Counts the calls of each address in fixed windows; in memory, because one process serves all of them. */
export class AddressLimit {
  readonly #maxCalls: number
  readonly #windowMs: number
  readonly #counts = new Map<string, number>()
  #window = -1
  constructor(maxCalls: number, windowMs: number) {
    this.#maxCalls = maxCalls
    this.#windowMs = windowMs
  }

  /** Counts a call and returns whether it is within the limit. */
  admits(address: string, at: Date): boolean {
    const window = Math.floor(at.getTime() / this.#windowMs)
    if (window !== this.#window) {
      this.#window = window
      this.#counts.clear()
    }
    const key = networkPrefix(address)
    const count = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, count)
    return count <= this.#maxCalls
  }
}

/** The address for IPv4, the /64 prefix for IPv6: one customer of a network has all addresses of a prefix. */
export function networkPrefix(address: string): string {
  if (!address.includes(':') || !URL.canParse(`http://[${address}]`)) return address
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = head.split(':').filter(Boolean)
  const tailGroups = tail?.split(':').filter(Boolean) ?? []
  const allGroups =
    tail === undefined
      ? groups
      : [
          ...groups,
          ...Array.from({ length: 8 - groups.length - tailGroups.length }, () => '0'),
          ...tailGroups,
        ]
  return allGroups.slice(0, 5).join(':') === '0:0:0:0:0' ? address : allGroups.slice(0, 4).join(':')
}
