import { MemoryRateCounters, type RateCounters } from './rate-limits.ts'

/** Limits the rate of calls of each address. */
export class AddressLimit {
  readonly #limit: { calls: number; windowMs: number }
  readonly #name: string
  readonly #counters: RateCounters
  /** `name` distinguishes limits that share the counters. */
  constructor(calls: number, windowMs: number, counters: RateCounters = new MemoryRateCounters(), name = '') {
    this.#limit = { calls, windowMs }
    this.#name = name
    this.#counters = counters
  }

  /** Counts a call and returns whether it is within the limit. */
  async admits(address: string, at: Date): Promise<boolean> {
    const key = `${this.#name}:${getNetworkPrefix(address)}`
    return (await this.#counters.take(key, this.#limit, at.getTime())).isAllowed
  }
}

/** Returns an IPv4 address itself, and of an IPv6 address the /64 prefix, which usually belongs to one customer. */
export function getNetworkPrefix(address: string): string {
  if (!address.includes(':') || !URL.canParse(`http://[${address}]`)) return address
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = head.split(':').filter(Boolean)
  const tailGroups = tail?.split(':').filter(Boolean) ?? []
  // `::` replaces as many zeros as are missing to eight groups.
  const zeros = tail === undefined ? [] : Array<string>(8 - groups.length - tailGroups.length).fill('0')
  const allGroups = [...groups, ...zeros, ...tailGroups]
  // IPv4 addresses in IPv6 form, and the loopback address, have no prefix of their own.
  return allGroups.slice(0, 5).join(':') === '0:0:0:0:0' ? address : allGroups.slice(0, 4).join(':')
}
