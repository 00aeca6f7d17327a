/** A purchase for one plate at one location. Times are in seconds. */
export interface PlainPurchase {
  key: string
  paid: number
  start: number | null
  end: number | null
  bought: number | null
  hint: '' | 'start' | 'extension'
  isRefund: boolean
  isCumulative: boolean
}

const tolerance = 300

/** Returns the seconds that each purchase of a stay adds, without the time that it repeats. */
function getNetSeconds(stay: readonly PlainPurchase[]): number[] {
  const net: number[] = []
  for (const [index, purchase] of stay.entries()) {
    const begin = purchase.start ?? purchase.paid
    const reported = purchase.bought ?? (purchase.end === null ? 0 : purchase.end - begin)
    const before = net.reduce((sum, seconds) => sum + seconds, 0)
    net.push(index > 0 && purchase.isCumulative ? Math.max(0, reported - before) : reported)
  }
  return net
}

/** Returns the end of a stay, computed from all of its purchases. */
function getEnd(stay: readonly PlainPurchase[]): number {
  const net = getNetSeconds(stay)
  let end = -Infinity
  for (const [index, purchase] of stay.entries()) {
    const begin = purchase.start ?? purchase.paid
    const ownEnd = purchase.end ?? Math.max(begin, end) + (net[index] ?? 0)
    end = Math.max(end, ownEnd)
  }
  return end
}

/** Reference implementation of stitching. Returns the keys of the purchases of each stay in a lane. */
export function plainStays(purchases: readonly PlainPurchase[], needsHint: boolean) {
  const ordered = [...purchases].sort(
    (a, b) => a.paid - b.paid || (a.start ?? a.paid) - (b.start ?? b.paid) || (a.key < b.key ? -1 : 1),
  )
  const stays: PlainPurchase[][] = []
  const refunds = new Map<string, string>()
  const alone: string[] = []
  for (const purchase of ordered) {
    const last = stays.at(-1)
    if (purchase.isRefund) {
      refunds.set(purchase.key, last?.[0]?.key ?? '')
      continue
    }
    const begin = purchase.start ?? purchase.paid
    const mayContinue = needsHint ? purchase.hint === 'extension' : purchase.hint !== 'start'
    if (last && mayContinue && begin <= getEnd(last) + tolerance) last.push(purchase)
    else if (getEnd([purchase]) > begin) stays.push([purchase])
    else alone.push(purchase.key)
  }
  return {
    stays: stays.map((stay) => ({
      id: stay[0]?.key ?? '',
      keys: stay.map(({ key }) => key),
      start: stay[0]?.start ?? stay[0]?.paid ?? 0,
      end: getEnd(stay),
      bought: getNetSeconds(stay).reduce((sum, seconds) => sum + seconds, 0),
    })),
    refunds,
    alone,
  }
}
