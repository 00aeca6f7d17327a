import { BlockList, isIP } from 'node:net'

type Range = [network: string, prefix: number]

const createBlockList = (v4: readonly Range[], v6: readonly Range[]): BlockList => {
  const blockList = new BlockList()
  for (const [network, prefix] of v4) blockList.addSubnet(network, prefix, 'ipv4')
  for (const [network, prefix] of v6) blockList.addSubnet(network, prefix, 'ipv6')
  return blockList
}

/** Addresses at which cloud providers serve metadata and credentials: link-local ones and a few others. */
const metadata = createBlockList(
  [
    ['169.254.0.0', 16],
    ['100.100.100.200', 32],
    ['168.63.129.16', 32],
    ['192.0.0.192', 32],
  ],
  [
    ['fe80::', 10],
    ['fd00:ec2::254', 128],
    ['fd20:ce::254', 128],
  ],
)

/** Ranges that are not public (IANA's special-purpose address registries). */
const nonPublicAddresses = createBlockList(
  [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ],
  [
    ['::', 96],
    ['64:ff9b:1::', 48],
    ['100::', 64],
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['3fff::', 20],
    ['5f00::', 16],
    ['fc00::', 7],
    ['fec0::', 10],
    ['ff00::', 8],
  ],
)

/** Prefixes of IPv6 addresses that end with an IPv4 address: IPv4-mapped, IPv4-translated and NAT64. */
const ipv4EmbeddingPrefixes = createBlockList(
  [],
  [
    ['::ffff:0:0', 96],
    ['::ffff:0:0:0', 96],
    ['64:ff9b::', 96],
  ],
)

/** Returns the IPv4 address embedded in an IPv6 address; null if there is none. */
function extractIpv4(address: string): string | null {
  if (!ipv4EmbeddingPrefixes.check(address, 'ipv6')) return null
  // URL normalizes the address to hexadecimal groups.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':')
  const [high, low] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16))
  if (high === undefined || low === undefined) return null
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** Classifies an IP address. Text that is not an address counts as private. */
export function classifyAddress(text: string): 'public' | 'private' | 'metadata' {
  const address = text.replace(/%.*$/, '')
  const family = isIP(address)
  if (!family) return 'private'
  const embedded = family === 6 ? extractIpv4(address) : null
  if (embedded) return classifyAddress(embedded)
  const type = family === 6 ? 'ipv6' : 'ipv4'
  if (metadata.check(address, type)) return 'metadata'
  return nonPublicAddresses.check(address, type) ? 'private' : 'public'
}
